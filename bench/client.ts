import { drive } from "./load.ts";

// The entry of a client process: a load as JSON in its argument, answers per second as output.
process.stdout.write(`${await drive(JSON.parse(process.argv[2] ?? ""))}\n`);
