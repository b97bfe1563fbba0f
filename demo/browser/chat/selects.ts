/** A menu whose options are asked for while somebody types: a combo box, and what is chosen beside
 *  it. */

import { make, makeId } from './dom.ts';
import { createListbox } from './listbox.ts';
import type { Option } from './state.ts';
import { type Control, type ControlParts, chosenOptions, naming } from './surface.ts';
import { channelName, channels, say } from './words.ts';

interface SelectParts {
  readonly chosen: string;
  readonly children: readonly HTMLElement[];
  onChange(): void;
}

interface Chosen {
  readonly text: string;
  readonly value: string;
}

const ASK_AFTER_MS = 200;
const MIN_QUERY_LENGTH = 3;

export function createExternalSelect(parts: ControlParts): Control {
  const { element, value, onChange } = parts;
  const isMany = element.type.startsWith('multi_');
  const most = (isMany && element.max_selected_items) || Infinity;
  const atFirst = chosenOptions(value).map(({ text, value: id }) => ({ text: text.text, value: id }));
  let chosen: readonly Chosen[] = atFirst;

  const field = make('input', {
    ...naming(parts),
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    placeholder: element.placeholder?.text ?? null,
  });
  const list = make('ul', { role: 'listbox', id: makeId(), hidden: true, 'aria-label': say('options') });
  field.setAttribute('aria-controls', list.id);
  const pills = make('ul', { class: 'pills', 'aria-label': say('chosen') });
  const status = make('span', { class: 'visually-hidden', role: 'status' });
  const listbox = createListbox<Chosen>(field, list, { draw: ({ text }) => [text], choose: add });

  function show(next: readonly Chosen[]): void {
    chosen = next;
    field.value = isMany ? '' : (chosen[0]?.text ?? '');
    pills.hidden = !isMany || chosen.length === 0;
    pills.replaceChildren(...(isMany ? chosen.map(createPill) : []));
    field.disabled = chosen.length >= most;
  }

  function createPill(option: Chosen): HTMLElement {
    const remove = make('button', { type: 'button', 'aria-label': say('remove', { name: option.text }) }, '×');
    remove.addEventListener('click', () => {
      show(chosen.filter((each) => each !== option));
      field.focus();
      onChange();
    });
    return make('li', {}, option.text, remove);
  }

  function add(option: Chosen): void {
    const others = isMany ? chosen.filter((each) => each.value !== option.value) : [];
    show([...others, option]);
    onChange();
  }

  let timer = 0;
  let asked = 0;
  async function ask(): Promise<void> {
    // A value already chosen is not searched for.
    const typed = field.value === chosen[0]?.text ? '' : field.value.trim();
    asked += 1;
    const turn = asked;
    if (typed.length < (element.min_query_length ?? MIN_QUERY_LENGTH)) return listbox.show([]);
    const options = await parts.suggest(typed);
    if (turn !== asked || document.activeElement !== field) return;
    listbox.show(options);
    status.textContent = options.length === 0 ? say('noOptions') : say('optionCount', { count: options.length });
  }
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), ASK_AFTER_MS);
  });
  field.addEventListener('focus', () => {
    field.select();
    void ask();
  });
  field.addEventListener('blur', () => {
    const isTakenAway = parts.canBeEmpty && !isMany && field.value === '' && chosen.length > 0;
    show(isTakenAway ? [] : chosen);
    if (isTakenAway) onChange();
  });
  field.addEventListener('change', (event) => event.stopPropagation());
  show(atFirst);

  const node = make('div', { class: 'external' }, pills, make('div', { class: 'combo' }, field, list), status);
  return { node, field, read: () => chosen.map(({ value: id }) => id), undo: () => show(atFirst) };
}

/** Menus of the browser, which every keyboard and screen reader knows. */

export function createSelect(parts: ControlParts): Control {
  const { element, value, onChange } = parts;
  const { options = [], option_groups: groups = [] } = element;
  const [chosen] = chosenOptions(value);
  return wrapSelect(parts, {
    chosen: chosen?.value ?? '',
    onChange,
    children: [
      ...options.map(toOption),
      ...groups.map((group) => make('optgroup', { label: group.label.text }, ...group.options.map(toOption))),
    ],
  });
}

const toOption = ({ text, value }: Option) => make('option', { value }, text.text);

/** Conversations of the workspace. */
export function createConversationSelect(parts: ControlParts): Control {
  const { element, value, channelId, userId, onChange } = parts;
  const atFirst = element.default_to_current_conversation === true ? channelId : '';
  return wrapSelect(parts, {
    chosen: value?.selected_conversation ?? atFirst,
    onChange,
    children: channels.map((channel) => make('option', { value: channel.id }, channelName(channel, userId))),
  });
}

function wrapSelect(parts: ControlParts, { chosen, children, onChange }: SelectParts): Control {
  const placeholder = make(
    'option',
    { value: '', disabled: !parts.canBeEmpty },
    parts.element.placeholder?.text ?? say('choose'),
  );
  const select = make('select', naming(parts), placeholder, ...children);
  const undo = () => {
    select.value = chosen;
  };
  undo();
  select.addEventListener('change', onChange);
  const read = () => (select.value === '' ? [] : [select.value]);
  return { node: select, field: select, read, undo };
}
