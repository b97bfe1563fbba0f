import { refuseAct } from './refusal.ts';
import {
  listElements,
  type StateValue,
  type StoredElement,
  type StoredOption,
  type Surface,
  stateKey,
} from './surface.ts';

/** `state.values` of a message or view for one person, as Slack sends it with whatever they do
 *  there. */
export function readState(surface: Surface, userId: string): Record<string, Record<string, StateValue>> {
  const values: Record<string, Record<string, StateValue>> = {};
  for (const { block, element } of listElements(surface.blocks)) {
    const value = surface.chosen.get(stateKey(userId, block.block_id, element.action_id)) ?? initialValue(element);
    if (value === null) continue;
    const ofBlock = values[block.block_id] ?? {};
    ofBlock[element.action_id] = value;
    values[block.block_id] = ofBlock;
  }
  return values;
}

/** Null for what keeps nothing: buttons and overflow menus. */
function initialValue(element: StoredElement): StateValue | null {
  const { type } = element;
  switch (kindOf(element)) {
    case 'text':
      return { type, value: element.initial_value ?? null };
    case 'one':
      return { type, selected_option: element.initial_option ?? null };
    case 'several':
      return { type, selected_options: element.initial_options ?? [] };
    case 'conversation':
      return { type, selected_conversation: element.initial_conversation ?? null };
    default:
      return null;
  }
}

/** What the element holds once somebody chose these values; an empty text or list is nothing.
 *  Throws where they are not offered. */
export function findChosenValue(
  element: StoredElement,
  values: readonly string[],
  offered: readonly StoredOption[] = [],
): StateValue {
  const { type } = element;
  const [first = ''] = values;
  const options = () => values.filter((value) => value !== '').map((value) => findOption(element, value, offered));
  switch (kindOf(element)) {
    case 'text':
      return { type, value: checkLength(element, first) };
    case 'one':
      return { type, selected_option: options()[0] ?? null };
    case 'several':
      return { type, selected_options: checkCount(element, options()) };
    case 'conversation':
      return { type, selected_conversation: first || null };
    default:
      return refuseAct(`nothing can be chosen in ${element.action_id}: it is a ${type}`);
  }
}

/** An option of a menu by its value. */
export function findOption(element: StoredElement, value: string, offered: readonly StoredOption[] = []): StoredOption {
  const options = [...offered, ...optionsOf(element)];
  return (
    options.find((option) => option.value === value) ??
    refuseAct(
      `${element.action_id} offers no "${value}", but ${options.map((option) => option.value).join(', ') || 'nothing'}`,
    )
  );
}

/** Also those that are chosen at first, which an external menu shows without offering them. */
function optionsOf(element: StoredElement): StoredOption[] {
  const groups = (element.option_groups ?? []) as { options: StoredOption[] }[];
  return [
    ...((element.options ?? []) as StoredOption[]),
    ...groups.flatMap((group) => group.options),
    ...((element.initial_options ?? []) as StoredOption[]),
    ...(element.initial_option === undefined ? [] : [element.initial_option as StoredOption]),
  ];
}

/** Whether an input that must be answered is. */
export const isAnswered = (value: StateValue | undefined): boolean =>
  Object.entries(value ?? {}).some(
    ([name, given]) => name !== 'type' && given !== null && given !== '' && (given as unknown[]).length !== 0,
  );

function checkLength(element: StoredElement, text: string): string | null {
  const { min_length: least = 0, max_length: most = 3000 } = element as {
    min_length?: number;
    max_length?: number;
  };
  if (text === '') return null;
  if (text.length < least || text.length > most) {
    refuseAct(`${element.action_id} takes ${least} to ${most} characters, not ${text.length}`);
  }
  return text;
}

function checkCount(element: StoredElement, options: StoredOption[]): StoredOption[] {
  const most = (element.max_selected_items as number | undefined) ?? Number.POSITIVE_INFINITY;
  return options.length > most ? refuseAct(`${element.action_id} takes ${most} choices`) : options;
}

function kindOf({ type }: StoredElement): 'text' | 'one' | 'several' | 'conversation' | 'none' {
  if (type === 'plain_text_input') return 'text';
  if (type === 'conversations_select') return 'conversation';
  if (type.startsWith('multi_') || type === 'checkboxes') return 'several';
  return type.endsWith('_select') || type === 'radio_buttons' ? 'one' : 'none';
}
