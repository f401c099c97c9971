/* The files of the widget that the bundler copies: importing one gives its address. */
declare module "altcha/workers/pbkdf2" {
  const href: string;
  export = href;
}

declare module "altcha/altcha.css" {
  const href: string;
  export = href;
}
