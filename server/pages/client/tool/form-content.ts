import { parseForm, type SubmittedForm } from "../../form/form-data.ts";

/** The data of a form as it would be submitted. */
export const readForm = (form: HTMLFormElement): SubmittedForm =>
  parseForm(
    new URLSearchParams(
      [...new FormData(form)].filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      ),
    ),
  );

/** True when something was typed since the server sent the form. */
export const isEdited = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll<HTMLInputElement>("input, textarea")].some(
    ({ type, value, defaultValue, checked, defaultChecked }) =>
      /^(?:checkbox|radio)$/.test(type)
        ? checked !== defaultChecked
        : type !== "file" && value !== defaultValue,
  );
