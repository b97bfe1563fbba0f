/** An input block: a label, what is filled in, a hint, and what is wrong with it. */

import { getPresent, make, makeId } from './dom.ts';
import { createControl } from './elements.ts';
import type { Block } from './state.ts';
import { type Field, type Surface, toChoice } from './surface.ts';
import { say } from './words.ts';

export function drawField(block: Block, surface: Surface): HTMLElement {
  const element = getPresent(block.element, 'the element of a field');
  const error = make('p', { class: 'problem', id: makeId(), hidden: true });
  const hint = block.hint ? make('p', { class: 'quiet', id: makeId() }, block.hint.text) : null;
  const isAsked = block.dispatch_action === true;
  const control = createControl(
    { block, element, surface },
    {
      label: null,
      canBeEmpty: block.optional === true,
      describedBy: [hint?.id, error.id].filter((id) => id !== undefined).join(' '),
      onChange() {
        showError(null);
        // What an external menu offered is known to the host only while it is offered.
        if (isAsked) surface.choose(toChoice(field), false);
        else if (element.type.endsWith('external_select')) surface.keep(toChoice(field));
      },
    },
  );

  function showError(text: string | null): void {
    error.textContent = text;
    error.hidden = text === null;
    if (text === null) control.field.removeAttribute('aria-invalid');
    else control.field.setAttribute('aria-invalid', 'true');
  }

  const field: Field = { block, element, control, showError };
  surface.fields.push(field);
  control.field.dataset.action = element.action_id;
  if (element.focus_on_load === true) control.field.dataset.focus = '';
  showError(surface.errors[block.block_id] ?? null);
  const optional = block.optional === true ? make('span', { class: 'quiet' }, ` ${say('optional')}`) : null;
  return make(
    'div',
    { class: 'block-input' },
    nameControl(control.node, control.field, [block.label?.text ?? '', optional]),
    control.node,
    hint,
    error,
  );
}

/** A label for one field; a name for a group of them. */
function nameControl(
  node: HTMLElement,
  field: HTMLElement,
  text: readonly (string | HTMLElement | null)[],
): HTMLElement {
  if (node.matches('[role="group"], [role="radiogroup"]')) {
    const name = make('div', { class: 'label', id: makeId() }, ...text);
    node.setAttribute('aria-labelledby', name.id);
    return name;
  }
  field.id = makeId();
  return make('label', { class: 'label', for: field.id }, ...text);
}

/** Shows what is missing; true when nothing is. */
export function checkFields(fields: readonly Field[]): boolean {
  const lacking = fields.filter(({ block, control }) => block.optional !== true && control.read().length === 0);
  for (const field of lacking) field.showError(say('required'));
  lacking[0]?.control.field.focus();
  return lacking.length === 0;
}
