/** Choosing and giving up objects, within what the place allows, and saying so. */

import { announce } from '../lti/session.ts';
import type { ChosenCard, TrayItem } from './tray-items.ts';
import type { TrayList } from './tray-list.ts';
import type { TrayPanel } from './tray-panel.ts';
import { fill, type Words } from './words.ts';

export interface Choosing {
  /** Chooses objects that are not chosen yet, as many as may be. @returns why not all of them; null where they are */
  add(cards: readonly ChosenCard[]): string | null;
  remove(item: TrayItem): void;
}

export interface ChoosingOptions {
  readonly list: TrayList;
  readonly panel: TrayPanel;
  readonly words: Words;
  readonly max: number;
}

export function createChoosing({ list, panel, words, max }: ChoosingOptions): Choosing {
  const say = (text: string | undefined, values: Readonly<Record<string, string | number>>) =>
    announce(fill(text, { ...values, number: list.items.length }));

  /** The only one that may be chosen gives way; nobody has to remove it first. */
  function swap(card: ChosenCard): void {
    const old = list.items[0]!;
    list.take(old);
    list.put([card]);
    panel.notify(fill(words.swapped, { title: card.name, old: old.title }));
  }

  function put(wanted: readonly ChosenCard[]): void {
    if (wanted.length > 0) list.put(wanted);
    panel.notify('');
    const [first, second] = wanted;
    if (first === undefined) say(words.addedBefore, {});
    else if (second === undefined) say(words.added, { title: first.name });
    else say(words.addedSome, { added: wanted.length });
  }

  function fillUp(wanted: readonly ChosenCard[]): string {
    const problem = words.full ?? '';
    list.put(wanted.slice(0, max - list.items.length));
    panel.notify(problem);
    return problem;
  }

  return {
    add(cards) {
      const wanted = cards.filter(({ address }) => list.find(address) === undefined);
      if (max === 1 && list.items.length === 1 && wanted.length === 1) swap(wanted[0]!);
      else if (wanted.length > max - list.items.length) return fillUp(wanted);
      else put(wanted);
      return null;
    },
    remove(item) {
      list.take(item);
      panel.notify('');
      say(words.removed, { title: item.title || item.name });
    },
  };
}
