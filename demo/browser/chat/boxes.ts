/** Radio buttons, check boxes, and menus of several choices, which are check boxes here. */

import { getPresent, make, makeId } from './dom.ts';
import { drawText } from './mrkdwn.ts';
import type { Option } from './state.ts';
import { type Control, type ControlParts, chosenOptions, naming } from './surface.ts';

export const createRadios = (parts: ControlParts): Control => createBoxes(parts, 'radio');
export const createCheckboxes = (parts: ControlParts): Control => createBoxes(parts, 'checkbox');

function createBoxes(parts: ControlParts, type: 'radio' | 'checkbox'): Control {
  const { element, value, onChange } = parts;
  const name = makeId();
  const options = [...(element.options ?? []), ...(element.option_groups ?? []).flatMap((group) => group.options)];
  const boxes = options.map((option) => make('input', { type, name, value: option.value }));
  const chosen = chosenOptions(value).map((option) => option.value);
  const isLong = element.type.startsWith('multi_');
  const node = make(
    'div',
    {
      ...naming(parts),
      role: type === 'radio' ? 'radiogroup' : 'group',
      class: isLong ? 'boxes long' : 'boxes',
    },
    ...boxes.map((box, index) =>
      make('label', { class: 'box' }, box, drawOption(getPresent(options[index], 'an option'))),
    ),
  );
  const undo = () => {
    for (const box of boxes) box.checked = chosen.includes(box.value);
  };
  const limit = () => {
    const isFull = boxes.filter(({ checked }) => checked).length >= (element.max_selected_items ?? Infinity);
    for (const box of boxes) box.disabled = isFull && !box.checked && type === 'checkbox';
  };
  undo();
  limit();
  node.addEventListener('change', () => {
    limit();
    onChange();
  });
  const read = () => boxes.filter(({ checked }) => checked).map((box) => box.value);
  return { node, field: getPresent(boxes[0], 'an option'), read, undo };
}

const drawOption = ({ text, description }: Option) =>
  make(
    'span',
    {},
    ...drawText(text),
    description ? make('span', { class: 'quiet' }, ' ', ...drawText(description)) : null,
  );

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
