/** Texts and names of the page. */

import { fill } from '../../../src/browser/picker/words.ts';
import type { Begin, Channel, Person } from './state.ts';

const chat = document.querySelector<HTMLElement>('[data-begin]')!;
const begin = JSON.parse(chat.dataset.begin!) as Begin;

export const { people, channels, locale } = begin;

export const say = (name: string, values: Readonly<Record<string, string | number>> = {}): string =>
  fill(begin.words[name], values);

export const personOf = (id: string | null): Person | undefined => people.find((person) => person.id === id);

/** `#learning`, or `@` and the name of whom one talks with. */
export function channelName({ kind, name }: Channel, userId: string): string {
  if (kind !== 'direct') return `#${name}`;
  return `@${people.find(({ id }) => id !== userId)?.name ?? name}`;
}
