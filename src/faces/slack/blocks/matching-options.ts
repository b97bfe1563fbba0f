import { foldText } from '../../../domain/text.ts';
import type { PlainTextOption } from './block-kit.ts';
import { limits } from './elements.ts';
import { isOptionValue, option } from './menus.ts';

export interface NamedValue {
  readonly value: string;
  readonly name: string;
}

/** Those whose name has what is typed, however it is written: first those that begin so, and by name among them. */
export function matchingOptions(
  all: readonly NamedValue[],
  typed: string,
  locale: string,
): PlainTextOption[] {
  const wanted = foldText(typed).trim();
  const begins = ({ name }: NamedValue) => foldText(name).startsWith(wanted);
  return all
    .filter(({ name }) => foldText(name).includes(wanted))
    .sort((a, b) => Number(begins(b)) - Number(begins(a)) || a.name.localeCompare(b.name, locale))
    .filter(({ value }) => isOptionValue(value))
    .slice(0, limits.options)
    .map(({ value, name }) => option(value, name));
}
