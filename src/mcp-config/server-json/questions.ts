import { InvalidInputError, issueAt } from "../../issues.ts";
import { isReferenceName } from "../references.ts";
import type { ServerDiagnostics } from "../server.ts";
import type { ServerInput } from "./inputs.ts";
import type { ManifestField } from "./manifest.ts";

/** Values by the names of inputs, as the user gives them. */
export type GivenValues = Readonly<Record<string, string>>;

type Input = Omit<ManifestField, "variables">;

/**
 * Turns the fields of one package or remote into texts. An input of one name may be in several
 * fields: it is declared for all of them first, and the stricter declaration counts.
 */
export class Questions {
  /** The inputs that the texts refer to. */
  readonly asked = new Map<string, ServerInput>();
  /** The inputs that are optional and have no value. */
  readonly omitted = new Set<string>();
  private readonly declared = new Map<string, Input>();
  private readonly given: ReadonlyMap<string, string>;
  private readonly diagnostics: ServerDiagnostics;

  constructor(given: GivenValues, diagnostics: ServerDiagnostics) {
    this.given = new Map(Object.entries(given).map(([name, value]) => [variableName(name), value]));
    this.diagnostics = diagnostics;
  }

  /** The names that the user may give values for. */
  get names(): readonly string[] {
    return [...this.declared.keys()];
  }

  /** @throws {InvalidInputError} for given values that the manifest does not allow. */
  rejectWrongValues(): void {
    const issues = [...this.declared].flatMap(([name, input]) => {
      const value = this.given.get(variableName(name));
      const wanted = value === undefined ? undefined : wantedInstead(value, input);
      return wanted === undefined ? [] : [issueAt([], `${name} must be ${wanted}`)];
    });
    if (issues.length > 0) throw new InvalidInputError(issues);
  }

  declare(name: string, input: Input): void {
    const known = this.declared.get(name);
    if (known?.default && input.default && known.default !== input.default) {
      const message = `has several defaults for ${name}; ${known.default} is used`;
      this.diagnostics.warn("manifest-value", message);
    }
    this.declared.set(name, {
      ...input,
      ...known,
      default: known?.default || input.default,
      isRequired: known?.isRequired || input.isRequired,
      isSecret: known?.isSecret || input.isSecret,
    });
  }

  /** Declares a field, by the name of its own value, and its variables. */
  declareField(ownName: string, field: ManifestField, isRequired = field.isRequired): void {
    for (const [name, variable] of Object.entries(field.variables ?? {})) {
      this.declare(variableName(name), {
        ...variable,
        isRequired: variable.isRequired || isRequired,
      });
    }
    if (!field.value) this.declare(ownName, field);
  }

  /** The text of a field; undefined when it is optional and has no value. */
  textOf(ownName: string, field: ManifestField): string | undefined {
    return field.value ? this.fill(field.value, field.variables) : this.ask(ownName);
  }

  /** Puts the values of variables into a text; undefined when one is optional and has none. */
  fill(text: string, variables: ManifestField["variables"] = {}): string | undefined {
    let isComplete = true;
    const filled = text.replace(/(?<!\$)\{([A-Za-z_][\w.-]*)\}/g, (place, name: string) => {
      if (!Object.hasOwn(variables, name)) {
        this.diagnostics.warn("manifest-value", `has ${place} in a value and does not define it`);
        return place;
      }
      const value = this.ask(variableName(name));
      if (value === undefined) isComplete = false;
      return value ?? "";
    });
    return isComplete ? filled : undefined;
  }

  /** A reference, or the value where it is known and no secret. */
  private ask(name: string): string | undefined {
    const {
      description,
      choices,
      isSecret: secret = false,
      isRequired,
      ...input
    } = this.declared.get(name) ?? {};
    const value = this.given.get(variableName(name));
    const known = value ?? (input.default || undefined);
    if (!secret && known !== undefined) return known;
    if (!isRequired && value === undefined) {
      this.omitted.add(name);
      return undefined;
    }
    this.asked.set(name, {
      name,
      ...(description && { description }),
      secret,
      ...(choices && { choices }),
      ...(value !== undefined && { value }),
    });
    return `\${${name}}`;
  }
}

/** The values that the manifest allows, in words; undefined if this is one of them. */
function wantedInstead(value: string, { choices, format }: Input): string | undefined {
  if (choices) return choices.includes(value) ? undefined : `one of ${choices.join(", ")}`;
  if (format === "boolean") return /^(?:true|false)$/.test(value) ? undefined : "true or false";
  if (format === "number") return /^-?\d+(?:\.\d+)?$/.test(value) ? undefined : "a number";
  return undefined;
}

/** `API_KEY` for `api-key`; a name that the shell or the client already uses gets a prefix. */
export function variableName(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z\d]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();
  return /^[A-Z_]/.test(words) && !TAKEN.test(words) ? words : `MCP_${words}`;
}

const TAKEN =
  /^(?:PATH|HOME|USER|USERNAME|SHELL|PWD|LANG|TERM|TMP|TEMP|TMPDIR|HOST|HOSTNAME|LOGNAME|EDITOR)$/;

/** An environment variable keeps its name, by which clients pass it on. */
export const environmentName = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && isReferenceName(name) ? name : variableName(name);
