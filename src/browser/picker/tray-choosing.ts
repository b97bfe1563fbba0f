/** Adds and removes chosen objects, within the limits of the launch, and announces it. */

import { fillWords, getElement, type Words } from '../dom.ts';
import { announce } from '../lti/session.ts';
import type { ChosenCard, TrayItem } from './tray-items.ts';
import type { TrayList } from './tray-list.ts';

export type TrayPanel = ReturnType<typeof watchTrayPanel>;

export type Choosing = ReturnType<typeof createChoosing>;

export function createChoosing(deps: {
  readonly list: TrayList;
  readonly panel: TrayPanel;
  readonly words: Words;
  readonly max: number;
}) {
  const { list, panel, words, max } = deps;
  const say = (text: string | undefined, values: Readonly<Record<string, string | number>>) =>
    announce(fillWords(text, { ...values, number: list.items.length }));

  /** Where only one may be chosen, it is replaced and graded alike; nobody has to remove it
   *  first. */
  function swap(old: TrayItem, card: ChosenCard): void {
    list.take(old);
    list.put([card], old.points);
    panel.notify(fillWords(words.swapped, { title: card.name, old: old.title }));
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
    /** Chooses objects that are not chosen yet, as many as allowed. @returns why not all of them;
     *  null where all are */
    add(cards: readonly ChosenCard[]): string | null {
      const wanted = cards.filter(({ address }) => list.find(address) === undefined);
      const [[old], [card, ...more]] = [list.items, wanted];
      if (max === 1 && old !== undefined && card !== undefined && more.length === 0) swap(old, card);
      else if (wanted.length > max - list.items.length) return fillUp(wanted);
      else put(wanted);
      return null;
    },
    remove(item: TrayItem): void {
      list.take(item);
      panel.notify('');
      say(words.removed, { title: item.title || item.name });
    },
  };
}

/** Opens and closes the tray, and says what it holds. */
export function watchTrayPanel(form: HTMLFormElement, words: Words) {
  const part = (selector: string) => getElement(selector, form);
  const [panel, toggle] = [part('#tray-panel'), part('#tray-toggle')];
  const notice = part('[data-tray-notice]');

  const setOpen = (isOpen: boolean) => {
    panel.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
  };
  toggle.addEventListener('click', () => setOpen(panel.hidden === true));
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || panel.hidden) return;
    event.stopPropagation();
    setOpen(false);
    toggle.focus();
  });
  // Fields that cannot be sent must be seen.
  form.addEventListener(
    'invalid',
    ({ target }) => {
      setOpen(true);
      const settings = (target as Element).closest('details');
      if (settings !== null) settings.open = true;
    },
    { capture: true },
  );

  return {
    /** Say something that is also seen; empty takes it away. */
    notify(text: string): void {
      notice.textContent = text;
      notice.hidden = text === '';
      if (text !== '') announce(text);
    },
    showCount(number: number): void {
      part('[data-tray-count]').textContent = String(number);
      showWhatIsAdded(form, number, words);
      part('[data-tray-empty]').hidden = number > 0;
      const hint = form.querySelector<HTMLElement>('[data-tray-hint]');
      if (hint !== null) hint.hidden = number < 2;
      form.classList.toggle('has-items', number > 0);
    },
  };
}

/** Where the course takes nothing, there is no button; where it takes one, there is nothing to
 *  count. */
function showWhatIsAdded(form: HTMLFormElement, number: number, { add, addSome }: Words): void {
  const button = form.querySelector<HTMLButtonElement>('[data-tray-choose]');
  if (button === null) return;
  button.disabled = number === 0;
  const text = number === 0 ? add : fillWords(addSome, { number });
  if (text) button.textContent = text;
}
