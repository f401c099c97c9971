import type { WarningCode } from "../../schemas/tools.ts";
import type { Diagnostics } from "../issues.ts";

/** Collects the issues and warnings of a mail filter input; the compiler knows the codes. */
export type FilterDiagnostics = Diagnostics<WarningCode<"mail_filter_generator">>;
