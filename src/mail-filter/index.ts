export { mailFilter } from "./mail-filter.ts";
