import type { types } from '@slack/bolt';
import { foldText } from '#domain/text';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import { limits, type PlainTextOption, plainText } from './block-kit.ts';

/** Slack takes values of 1 to 75 characters: callers leave out longer ones that others wrote. */
export const option = (value: string, text: string): types.PlainTextOption => ({
  value,
  text: plainText(text, limits.optionText),
});

export const isMenuOptionValue = (value: string): boolean => value.length >= 1 && value.length <= limits.optionValue;

/** Each value once, without those that Slack does not take. */
export const listMenuOptions = (values: readonly string[], nameOf: (value: string) => string): PlainTextOption[] =>
  [...new Set(values)].filter(isMenuOptionValue).map((value) => option(value, nameOf(value)));

export type MenuParts = { readonly actionId: string; readonly placeholder: string };

/** @param parts `chosen` is the value of an option; null if none is */
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

/** Options are asked for while somebody types. @param parts `minQueryLength` is how many characters
 *  are typed before; 0 shows some at once */
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

type SeveralParts<T> = MenuParts & { readonly chosen: readonly T[]; readonly max?: number };

export function multiMenu(
  parts: SeveralParts<string> & { readonly options: readonly PlainTextOption[] },
): types.MultiStaticSelect {
  const options = parts.options.slice(0, limits.options);
  const initial = options.filter(({ value }) => parts.chosen.includes(value ?? ''));
  return { type: 'multi_static_select', ...writeMenu(parts), options, ...writeSeveral(initial, parts.max) };
}

export function multiTypeaheadMenu(parts: SeveralParts<PlainTextOption>): types.MultiExternalSelect {
  const several = writeSeveral(parts.chosen, parts.max);
  return { type: 'multi_external_select', ...writeMenu(parts), min_query_length: 0, ...several };
}

const writeMenu = ({ actionId, placeholder }: MenuParts) => ({
  action_id: actionId,
  placeholder: plainText(placeholder, limits.placeholder),
});

const writeSeveral = (chosen: readonly PlainTextOption[], max: number | undefined) => ({
  ...(max !== undefined && { max_selected_items: max }),
  ...(chosen.length > 0 && { initial_options: chosen.slice(0, max) }),
});

export const overflowMenu = (actionId: string, options: readonly types.PlainTextOption[]): types.Overflow => ({
  type: 'overflow',
  action_id: actionId,
  options: options.slice(0, limits.overflowOptions),
});

/** Options whose name has what is typed, without case and accents; those that begin so first. */
export function findMenuOptions(
  all: readonly Readonly<Record<'value' | 'name', string>>[],
  typed: string,
  locale: string,
): PlainTextOption[] {
  const folded = foldText(typed).trim();
  return all
    .map(({ value, name }) => ({ value, name, at: foldText(name).indexOf(folded) }))
    .filter(({ value, at }) => at !== -1 && isMenuOptionValue(value))
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
