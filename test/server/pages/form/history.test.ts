import { describe, expect, test } from "bun:test";
import {
  type History,
  recordChange,
  recordTyping,
  startHistory,
  stepHistory,
} from "../../../../server/pages/form/history.ts";

const form = (text: string) => new Map([["name", text]]);
const texts = ({ past, form: now, future }: History) =>
  [...past.map((step) => step.form), now, ...future.toReversed().map((step) => step.form)].map(
    (each) => each.get("name"),
  );

/** Texts that are typed into one control after the other. */
const typeAll = (steps: readonly (readonly [field: string, text: string])[]) =>
  steps.reduce(
    (history, [field, text]) => recordTyping(history, form(text), field),
    startHistory(form("")),
  );

describe("the history of a form", () => {
  test("has one step for all that is typed into a control", () => {
    const history = typeAll([
      ["a", "1"],
      ["a", "12"],
      ["b", "12x"],
      ["b", "12xy"],
      ["a", "123xy"],
    ]);
    expect(texts(history)).toEqual(["", "12", "12xy", "123xy"]);
    expect(history.past.map(({ focus }) => focus)).toEqual(["a", "b", "a"]);
  });

  test("begins a new step after a change of another kind", () => {
    const history = typeAll([["a", "1"]]);
    const ticked = recordChange(history, form("1+"), "tick");
    expect(texts(recordTyping(ticked, form("1+2"), "a"))).toEqual(["", "1", "1+", "1+2"]);
  });

  test("goes back and forth with the focus, and forgets what was taken back by a change", () => {
    const history = typeAll([
      ["a", "1"],
      ["b", "2"],
    ]);
    const back = stepHistory(history, "undo");
    expect([back?.form.get("name"), back?.focus]).toEqual(["1", "b"]);
    const forth = back && stepHistory(back, "redo");
    expect([forth?.form.get("name"), forth?.focus]).toEqual(["2", "b"]);
    expect(forth && texts(forth)).toEqual(texts(history));
    expect(back && texts(recordTyping(back, form("3"), "b"))).toEqual(["", "1", "3"]);
  });

  test("has no step before its start and none after its end", () => {
    expect(stepHistory(startHistory(form("")), "undo")).toBeUndefined();
    expect(stepHistory(typeAll([["a", "1"]]), "redo")).toBeUndefined();
  });

  test("keeps a hundred steps", () => {
    const many = Array.from(
      { length: 150 },
      (_, step) => [`field ${step % 2}`, `${step}`] as const,
    );
    const history = typeAll(many);
    expect(history.past).toHaveLength(100);
    expect(texts(history).at(0)).toBe("49");
  });
});
