import type { AutomationCostResult } from "../../../schemas/index.ts";
import { shareOf } from "../../../src/automation-cost/render.ts";
import { plural, thousands } from "../../../src/text.ts";
import { Add, Notes, Remove, Text } from "../form/fields.tsx";
import { rowsOf, textOf } from "../form/form.ts";
import type { State } from "../form/run-form.ts";
import { sentence } from "../parts.tsx";
import { fields, reasonToCheck, zapFields } from "./fields.ts";

/** The Zaps, each in a line with its tasks. What was not surely read is marked. */
export function ZapGrid({ tree, notes, result, nameOf }: State<AutomationCostResult>) {
  const rows = rowsOf(tree.get("zaps"));
  const tasks = new Map(
    result?.automations.map(({ monthly_tasks }, index) => [
      nameOf(`zaps[${index}]`),
      monthly_tasks,
    ]),
  );
  return (
    <div class="zaps" id="zaps">
      <p class="zap headings" aria-hidden="true">
        {Object.values(zapFields).map(({ label }) => (
          <span key={label}>{label}</span>
        ))}
        <span class="number">Tasks</span>
      </p>
      <ul>
        {rows.map(([row, zap], index) => {
          const name = `zaps[${row}]`;
          const cells = zap instanceof Map ? zap : new Map<string, string>();
          const own = notes.filter((note) => note.name.startsWith(name));
          const reason = reasonToCheck(zap);
          return (
            <li key={row} id={name} class={reason === "" ? "zap" : "zap unsure"}>
              {Object.entries(zapFields).map(([key, field]) => (
                <Text
                  key={key}
                  name={`${name}.${key}`}
                  field={field}
                  value={cells.get(key)}
                  notes={own}
                  label={`Zap ${index + 1}, ${field.label}`}
                  placeholder={index === 0 ? field.placeholder : ""}
                />
              ))}
              <TasksOf count={tasks.get(name)} all={rows.length > 1 ? result?.monthly_tasks : 0} />
              {(rows.length > 1 || zap !== "") && <Remove name={name} label={`Zap ${index + 1}`} />}
              {["unsure", "read"].map(
                (key) =>
                  cells.has(key) && (
                    <input
                      key={key}
                      type="hidden"
                      name={`${name}.${key}`}
                      value={textOf(cells.get(key))}
                    />
                  ),
              )}
              <div class="messages">
                {reason !== "" && (
                  <div class="notes">
                    <p class="warning">{sentence(reason)}</p>
                  </div>
                )}
                {[name, ...Object.keys(zapFields).map((key) => `${name}.${key}`)].map((at) => (
                  <Notes key={at} of={own} at={at} />
                ))}
              </div>
            </li>
          );
        })}
      </ul>
      <p class="zap together">
        <Add name="zaps" value={tree.get("zaps")}>
          Add a Zap
        </Add>
        {result && <span class="number">{plural(result.monthly_tasks, "task")} a month</span>}
      </p>
      <p class="hint">{fields.zaps.hint} Enter adds a row; a table can be pasted.</p>
      <Notes of={notes} at="zaps" />
    </div>
  );
}

interface TasksProps {
  readonly count: number | undefined;
  readonly all: number | undefined;
}

const TasksOf = ({ count, all = 0 }: TasksProps) => (
  <span class="number">
    {count !== undefined && (
      <>
        {thousands(count)}
        <span class="visually-hidden"> tasks</span> <small>{shareOf(count, all)}</small>
      </>
    )}
  </span>
);
