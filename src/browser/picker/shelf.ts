/** Lists of saved and used objects, linking with the shelf in Slack, and saving from any card. */

import type { Words } from '../dom.ts';
import { createNewestSignal, createParagraph, fillWords, getElement, onClick, parseHtml, readWords } from '../dom.ts';
import * as session from '../lti/session.ts';
import { PANEL_SHOWN, watchTabs } from './tabs.ts';
import { showTrayItemProblem } from './tray-items.ts';

type SaveOutcome = { readonly isSaved: boolean; readonly problem?: string };

/** Starts the shelf. @param section that of `views/lti/partials/shelf.eta` */
export function startShelf(section: HTMLElement): void {
  const panel = getElement('[role=tabpanel]', section);
  const load = createShelfLoader(panel);
  let tab = 'saved';
  let isStale = true;
  const show = async (page = 0) => {
    isStale = false;
    if (!(await load(tab, page))) isStale = true;
  };
  watchTabs(getElement('[role=tablist]', section), (chosen) => {
    panel.setAttribute('aria-labelledby', chosen.id);
    tab = chosen.dataset.tab ?? '';
    void show();
  });
  onClick(panel, '[data-shelf-next]', ({ dataset }) => void show(Number(dataset.shelfNext)));
  listenToShelfLinking(panel, show);
  // A hidden list is not loaded.
  document.addEventListener(PANEL_SHOWN, ({ target }) => {
    if (isStale && (target as Element).contains(section)) void show();
  });
  listenToShelfSaving(readWords(section), (button) => {
    if (!panel.contains(button)) isStale = true;
  });
}

/** Makes a function that loads a list, gives false on failure, and aborts an earlier call. */
function createShelfLoader(panel: HTMLElement): (tab: string, page: number) => Promise<boolean> {
  const next = createNewestSignal();
  return async (tab, page) => {
    const signal = next();
    panel.setAttribute('aria-busy', 'true');
    try {
      const html = await session.fetchSessionFragment('/picker/shelf', { tab, page: String(page) }, signal);
      if (page === 0) session.showSessionFragment(panel, html);
      else appendShelfItems(panel, html);
      return true;
    } catch (error) {
      session.showSessionProblem(panel, error);
      return signal.aborted;
    } finally {
      if (!signal.aborted) panel.removeAttribute('aria-busy');
    }
  };
}

/** Replaces the button by more of the list; the focus goes to its first item. */
function appendShelfItems(panel: Element, html: string): void {
  const button = panel.querySelector('[data-shelf-next]')?.parentElement ?? null;
  const nextItems = [...parseHtml(html).children];
  if (button === null) panel.append(...nextItems);
  else button.replaceWith(...nextItems);
  document.dispatchEvent(new CustomEvent(session.CARDS_SHOWN));
  nextItems[0]?.querySelector<HTMLElement>('button')?.focus();
}

/** Links the shelf with the one in Slack: the forms of `views/lti/partials/shelf-link.eta`, in
 *  place.
 *  @param panel of the shelf, which contains the forms
 *  @param reload reads the saved objects again */
function listenToShelfLinking(panel: HTMLElement, reload: () => Promise<void>): void {
  panel.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('[data-shelf-link]')) return;
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    try {
      const response = await session.postSessionForm('/picker/shelf/link', new FormData(form));
      const section = parseHtml(await response.text()).firstElementChild;
      if (section?.matches('[data-is-changed]')) await reload();
      showNextShelfStep(panel, section);
    } catch (error) {
      session.announceStatus(session.toSessionMessage(error) ?? '');
      form.querySelector('.problem')?.remove();
      form.append(createParagraph('problem', session.toSessionMessage(error) ?? ''));
    }
    form.ariaBusy = null;
  });
}

/** Replaces the form and moves the focus to the next step. */
function showNextShelfStep(panel: HTMLElement, section: Element | null): void {
  // Another list, which has no form, may be shown in the meantime.
  const current = panel.querySelector('#shelf-link');
  if (section === null || current === null) return;
  current.replaceWith(section);
  section.querySelector<HTMLElement>('[data-focus]')?.focus();
  session.announceStatus(section.querySelector('[data-announce]')?.textContent?.trim().replace(/\s+/g, ' ') ?? '');
}

/** Saves objects from any card, also later ones. `onChange` gets the button afterwards. */
function listenToShelfSaving(words: Words, onChange: (button: Element) => void): void {
  onClick(document, '[data-save]', async (button) => {
    const { handle, address, title = '' } = button.closest<HTMLElement>('[data-handle]')?.dataset ?? {};
    if (handle === undefined || button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    const wasSaved = button.getAttribute('aria-pressed') === 'true';
    const { isSaved, problem } = await changeSaved(handle, wasSaved);
    for (const saveButton of listShelfButtons(address)) saveButton.setAttribute('aria-pressed', String(isSaved));
    session.announceStatus(problem ?? fillWords(isSaved ? words.saved : words.removed, { title }));
    showTrayItemProblem(button, problem ?? null);
    if (isSaved !== wasSaved) onChange(button);
    button.ariaBusy = null;
  });
}

/** Saves or removes an object; on failure, it stays as it was. */
async function changeSaved(handle: string, wasSaved: boolean): Promise<SaveOutcome> {
  try {
    const action = wasSaved ? 'remove' : 'save';
    const response = await session.postSessionForm('/picker/shelf', { handle, action });
    return (await response.json()) as SaveOutcome;
  } catch (error) {
    return { isSaved: wasSaved, problem: session.toSessionMessage(error) ?? '' };
  }
}

function listShelfButtons(address: string | undefined): Element[] {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-handle]')];
  return cards
    .filter((card) => card.dataset.address === address)
    .flatMap((card) => [...card.querySelectorAll('[data-save]')]);
}
