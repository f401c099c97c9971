import { Findings } from "../../findings.ts";
import { type McpFindings, mcpFindings, reject } from "../config-findings.ts";
import type { ServerVariable } from "../mcp-server.ts";
import {
  isReferenceName,
  upperSnake,
  variableForPlaceholder,
  variableForServer,
} from "../variable-references.ts";
import { toVisibleJsonString } from "../write-json-toml.ts";
import type { ManifestField } from "./manifest.ts";

type Input = Omit<ManifestField, "variables">;

/**
 * Fills the fields of a package or remote in order, and collects variables for the user.
 *
 * Variables have the manifest's names in upper snake case. Variables in references also carry the
 * server's name, unless the manifest names them.
 */
export class VariableResolver {
  /** Variables that the user must provide, by name. */
  readonly asked = new Map<string, ServerVariable>();
  /** Optional variables without a value. */
  readonly omitted = new Set<string>();
  /** The replacement for each variable in the manifest. */
  private readonly known = new Map<string, { variable: string; text: string | undefined }>();
  private readonly server: string;
  private readonly given: readonly (readonly [name: string, value: string])[];
  private readonly findings: McpFindings;

  /** @param given values by the manifest's names or by our variables, as the user writes them. */
  constructor(server: string, given: Readonly<Record<string, string>>, findings: McpFindings) {
    this.server = server;
    this.given = Object.entries(given).map(([name, value]) => [upperSnake(name), value]);
    this.findings = findings;
  }

  /** The value of a field, or undefined if it is optional and has no value. */
  textOf(name: string, field: ManifestField): string | undefined {
    if (field.value) return this.fill(field.value, field);
    return this.resolve(upperSnake(name), variableForServer(this.server, name), field);
  }

  /** The value of an environment variable. Clients pass on its name. */
  environmentText(field: ManifestField & { readonly name: string }): string | undefined {
    const { name, value = "", variables = {} } = field;
    const own = isReferenceName(name) ? name : upperSnake(name);
    const [, whole] = /^\{([\w.-]+)\}$/.exec(value) ?? [];
    if (whole !== undefined && Object.hasOwn(variables, whole)) {
      const isRequired = variables[whole]?.isRequired || field.isRequired;
      return this.resolve(upperSnake(whole), own, { ...variables[whole], isRequired });
    }
    return value === "" ? this.resolve(own, own, field) : this.fill(value, field);
  }

  /** Fills the placeholders in a string. Undefined if an optional one has no value. */
  fill(text: string, { variables = {}, isRequired: isFieldRequired }: ManifestField) {
    let isComplete = true;
    const filled = text.replace(/(\$?)\{([A-Za-z_][\w.-]*)\}/g, (match, dollar: string, name) => {
      const key = dollar === "" ? upperSnake(name) : name;
      let value = this.known.get(key)?.text;
      if (dollar === "" && Object.hasOwn(variables, name)) {
        const isRequired = variables[name]?.isRequired || isFieldRequired;
        const input = { ...variables[name], isRequired };
        value = this.resolve(key, variableForPlaceholder(this.server, name), input);
      } else if (dollar === "" || !this.known.has(key)) {
        // Some manifests repeat an environment variable in an argument, as `${NAME}`.
        if (dollar === "") this.findings.add("manifest-unclear", { text: match });
        return match;
      }
      isComplete &&= value !== undefined;
      return value ?? "";
    });
    return isComplete ? filled : undefined;
  }

  /** Returns the value if it is known and not secret, else a reference if one is required. */
  private resolve(name: string, ownVariable: string, input: Input): string | undefined {
    const { description, choices, isSecret: secret = false, isRequired } = input;
    const known = this.known.get(name);
    const variable = known?.variable ?? ownVariable;
    const names = [name, variable].map(upperSnake);
    const value = this.given.findLast(([given]) => names.includes(given))?.[1];
    const wanted = value === undefined ? undefined : describeAllowedValues(value, input);
    if (wanted !== undefined) reject("set-value", { name, wanted });
    const literal = secret ? undefined : (value ?? (input.value || input.default || undefined));
    if (known?.text !== undefined) {
      if (this.asked.has(variable) || [undefined, known.text].includes(literal)) return known.text;
      const defaults = [known.text, literal]
        .map((text) => toVisibleJsonString(text ?? ""))
        .join(" and ");
      this.findings.add("manifest-unclear/defaults", { name, defaults });
      return literal;
    }
    const isAsked = literal === undefined && (isRequired || value !== undefined);
    const text = isAsked ? `\${${variable}}` : literal;
    this.known.set(name, { variable, text });
    if (isAsked) {
      this.asked.set(variable, {
        name: variable,
        ...(description && { description }),
        secret,
        ...(choices && { choices }),
        ...(value !== undefined && { value }),
      });
    }
    if (text === undefined) this.omitted.add(name);
    else this.omitted.delete(name);
    return text;
  }

  /** @throws {InvalidInputError} for values that the manifest does not ask for. */
  rejectUnknownValues(): void {
    const names = new Set(
      Array.from(this.known, ([name, { variable }]) => [name, variable].map(upperSnake)).flat(),
    );
    const unknown = this.given.flatMap(([name]) => (names.has(name) ? [] : [name]));
    const findings: McpFindings = new Findings(mcpFindings);
    if (unknown.length > 0)
      findings.fail("set-unknown", { unknown, known: [...this.known.keys()] });
  }
}

/** Describes the allowed values, or returns undefined if this is one of them. */
function describeAllowedValues(value: string, { choices, format }: Input): string | undefined {
  if (choices) return choices.includes(value) ? undefined : `one of ${choices.join(", ")}`;
  if (format === "boolean") return /^(?:true|false)$/.test(value) ? undefined : "true or false";
  if (format === "number") return /^-?\d+(?:\.\d+)?$/.test(value) ? undefined : "a number";
  return undefined;
}
