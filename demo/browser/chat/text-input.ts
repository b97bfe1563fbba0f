import { type Control, type ControlParts, naming } from './control.ts';
import { make } from './dom.ts';

/** A line or several of text; Enter in a line tells the app where it wants to know. */
export function createTextInput(parts: ControlParts): Control {
  const { element, value, onChange } = parts;
  const attributes = {
    ...naming(parts),
    placeholder: element.placeholder?.text ?? null,
    maxlength: element.max_length === undefined ? null : String(element.max_length),
    minlength: element.min_length === undefined ? null : String(element.min_length),
  };
  const field = element.multiline
    ? make('textarea', { ...attributes, rows: '4' })
    : make('input', { ...attributes, type: 'text', autocomplete: 'off' });
  const undo = () => {
    field.value = value?.value ?? '';
  };
  undo();
  field.addEventListener('change', onChange);
  return { node: field, field, read: () => (field.value === '' ? [] : [field.value]), undo };
}
