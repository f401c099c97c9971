/** Counts checks and prints a line for each. */
export class Checks {
  #passed = 0;
  #failed = 0;

  /** @param problem what is wrong; nothing when all is well. */
  add(name: string, problem = ""): void {
    if (problem === "") this.#passed += 1;
    else this.#failed += 1;
    this.#print(problem === "" ? `ok    ${name}` : `FAIL  ${name}\n      ${problem}`);
  }

  same(name: string, actual: string, wanted: string): void {
    this.add(
      name,
      actual === wanted ? "" : `wanted ${start(wanted)}\n      got    ${start(actual)}`,
    );
  }

  /** Prints the sum and makes the process fail when a check did. */
  close(): void {
    this.#print(`${this.#passed} passed, ${this.#failed} failed`);
    if (this.#failed > 0 || this.#passed === 0) process.exitCode = 1;
  }

  #print(line: string): void {
    process.stdout.write(`${line}\n`);
  }
}

const start = (text: string): string => JSON.stringify(text.slice(0, 300));
