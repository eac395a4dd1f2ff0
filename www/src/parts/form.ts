//! Values of form fields.

/** Returns the value of the field that an event comes from, or an empty string. */
export function fieldValue({ target }: Event): string {
  const isField =
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
  return isField ? target.value : '';
}

/** Returns whether the check box that an event comes from is checked. */
export const isChecked = ({ target }: Event): boolean => target instanceof HTMLInputElement && target.checked;
