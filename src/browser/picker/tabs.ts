/** Tabs with automatic activation: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */

import { getElement } from '../dom.ts';

export const PANEL_SHOWN = 'panel-shown';

export function watchTabs(list: HTMLElement, whenChosen: typeof showTabPanel): void {
  const tabs = [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
  const showTab = (chosen: HTMLElement) => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    whenChosen(chosen, tabs);
  };
  list.addEventListener('click', ({ target }) => {
    const tab = tabs.find((element) => element.contains(target as Node));
    if (tab !== undefined) showTab(tab);
  });
  list.addEventListener('keydown', (event) => {
    const next = findNeighbourTab(tabs, event);
    if (next === undefined) return;
    event.preventDefault();
    showTab(next);
    next.focus();
  });
}

/** Watches tabs and the menu that replaces them on small screens. */
export function watchTabsAndMenu(list: HTMLElement, menu: HTMLSelectElement): void {
  watchTabs(list, (chosen, tabs) => {
    menu.value = chosen.id;
    showTabPanel(chosen, tabs);
  });
  menu.addEventListener('change', () => getElement(`#${menu.value}`, list).click());
  // Browsers restore choices when a page is loaded again.
  menu.value = list.querySelector('[aria-selected="true"]')?.id ?? '';
}

function showTabPanel(chosen: HTMLElement, tabs: readonly HTMLElement[]): void {
  for (const tab of tabs) findTabPanel(tab).hidden = tab !== chosen;
  findTabPanel(chosen).dispatchEvent(new CustomEvent(PANEL_SHOWN, { bubbles: true }));
}

const findTabPanel = (tab: HTMLElement): HTMLElement => getElement(`#${tab.getAttribute('aria-controls')}`);

function findNeighbourTab<T extends Element>(row: readonly T[], { key, target }: KeyboardEvent): T | undefined {
  const last = row.length - 1;
  const index = row.indexOf(target as T);
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: index === 0 ? last : index - 1,
    ArrowRight: index === last ? 0 : index + 1,
    Home: 0,
    End: last,
  };
  const place = places[key];
  return index < 0 || place === undefined ? undefined : row[place];
}
