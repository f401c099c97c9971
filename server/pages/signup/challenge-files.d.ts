/* The bundler copies these files of the widget; an import gives the address. */
declare module "altcha/workers/pbkdf2" {
  const href: string;
  export = href;
}

declare module "altcha/altcha.css" {
  const href: string;
  export = href;
}
