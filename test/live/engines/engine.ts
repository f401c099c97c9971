/** A browser by the standards of WebDriver, as far as the run needs it. */
export interface Engine {
  readonly name: string;
  open(url: string): Promise<void>;
  /** The value of an expression in the page, which must be JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Real input: the `actions` of WebDriver's "Perform Actions", the same in both protocols. */
  perform(actions: readonly object[]): Promise<void>;
  /** The errors of the page's scripts since the last call. */
  complaints(): readonly string[];
  close(): Promise<void>;
}

/** Presses an element in its middle. */
export async function press(engine: Engine, selector: string): Promise<void> {
  const [x, y] = await middleOf(engine, selector);
  const pointer = [
    { type: "pointerMove", x, y, duration: 0 },
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ];
  await engine.perform([
    { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: pointer },
  ]);
}

async function middleOf(engine: Engine, selector: string): Promise<readonly number[]> {
  const found = await engine.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    element?.scrollIntoView({ block: "center", behavior: "instant" });
    const box = element?.getBoundingClientRect();
    return box ? [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)] : [];
  })()`);
  if (!Array.isArray(found) || found.length !== 2) throw new Error(`There is no ${selector}`);
  return found.map(Number);
}

/** Types into a field in place of what is there. */
export async function type(engine: Engine, selector: string, text: string): Promise<void> {
  await press(engine, selector);
  await engine.evaluate(`document.querySelector(${JSON.stringify(selector)}).select()`);
  const keys = [...text].flatMap((value) => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ]);
  await engine.perform([{ type: "key", id: "keyboard", actions: keys }]);
}

const WITHIN_MS = 15_000;
const BETWEEN_MS = 100;

/** Waits until an expression in the page is true. */
export async function until(engine: Engine, expression: string): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  while ((await engine.evaluate(`Boolean(${expression})`)) !== true) {
    if (Date.now() > deadline) throw new Error(`It did not come: ${expression}`);
    await Bun.sleep(BETWEEN_MS);
  }
}
