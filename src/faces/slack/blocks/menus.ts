import type { types } from '@slack/bolt';
import { foldText } from '#domain/text';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import { limits, type PlainTextOption, plainText } from './block-kit.ts';

/** Makes an option. Slack takes values of 1 to 75 characters: see `isOptionValue`. */
export const option = (value: string, text: string): types.PlainTextOption => ({
  value,
  text: plainText(text, limits.optionText),
});

export const isOptionValue = (value: string): boolean => value.length >= 1 && value.length <= limits.optionValue;

/** Makes an option for each different value, without values that Slack does not take. */
export const listMenuOptions = (values: readonly string[], nameOf: (value: string) => string): PlainTextOption[] =>
  [...new Set(values)].filter(isOptionValue).map((value) => option(value, nameOf(value)));

export type MenuParts = { readonly actionId: string; readonly placeholder: string };

/** Makes a menu of one choice. @param parts `chosen` is the value of an option; null if none is */
export function selectMenu(
  parts: MenuParts & { readonly options: readonly PlainTextOption[]; readonly chosen: string | null },
): types.StaticSelect {
  const { options, chosen } = parts;
  const offered = options.slice(0, limits.options);
  const initial = offered.find(({ value }) => value === chosen);
  return {
    type: 'static_select',
    ...writeMenu(parts),
    options: offered,
    ...(initial && { initial_option: initial }),
  };
}

/** Makes a menu whose options are asked for while somebody types. @param parts `minQueryLength` is
 *  how many characters are typed before; 0 shows some options at once */
export function typeaheadMenu({
  chosen,
  minQueryLength = 0,
  ...parts
}: MenuParts & { readonly chosen: PlainTextOption | null; readonly minQueryLength?: number }): types.ExternalSelect {
  return {
    type: 'external_select',
    ...writeMenu(parts),
    min_query_length: minQueryLength,
    ...(chosen && { initial_option: chosen }),
  };
}

type MultiMenuParts<T> = MenuParts & { readonly chosen: readonly T[]; readonly max?: number };

export function multiMenu(
  parts: MultiMenuParts<string> & { readonly options: readonly PlainTextOption[] },
): types.MultiStaticSelect {
  const options = parts.options.slice(0, limits.options);
  const initial = options.filter(({ value }) => parts.chosen.includes(value ?? ''));
  return { type: 'multi_static_select', ...writeMenu(parts), options, ...writeChosen(initial, parts.max) };
}

export function multiTypeaheadMenu(parts: MultiMenuParts<PlainTextOption>): types.MultiExternalSelect {
  const chosen = writeChosen(parts.chosen, parts.max);
  return { type: 'multi_external_select', ...writeMenu(parts), min_query_length: 0, ...chosen };
}

const writeMenu = ({ actionId, placeholder }: MenuParts) => ({
  action_id: actionId,
  placeholder: plainText(placeholder, limits.placeholder),
});

const writeChosen = (chosen: readonly PlainTextOption[], max: number | undefined) => ({
  ...(max !== undefined && { max_selected_items: max }),
  ...(chosen.length > 0 && { initial_options: chosen.slice(0, max) }),
});

export const overflowMenu = (actionId: string, options: readonly types.PlainTextOption[]): types.Overflow => ({
  type: 'overflow',
  action_id: actionId,
  options: options.slice(0, limits.overflowOptions),
});

/** Finds options whose folded name has the typed text; names that begin with it come first. */
export function findMenuOptions(
  choices: readonly Readonly<Record<'value' | 'name', string>>[],
  typed: string,
  locale: string,
): PlainTextOption[] {
  const folded = foldText(typed).trim();
  return choices
    .map(({ value, name }) => ({ value, name, at: foldText(name).indexOf(folded) }))
    .filter(({ value, at }) => at !== -1 && isOptionValue(value))
    .sort((a, b) => Number(a.at > 0) - Number(b.at > 0) || a.name.localeCompare(b.name, locale))
    .slice(0, limits.options)
    .map(({ value, name }) => option(value, name));
}

export async function listProviderOptions(
  { discovery, words }: Pick<SlackContext, 'discovery' | 'words'>,
  typed: string,
): Promise<PlainTextOption[]> {
  const [{ providers }, { locale }] = await Promise.all([discovery.lists({ timeoutMs: LISTS_MS }), words()]);
  const named = providers.map(({ id, name }) => ({ value: id, name }));
  return findMenuOptions(named, typed, locale);
}
