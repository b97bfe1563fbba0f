/** Texts and names of the page. */

import { find, getPresent } from './dom.ts';
import type { Begin, Channel, Person } from './state.ts';

const begin = JSON.parse(getPresent(find('[data-begin]').dataset.begin, 'data-begin')) as Begin;

export const { people, channels, locale } = begin;

/** A text of the page, with values put in for `{names}`. */
export const say = (name: string, values: Readonly<Record<string, string | number>> = {}): string =>
  (begin.words[name] ?? '').replace(/\{(\w+)\}/g, (all, key: string) => String(values[key] ?? all));

export const personOf = (id: string | null): Person | undefined => people.find((person) => person.id === id);

/** `#learning`, or `@` and the name of the other person. */
export function channelName({ kind, name }: Channel, userId: string): string {
  if (kind !== 'direct') return `#${name}`;
  return `@${people.find(({ id }) => id !== userId)?.name ?? name}`;
}
