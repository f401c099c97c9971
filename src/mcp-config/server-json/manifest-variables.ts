import { Findings } from "../../findings.ts";
import { type ReadFindings, readFindings } from "../read-findings.ts";
import { isReferenceName, placeholderVariable, serverVariable, upperSnake } from "../references.ts";
import type { ServerInput } from "../server.ts";
import type { ManifestField } from "./manifest.ts";

/** Values by the names of inputs, as the user gives them. */
export type GivenValues = Readonly<Record<string, string>>;

/** What the manifest calls an input: a value that the user gives. */
type ManifestInput = Omit<ManifestField, "variables">;

/**
 * The variables in the fields of one package or remote. One may be in several fields: all are
 * declared before any is resolved, and `isRequired` or `isSecret` in one of them is enough.
 *
 * Inputs have the manifest's names in upper snake case. The variables of the references carry
 * the server's name, unless the manifest names them.
 */
export class ManifestVariables {
  /** The inputs that the texts refer to, by their variables. */
  readonly unresolved = new Map<string, ServerInput>();
  /** The inputs that are optional and have no value. */
  readonly omitted = new Set<string>();
  private readonly declared = new Map<string, ManifestInput>();
  /** Variables by the inputs that the manifest names. */
  private readonly named = new Map<string, string>();
  private readonly server: string;
  private readonly given: GivenValues;
  private readonly findings: ReadFindings;

  constructor(server: string, given: GivenValues, findings: ReadFindings) {
    this.server = server;
    this.given = given;
    this.findings = findings;
  }

  /** @throws {InvalidInputError} for given values that the manifest does not ask for or allow. */
  checkGivenValues(): void {
    const known = [...this.declared.keys()];
    const names = new Set(known.flatMap((name) => this.namesOf(name)));
    const unknown = Object.keys(this.given).filter((name) => !names.has(upperSnake(name)));
    const findings: ReadFindings = new Findings(readFindings);
    if (unknown.length > 0) findings.fail("set-unknown", { unknown, known });
    for (const [name, input] of this.declared) {
      const value = this.valueOf(name);
      const wanted = value === undefined ? undefined : wantedInstead(value, input);
      if (wanted !== undefined) findings.add("set-value", { name, wanted });
    }
    findings.throwIfRejected();
  }

  declare(name: string, input: ManifestInput): void {
    const known = this.declared.get(name);
    this.declared.set(name, {
      ...input,
      ...known,
      default: known?.default || input.default,
      isRequired: known?.isRequired || input.isRequired,
      isSecret: known?.isSecret || input.isSecret,
    });
  }

  /** Declares the input of a placeholder, `{name}`. */
  declarePlaceholder(name: string, input: ManifestInput): void {
    this.nameVariable(upperSnake(name), placeholderVariable(this.server, name));
    this.declare(upperSnake(name), input);
  }

  /** Declares a field, by the name of its own value, and its variables. */
  declareField(ownName: string, field: ManifestField): void {
    for (const [name, variable] of Object.entries(field.variables ?? {})) {
      const isRequired = variable.isRequired || field.isRequired;
      this.declarePlaceholder(name, { ...variable, isRequired });
    }
    if (!field.value) this.declare(ownName, field);
  }

  /** Declares a variable of the server's environment. Its name stays, because clients pass it on by name. */
  declareVariable(field: ManifestField & { readonly name: string }): void {
    const name = environmentName(field.name);
    if (name === field.name) {
      const [, placeholder] = /^\{([A-Za-z_][\w.-]*)\}$/.exec(field.value ?? "") ?? [];
      this.nameVariable(placeholder === undefined ? name : upperSnake(placeholder), name);
    }
    this.declareField(name, field);
  }

  /** The variable that the references to an input name. */
  variableOf(name: string): string {
    return this.named.get(name) ?? serverVariable(this.server, name);
  }

  /** The name of the input that a variable is for. */
  inputOf(variable: string): string | undefined {
    return [...this.declared.keys()].find((name) => this.variableOf(name) === variable);
  }

  private nameVariable(input: string, variable: string): void {
    if (!this.named.has(input)) this.named.set(input, variable);
  }

  private valueOf(name: string): string | undefined {
    const names = this.namesOf(name);
    return Object.entries(this.given).findLast(([given]) => names.includes(upperSnake(given)))?.[1];
  }

  /** The names that a user may give a value by, in upper snake case: the manifest's and the variable's. */
  private namesOf(name: string): string[] {
    return [name, this.variableOf(name)].map(upperSnake);
  }

  /** The text of a field; undefined when it is optional and has no value. */
  textOf(ownName: string, field: ManifestField): string | undefined {
    return field.value ? this.fill(field.value, field.variables) : this.resolve(ownName);
  }

  /** Fills the placeholders of a text; undefined when one is optional and has no value. */
  fill(text: string, variables: ManifestField["variables"] = {}): string | undefined {
    let isComplete = true;
    const filled = text.replace(/(\$?)\{([A-Za-z_][\w.-]*)\}/g, (match, dollar: string, name) => {
      // Some manifests repeat a variable of the environment in an argument, as `${NAME}`.
      if (dollar === "" ? !Object.hasOwn(variables, name) : !this.declared.has(name)) {
        if (dollar === "") this.findings.add("manifest-unclear", { text: match });
        return match;
      }
      const value = this.resolve(dollar === "" ? upperSnake(name) : name);
      if (value === undefined) isComplete = false;
      return value ?? "";
    });
    return isComplete ? filled : undefined;
  }

  /** A reference, or the value if it is known and not a secret; undefined for an optional input without one. */
  private resolve(name: string): string | undefined {
    const {
      description,
      choices,
      isSecret: secret = false,
      isRequired,
      ...input
    } = this.declared.get(name) ?? {};
    const value = this.valueOf(name);
    const known = value ?? (input.default || undefined);
    if (!secret && known !== undefined) return known;
    if (!isRequired && value === undefined) {
      this.omitted.add(name);
      return undefined;
    }
    const variable = this.variableOf(name);
    this.unresolved.set(variable, {
      name: variable,
      ...(description && { description }),
      secret,
      ...(choices && { choices }),
      ...(value !== undefined && { value }),
    });
    return `\${${variable}}`;
  }
}

/** The values that the manifest allows, in words; undefined if this is one of them. */
function wantedInstead(value: string, { choices, format }: ManifestInput): string | undefined {
  if (choices) return choices.includes(value) ? undefined : `one of ${choices.join(", ")}`;
  if (format === "boolean") return /^(?:true|false)$/.test(value) ? undefined : "true or false";
  if (format === "number") return /^-?\d+(?:\.\d+)?$/.test(value) ? undefined : "a number";
  return undefined;
}

/** The name of an input that is a variable of the server's environment. */
export const environmentName = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && isReferenceName(name) ? name : upperSnake(name);
