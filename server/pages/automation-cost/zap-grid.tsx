/** @jsxImportSource preact */
import type { AutomationCostResult } from "../../../schemas/index.ts";
import { readRuns } from "../../../src/automation-cost/cells.ts";
import { shareOf } from "../../../src/automation-cost/render.ts";
import { plural, thousands } from "../../../src/text.ts";
import { Add, Do, Remove, Text } from "../form/fields.tsx";
import { rowsOf, textOf } from "../form/form.ts";
import type { State } from "../form/run-form.ts";
import { fields, filledZaps, RUNS_FOR_ALL, stepsInDoubt, zapFields } from "./fields.ts";

type CostState = State<AutomationCostResult>;

/** The Zaps, each in a line with its tasks. */
export function ZapGrid({ tree, notes, input, nameOf }: CostState) {
  const rows = rowsOf(tree.get("zaps"));
  const zaps: readonly unknown[] = Array.isArray(input.zaps) ? input.zaps : [];
  // Not those of the result: there is none while a Zap is not finished.
  const tasks = new Map(
    zaps.map((zap, index) => {
      const { action_steps, runs_per_month } = Object(zap);
      return [nameOf(`zaps[${index}]`), Number(action_steps) * Number(runs_per_month) || 0];
    }),
  );
  const all = [...tasks.values()].reduce((sum, count) => sum + count, 0);
  const byName = Map.groupBy(notes, ({ name }) => name);
  const runs = textOf(tree.get(RUNS_FOR_ALL));
  return (
    <div class="zaps" id="zaps">
      <p class="zap headings" aria-hidden="true">
        {Object.values(zapFields).map(({ label }) => (
          <span key={label}>{label}</span>
        ))}
        <span class="number">Tasks</span>
      </p>
      <ul class="rows">
        {rows.map(([row, zap], index) => {
          const name = `zaps[${row}]`;
          const cells = zap instanceof Map ? zap : new Map<string, string>();
          const count = tasks.get(name);
          return (
            <li key={row} id={name} class="zap">
              {Object.entries(zapFields).map(([key, field]) => (
                <Text
                  key={key}
                  name={`${name}.${key}`}
                  field={field}
                  hint="zaps"
                  value={cells.get(key)}
                  notes={byName.get(`${name}.${key}`) ?? []}
                  label={`Zap ${index + 1}, ${field.label}`}
                  placeholder={
                    (key === "runs_per_month" && runs) || (index === 0 ? field.placeholder : "")
                  }
                />
              ))}
              <span class="number">
                {count ? thousands(count) : ""}{" "}
                <small>{tasks.size > 1 && count ? shareOf(count, all) : ""}</small>
              </span>
              {(rows.length > 1 || zap !== "") && <Remove name={name} label={`Zap ${index + 1}`} />}
            </li>
          );
        })}
      </ul>
      <p class="zap together">
        <Add name="zaps">Add a Zap</Add>
        <span class="number">{plural(all, "task")} a month</span>
      </p>
      {/* Here, where the hint keeps the room, a message moves nothing. */}
      <div class="below">
        <p class="hint" id="zaps:hint">
          {fields.zaps.hint} Enter adds a row; a table can be pasted.
        </p>
        <div>
          {["zaps", ...rows.flatMap(([row]) => namesIn(`zaps[${row}]`))].map((name) => (
            <div key={name} class="notes" id={`${name}:notes`}>
              {byName.get(name)?.map(({ severity, place, message }) => (
                <p key={message} class={severity}>
                  {place}: {message}
                </p>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** The names of a row, and of its cells. */
const namesIn = (row: string): readonly string[] => [
  row,
  ...Object.keys(zapFields).map((key) => `${row}.${key}`),
];

/** What a table or a file did not say. */
export function Questions({ tree }: CostState) {
  const doubt = stepsInDoubt(tree);
  const runs = textOf(tree.get(RUNS_FOR_ALL));
  const withoutRuns = filledZaps(tree).filter(([, zap]) => !zap.get("runs_per_month"));
  return (
    <>
      {doubt && (
        <p class="to-check">
          <span>Does “{doubt.heading}” count the trigger?</span>{" "}
          <Do command="subtract triggers">Yes, subtract 1 from each</Do>{" "}
          <Do command="keep steps">No</Do>
        </p>
      )}
      {withoutRuns.length > (runs === "" ? 1 : 0) && (
        <p class="to-check">
          <label for={RUNS_FOR_ALL}>Runs a month for all that have none</label>{" "}
          <input
            id={RUNS_FOR_ALL}
            name={RUNS_FOR_ALL}
            value={runs}
            inputmode="decimal"
            aria-invalid={runs !== "" && readRuns(runs).problem !== undefined}
          />
        </p>
      )}
    </>
  );
}
