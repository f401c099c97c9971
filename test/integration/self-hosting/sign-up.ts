import { type AltchaToSolve, solveAltcha } from "../../server/support/altcha.ts";

/** Signs an address up, as the site's page does. */
const [email = ""] = process.argv.slice(2);
const path = "https://tools.example.com/api/beta-signup";
const challenge = await (await fetch(`${path}/challenge`)).json();
const turnstileToken = await solveAltcha(challenge as AltchaToSolve);
const response = await fetch(path, {
  method: "POST",
  headers: { "Content-Type": "application/json", Origin: "https://tools.example.com" },
  body: JSON.stringify({ email, name: "Ada Lovelace", ctaSource: "hero", turnstileToken }),
});
process.stdout.write(`${response.status} ${await response.text()}\n`);
