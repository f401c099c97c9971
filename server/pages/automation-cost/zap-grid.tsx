/** @jsxImportSource preact */
import type { AutomationCostResult } from "../../../schemas/index.ts";
import { money, shareOf } from "../../../src/automation-cost/render.ts";
import { plural, thousands } from "../../../src/text.ts";
import { Add, Do, Remove, Text } from "../form/fields.tsx";
import { rowsOf, textOf, wholeNumber } from "../form/form.ts";
import type { State } from "../form/run-form.ts";
import { sentence } from "../parts.tsx";
import {
  fields,
  filledZaps,
  RUNS_FOR_ALL,
  readInput,
  reasonToCheck,
  stepsInDoubt,
  TO_CHECK,
  waitingZaps,
  withoutTriggers,
  zapFields,
} from "./fields.ts";

type CostState = State<AutomationCostResult>;

/** The Zaps, each in a line with its tasks. What was not surely read is marked. */
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
          const reason = reasonToCheck(zap);
          const count = tasks.get(name);
          return (
            <li key={row} id={name} class={reason === "" ? "zap" : "zap unsure"}>
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
              {cells.has(TO_CHECK) && (
                <input
                  type="hidden"
                  name={`${name}.${TO_CHECK}`}
                  value={textOf(cells.get(TO_CHECK))}
                />
              )}
              {reason !== "" && (
                <div class="notes">
                  <p class="warning">{sentence(reason)}</p>
                </div>
              )}
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

/** What the user decides or fills in after a table or file was read. */
export function ToCheck({ tree, host, result }: CostState) {
  const zaps = filledZaps(tree);
  const marked = zaps.filter(([, zap]) => reasonToCheck(zap) !== "").length;
  const waiting = waitingZaps(tree).length;
  const doubt = result && stepsInDoubt(tree);
  const now = priceOf(result);
  const other = doubt ? priceOf(host.run(readInput(withoutTriggers(tree)).input)) : now;
  const withoutRuns = zaps.filter(([, zap]) => !zap.get("runs_per_month"));
  const runs = textOf(tree.get(RUNS_FOR_ALL));
  return (
    <>
      {doubt && now !== other && (
        <p class="to-check">
          <span>Does “{doubt.heading}” count the trigger?</span>{" "}
          <Do command="subtract triggers">Yes, subtract 1: {other}</Do>{" "}
          <Do command="keep steps">No: {now}</Do>
        </p>
      )}
      {marked > 0 && (
        <p class="to-check">
          {plural(marked, "Zap")} to check: correct or remove what is wrong.{" "}
          {waiting > 0 && `The price is without ${plural(waiting, "Zap")} so far. `}
          {waiting < marked && (
            <Do command="checked">{waiting > 0 ? "The others are correct" : "All correct"}</Do>
          )}
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
            aria-invalid={runs !== "" && wholeNumber(runs) === undefined}
          />
        </p>
      )}
    </>
  );
}

const priceOf = (result: AutomationCostResult | undefined): string =>
  result?.cheapest ? `${money(result.cheapest.monthly_price)} a month` : "more than a listed plan";
