/** @jsxImportSource preact */
import type { AutomationCostResult } from "../../../schemas/index.ts";
import { readRuns } from "../../../src/automation-cost/cells.ts";
import type { RawResult } from "../../../src/findings.ts";
import { formatNumber } from "../../../src/text.ts";
import { capitalise, Note } from "../components.tsx";
import {
  AddButton,
  FieldMessages,
  IntentButton,
  RemoveButton,
  TextInput,
} from "../form/field-components.tsx";
import type { FormState } from "../form/form-state.ts";
import { asText, type FormValues, getItemName, listRows } from "../form/form-values.ts";
import {
  costFormFields,
  DEFAULT_RUNS,
  findStepsThatMayCountTrigger,
  linkedFields,
  listNonBlankZaps,
  TOTAL_TASKS,
  zapFields,
} from "./zap-form.ts";

export type CostState = FormState<RawResult<AutomationCostResult>>;

const totalField = linkedFields[TOTAL_TASKS];
const ZAP_COLUMNS = Object.entries(zapFields);

/** A row for each Zap with its tasks. On a phone each row is a grid, which would lose a table's roles. */
export function ZapGrid({ form, messages, result, nameOf }: CostState) {
  const rows = listRows(form.get("zaps"));
  const tasks = new Map(
    result?.automations.map((zap, index) => [nameOf(["zaps", index]), zap.monthly_tasks]),
  );
  const byZap = Map.groupBy(messages, ({ name }) => getItemName(name));
  const runs = asText(form.get(DEFAULT_RUNS));
  const hasRate = rows.some(([, zap]) => zap instanceof Map && runsOf(zap, runs).unit);
  const hasTotal = listNonBlankZaps(form).length === 0;
  const total = asText(form.get(TOTAL_TASKS));
  return (
    <>
      <table class="sheet" id="zaps">
        <thead>
          <tr>
            {ZAP_COLUMNS.map(([key, { label }]) => (
              <th key={key} class={key} scope="col">
                {key === "name" ? costFormFields.zaps.label : label}
              </th>
            ))}
            <th class="tasks" scope="col">
              Tasks
            </th>
            <td class="last" />
          </tr>
        </thead>
        <tbody>
          {rows.flatMap(([row, zap], index) => {
            const name = `zaps[${row}]`;
            const cells = zap instanceof Map ? zap : new Map();
            const count = tasks.get(name);
            const rowRuns = runsOf(cells, runs);
            const own = byZap.get(name) ?? [];
            return [
              <tr key={row} id={name} class={own.length > 0 ? "odd" : ""}>
                {ZAP_COLUMNS.map(([key, field]) => (
                  <td key={key} class={key}>
                    <TextInput
                      name={`${name}.${key}`}
                      field={field}
                      hint="zaps"
                      value={cells.get(key)}
                      messages={own}
                      label={`Zap ${index + 1}, ${field.label}`}
                      placeholder={
                        (key === "runs_per_month" && runs) ||
                        (index === 0 ? `e.g. ${field.placeholder}` : "")
                      }
                    />
                    {key === "runs_per_month" && rowRuns.unit && (
                      <small>= {formatNumber(rowRuns.value)}</small>
                    )}
                  </td>
                ))}
                <td class="tasks">{own.length > 0 ? "–" : count && formatNumber(count)}</td>
                <td class="last">
                  {(rows.length > 1 || !hasTotal) && (
                    <RemoveButton name={name} label={`Zap ${index + 1}`} />
                  )}
                </td>
              </tr>,
              own.length > 0 && (
                <tr key={`${row} notes`} class="odd">
                  <td colSpan={5}>
                    <Note kind="warn">
                      <p>
                        <strong>Not counted:</strong>
                        {own.map(({ name, message }) => (
                          <span key={name} id={`${name}:notes`}>
                            {" "}
                            {capitalise(message)}
                          </span>
                        ))}
                      </p>
                    </Note>
                  </td>
                </tr>
              ),
            ];
          })}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={hasTotal ? 2 : 3}>
              {totalField.label}
              {total !== "" && !hasTotal && (
                <>
                  <input type="hidden" name={TOTAL_TASKS} value={total} />{" "}
                  <small>This sum replaces the {total} that you typed.</small>
                </>
              )}
            </td>
            <td class={hasTotal ? "total" : "tasks"} colSpan={hasTotal ? 2 : 1}>
              {hasTotal ? (
                <TextInput
                  name={TOTAL_TASKS}
                  field={totalField}
                  value={form.get(TOTAL_TASKS)}
                  messages={messages}
                  label={totalField.label}
                  placeholder={`e.g. ${totalField.placeholder}`}
                />
              ) : (
                result && formatNumber(result.monthly_tasks)
              )}
            </td>
            <td class="last" />
          </tr>
        </tfoot>
      </table>
      <FieldMessages messages={messages} name={TOTAL_TASKS} />
      <small id="zaps:hint">
        {costFormFields.zaps.hint}
        {hasTotal && " If you know only your tasks, type them into the last row."}
        {hasRate && " A rate counts the longest month: 31 days, 23 weekdays, 5 weeks."}
      </small>
      <p>
        <AddButton name="zaps">Add a Zap</AddButton>
      </p>
      <FieldMessages messages={messages} name="zaps" />
    </>
  );
}

const runsOf = (cells: FormValues, runsForAll: string) =>
  readRuns(asText(cells.get("runs_per_month")) || runsForAll);

/** Questions about a table or a file that lacks information. */
export function Questions({ form }: CostState) {
  const doubt = findStepsThatMayCountTrigger(form);
  const runs = asText(form.get(DEFAULT_RUNS));
  const withoutRuns = listNonBlankZaps(form).filter(([, zap]) => !zap.get("runs_per_month"));
  return (
    <>
      {doubt && (
        <Note kind="info">
          <p class="to-check">Does “{doubt.heading}” count the trigger?</p>
          <span class="line">
            <IntentButton intent="keep steps" class="small">
              No
            </IntentButton>
            <IntentButton intent="subtract triggers" class="small">
              Yes, subtract 1 from each
            </IntentButton>
          </span>
        </Note>
      )}
      {withoutRuns.length > (runs === "" ? 1 : 0) && (
        <Note kind="info">
          <p class="to-check">
            <label for={DEFAULT_RUNS}>Runs a month for all that have none</label>
          </p>
          <input
            id={DEFAULT_RUNS}
            name={DEFAULT_RUNS}
            value={runs}
            inputmode="decimal"
            aria-invalid={runs !== "" && readRuns(runs).problem !== undefined}
          />
        </Note>
      )}
    </>
  );
}
