/*
 * The installed library against the golden cases: `<runtime> golden.js <folder of the cases>`,
 * run where the package is installed. It needs no test runner, so that any runtime takes it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as library from "handtools";

const [folder] = process.argv.slice(2);
const functions = new Map(Object.entries(library));

for (const { name, command, function: call } of library.tools) {
  for (const testCase of readdirSync(join(folder, command)).sort()) {
    const read = (file) => readFileSync(join(folder, command, testCase, file), "utf8");
    const input = JSON.parse(read("input.json"));
    const wanted = read("result.json");
    report(`${command}/${testCase} callTool()`, wanted, () => {
      const { ok, value, error } = library.callTool(name, input);
      if (!ok) throw new Error(error.message);
      return value;
    });
    report(`${command}/${testCase} ${call}()`, wanted, () => functions.get(call)(input));
  }
}

function report(name, wanted, run) {
  print({ name, problem: problemOf(wanted, run) });
}

function problemOf(wanted, run) {
  try {
    return `${JSON.stringify(run(), null, 2)}\n` === wanted ? "" : "the result is another";
  } catch (error) {
    return String(error);
  }
}

function print(check) {
  process.stdout.write(`${JSON.stringify(check)}\n`);
}
