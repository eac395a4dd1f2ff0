//! Values of form fields, and handlers of forms and links.

/** Returns the value of the field that an event comes from, or an empty string. */
export function fieldValue({ target }: Event): string {
  const isField =
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
  return isField ? target.value : '';
}

export const isChecked = ({ target }: Event): boolean => target instanceof HTMLInputElement && target.checked;

export const keepsValue =
  (of: { value: string }) =>
  (event: Event): void => {
    of.value = fieldValue(event);
  };

/** Returns a handler that does something with the fields of a form in place of sending it. */
export const withFields =
  (run: (fields: FormData) => unknown) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    if (event.target instanceof HTMLFormElement) run(new FormData(event.target, event.submitter));
  };

/** Returns a handler that does something in place of what the browser does, such as sending a form. */
export const instead =
  (run: () => unknown) =>
  (event: Event): void => {
    event.preventDefault();
    run();
  };
