/** A picker beside the field that a colour is typed into: what is changed in one shows in the other. */
export function joinPicker(picker: HTMLInputElement): void {
  const field = document.querySelector<HTMLInputElement>(`#${picker.dataset.pickerFor}`);
  if (field === null) return;
  picker.hidden = false;
  picker.addEventListener('input', () => {
    field.value = picker.value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  field.addEventListener('input', () => {
    if (/^#[0-9a-f]{6}$/i.test(field.value.trim())) picker.value = field.value.trim().toLowerCase();
  });
}
