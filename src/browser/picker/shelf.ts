/** The shelf: lists of what was saved and used, one shelf here and in Slack, and saving from any
 *  card. */

import {
  createNewest,
  createParagraph,
  fillWords,
  getElement,
  onClick,
  parseHtml,
  readWords,
  type Words,
} from '../dom.ts';
import {
  announce,
  CARDS_SHOWN,
  fetchSessionFragment,
  postSessionForm,
  showFragment,
  showProblem,
  toMessage,
} from '../lti/session.ts';
import { PANEL_SHOWN, watchTabs } from './tabs.ts';
import { showTrayItemProblem } from './tray-items.ts';

interface Saved {
  readonly isSaved: boolean;
  /** Why it was not done, in the reader's words. */
  readonly problem?: string;
}

/** @param section that of `views/lti/partials/shelf.eta` */
export function startShelf(section: HTMLElement): void {
  const panel = getElement('[role=tabpanel]', section);
  const load = createLoad(panel);
  let tab = 'saved';
  let isStale = true;
  const show = async (page = 0) => {
    isStale = false;
    if (!(await load(tab, page))) isStale = true;
  };
  watchTabs(getElement('[role=tablist]', section), (chosen) => {
    panel.setAttribute('aria-labelledby', chosen.id);
    tab = chosen.dataset.tab ?? '';
    show();
  });
  onClick(panel, '[data-shelf-next]', ({ dataset }) => show(Number(dataset.shelfNext)));
  listenToLinking(panel, show);
  // Nobody waits for a list that is not shown.
  document.addEventListener(PANEL_SHOWN, ({ target }) => {
    if (isStale && (target as Element).contains(section)) show();
  });
  listenToSaving(readWords(section), (button) => {
    if (!panel.contains(button)) isStale = true;
  });
}

/** A newer list ends the loading of an older one. @returns a function that gives false where a list
 *  could not be had */
function createLoad(panel: HTMLElement): (tab: string, page: number) => Promise<boolean> {
  const next = createNewest();
  return async (tab, page) => {
    const signal = next();
    panel.setAttribute('aria-busy', 'true');
    try {
      const html = await fetchSessionFragment('/picker/shelf', { tab, page: String(page) }, signal);
      if (page === 0) showFragment(panel, html);
      else append(panel, html);
      return true;
    } catch (error) {
      showProblem(panel, error);
      return signal.aborted;
    } finally {
      if (!signal.aborted) panel.removeAttribute('aria-busy');
    }
  };
}

/** More of a list takes the place of the button that asked for it; the focus goes to the first of
 *  it. */
function append(panel: Element, html: string): void {
  const button = panel.querySelector('[data-shelf-next]')?.parentElement ?? null;
  const more = [...parseHtml(html).children];
  if (button === null) panel.append(...more);
  else button.replaceWith(...more);
  document.dispatchEvent(new CustomEvent(CARDS_SHOWN));
  more[0]?.querySelector<HTMLElement>('button')?.focus();
}

/** One shelf here and in Slack: the forms of `views/lti/partials/shelf-link.eta`, sent without a
 *  new page.
 *  @param panel of the shelf, where the forms come and go
 *  @param reload reads the list of what is saved anew; settled when it is there */
function listenToLinking(panel: HTMLElement, reload: () => Promise<void>): void {
  panel.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('[data-shelf-link]')) return;
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    try {
      const response = await postSessionForm('/picker/shelf/link', new FormData(form));
      const section = parseHtml(await response.text()).firstElementChild;
      if (section?.matches('[data-is-changed]')) await reload();
      show(panel, section);
    } catch (error) {
      announce(toMessage(error) ?? '');
      form.querySelector('.problem')?.remove();
      form.append(createParagraph('problem', toMessage(error) ?? ''));
    }
    form.ariaBusy = null;
  });
}

/** Replaces what is there, and moves the focus to where it goes on. */
function show(panel: HTMLElement, section: Element | null): void {
  // Gone if another list is shown by now.
  const standing = panel.querySelector('#shelf-link');
  if (section === null || standing === null) return;
  standing.replaceWith(section);
  section.querySelector<HTMLElement>('[data-focus]')?.focus();
  announce(section.querySelector('[data-announce]')?.textContent?.trim().replace(/\s+/g, ' ') ?? '');
}

/** Saves objects from any card, now and of cards to come.
 *  @param onChange told of the button when it is done */
function listenToSaving(words: Words, onChange: (button: Element) => void): void {
  onClick(document, '[data-save]', async (button) => {
    const { handle, address, title = '' } = button.closest<HTMLElement>('[data-handle]')?.dataset ?? {};
    if (handle === undefined || button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    const wasSaved = button.getAttribute('aria-pressed') === 'true';
    const { isSaved, problem } = await change(handle, wasSaved);
    for (const each of buttonsOf(address)) each.setAttribute('aria-pressed', String(isSaved));
    announce(problem ?? fillWords(isSaved ? words.saved : words.removed, { title }));
    showTrayItemProblem(button, problem ?? null);
    if (isSaved !== wasSaved) onChange(button);
    button.ariaBusy = null;
  });
}

/** A failure leaves the button as it was. */
async function change(handle: string, wasSaved: boolean): Promise<Saved> {
  try {
    const action = wasSaved ? 'remove' : 'save';
    const response = await postSessionForm('/picker/shelf', { handle, action });
    return (await response.json()) as Saved;
  } catch (error) {
    return { isSaved: wasSaved, problem: toMessage(error) ?? '' };
  }
}

/** Wherever else the object is on the page. */
function buttonsOf(address: string | undefined): Element[] {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-handle]')];
  return cards
    .filter((card) => card.dataset.address === address)
    .flatMap((card) => [...card.querySelectorAll('[data-save]')]);
}
