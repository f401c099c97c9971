/* The bundler copies this file of the widget; an import gives the address. */
declare module "altcha/workers/pbkdf2" {
  const href: string;
  export = href;
}
