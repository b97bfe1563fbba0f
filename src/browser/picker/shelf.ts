/** The shelf: lists of what was saved and used. */

import { CARDS_SHOWN, fetchFragment, parseFragment, showFragment, showProblem } from '../lti/session.ts';
import { listenToLinking } from './shelf-link.ts';
import { listenToSaving } from './shelf-saving.ts';
import { PANEL_SHOWN, watchTabs } from './tabs.ts';
import type { Words } from './words.ts';

/** @param section that of `views/lti/partials/shelf.eta` */
export function startShelf(section: HTMLElement): void {
  const panel = section.querySelector<HTMLElement>('[role=tabpanel]')!;
  const load = createLoad(panel);
  let tab = 'saved';
  let isStale = true;
  const show = async (page = 0) => {
    isStale = false;
    if (!(await load(tab, page))) isStale = true;
  };
  watchTabs(section.querySelector<HTMLElement>('[role=tablist]')!, (chosen) => {
    panel.setAttribute('aria-labelledby', chosen.id);
    tab = chosen.dataset.tab ?? '';
    show();
  });
  panel.addEventListener('click', ({ target }) => {
    const more = target instanceof Element ? target.closest<HTMLElement>('[data-shelf-next]') : null;
    if (more !== null) show(Number(more.dataset.shelfNext));
  });
  listenToLinking(panel, show);
  // Nobody waits for a list that is not looked at.
  document.addEventListener(PANEL_SHOWN, ({ target }) => {
    if (isStale && (target as Element).contains(section)) show();
  });
  listenToSaving(JSON.parse(section.dataset.words ?? '{}') as Words, (button) => {
    if (!panel.contains(button)) isStale = true;
  });
}

/** A newer list ends the loading of an older one. @returns what gives false where a list could not be had */
function createLoad(panel: HTMLElement): (tab: string, page: number) => Promise<boolean> {
  let running: AbortController | undefined;
  return async (tab, page) => {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    panel.setAttribute('aria-busy', 'true');
    try {
      const html = await fetchFragment('/picker/shelf', { tab, page: String(page) }, signal);
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

/** More of a list takes the place of the button that asked for it; the focus goes to the first of it. */
function append(panel: Element, html: string): void {
  const button = panel.querySelector('[data-shelf-next]')?.parentElement ?? null;
  const more = [...parseFragment(html).children];
  if (button === null) panel.append(...more);
  else button.replaceWith(...more);
  document.dispatchEvent(new CustomEvent(CARDS_SHOWN));
  more[0]?.querySelector<HTMLElement>('button')?.focus();
}
