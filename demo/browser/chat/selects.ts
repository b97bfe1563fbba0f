/** Menus of the browser, which every keyboard and screen reader knows. */

import { type Control, type ControlParts, chosenOptions, naming } from './control.ts';
import { make } from './dom.ts';
import type { Option } from './state.ts';
import { channelName, channels, say } from './words.ts';

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

interface SelectParts {
  readonly chosen: string;
  readonly children: readonly HTMLElement[];
  onChange(): void;
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
