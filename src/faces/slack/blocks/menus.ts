import type { types } from '@slack/bolt';
import { foldText } from '#domain/text';
import { LISTS_MS, type OptionsListener } from '../listener.ts';
import { limits, type PlainTextOption, plainText } from './block-kit.ts';

/** Slack takes values of 1 to 75 characters: callers leave out longer ones that others wrote. */
export function option(value: string, text: string): types.PlainTextOption {
  return { value, text: plainText(text, limits.optionText) };
}

export const isMenuOptionValue = (value: string): boolean =>
  value.length >= 1 && value.length <= limits.optionValue;

export interface SelectParts {
  readonly actionId: string;
  readonly placeholder: string;
  readonly options: readonly types.PlainTextOption[];
  /** Value of the option that is chosen; null where none is. */
  readonly chosen: string | null;
}

export function selectMenu({ actionId, placeholder, options, chosen }: SelectParts): types.StaticSelect {
  const offered = options.slice(0, limits.options);
  const initial = offered.find(({ value }) => value === chosen);
  return {
    type: 'static_select',
    action_id: actionId,
    placeholder: plainText(placeholder, limits.placeholder),
    options: offered,
    ...(initial && { initial_option: initial }),
  };
}

/** Options are asked for while somebody types. */
export function typeaheadMenu(parts: {
  readonly actionId: string;
  readonly placeholder: string;
  readonly chosen: types.PlainTextOption | null;
  /** Characters to type before options are asked for; 0 shows some at once. */
  readonly minQueryLength?: number;
}): types.ExternalSelect {
  const { actionId, placeholder, chosen, minQueryLength = 0 } = parts;
  return {
    type: 'external_select',
    action_id: actionId,
    placeholder: plainText(placeholder, limits.placeholder),
    min_query_length: minQueryLength,
    ...(chosen && { initial_option: chosen }),
  };
}

/** Several of the options, or none. */
export function multiMenu(parts: {
  readonly actionId: string;
  readonly placeholder: string;
  readonly options: readonly types.PlainTextOption[];
  /** Values of the options that are chosen. */
  readonly chosen: readonly string[];
  readonly max?: number;
}): types.MultiStaticSelect {
  const { actionId, placeholder, max } = parts;
  const options = parts.options.slice(0, limits.options);
  const chosen = options.filter(({ value }) => parts.chosen.includes(value ?? '')).slice(0, max);
  return {
    type: 'multi_static_select',
    action_id: actionId,
    placeholder: plainText(placeholder, limits.placeholder),
    options,
    ...(max !== undefined && { max_selected_items: max }),
    ...(chosen.length > 0 && { initial_options: chosen }),
  };
}

/** The same, of options that are asked for while somebody types. */
export function multiTypeaheadMenu(parts: {
  readonly actionId: string;
  readonly placeholder: string;
  readonly chosen: readonly types.PlainTextOption[];
  readonly max?: number;
}): types.MultiExternalSelect {
  const { actionId, placeholder, max } = parts;
  const chosen = parts.chosen.slice(0, max);
  return {
    type: 'multi_external_select',
    action_id: actionId,
    placeholder: plainText(placeholder, limits.placeholder),
    min_query_length: 0,
    ...(max !== undefined && { max_selected_items: max }),
    ...(chosen.length > 0 && { initial_options: [...chosen] }),
  };
}

export function overflowMenu(actionId: string, options: readonly types.PlainTextOption[]): types.Overflow {
  return { type: 'overflow', action_id: actionId, options: options.slice(0, 5) };
}

interface NamedValue {
  readonly value: string;
  readonly name: string;
}

/** Options whose name contains what is typed, ignoring case and accents: those that begin with it first, then by name. */
export function findMenuOptions(
  all: readonly NamedValue[],
  typed: string,
  locale: string,
): PlainTextOption[] {
  const wanted = foldText(typed).trim();
  const begins = ({ name }: NamedValue) => foldText(name).startsWith(wanted);
  return all
    .filter(({ name }) => foldText(name).includes(wanted))
    .sort((a, b) => Number(begins(b)) - Number(begins(a)) || a.name.localeCompare(b.name, locale))
    .filter(({ value }) => isMenuOptionValue(value))
    .slice(0, limits.options)
    .map(({ value, name }) => option(value, name));
}

/** Providers whose name contains what was typed, ignoring case and accents. */
export function createProviderMenuListener(actionId: string): OptionsListener {
  return {
    kind: 'options',
    actionId,
    async handle({ discovery, words }, typed) {
      const [{ providers }, { locale }] = await Promise.all([
        discovery.lists({ timeoutMs: LISTS_MS }),
        words(),
      ]);
      const named = providers.map(({ id, name }) => ({ value: id, name }));
      return findMenuOptions(named, typed, locale);
    },
  };
}
