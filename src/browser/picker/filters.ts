/** The filters of the search: opening them, what depends on what, how many are in use, and those that come late. */

import { fetchSessionFragment, parseSessionFragment } from '../lti/session.ts';
import {
  type Choice,
  clearChoice,
  isAwaitingChoiceLists,
  isBoxChoice,
  listChoices,
  MODES,
  setAddressedChoices,
  setChoices,
} from './choices.ts';
import { findNeighbour } from './tabs.ts';
import { getElement } from './words.ts';

export interface Filters {
  /** Clear the fields with these names. */
  drop(names: readonly string[]): void;
  dropAll(): void;
  /** Resolves when all that the address of the page says is chosen. */
  readonly whenChosen: Promise<void>;
  /** How many objects each choice would leave, by field and value; null takes the numbers away. */
  showFacets(facets: Readonly<Record<string, Readonly<Record<string, number>>>> | null): void;
}

export function watchFilters(form: HTMLFormElement, place: HTMLElement): Filters {
  const choices = () => listChoices(place);
  const refresh = () => {
    showPlace(place);
    countChosen(place, choices());
    rove(place);
  };

  place.addEventListener('click', ({ target }) => {
    const toggle = target instanceof Element ? target.closest('#filter-toggle') : null;
    if (toggle !== null) togglePanel(toggle, place);
  });
  place.addEventListener('keydown', (event) => moveAmongProviders(place, event));
  place.addEventListener('change', refresh);
  // A reset takes effect only after this event.
  form.addEventListener('reset', () => setTimeout(refresh));
  setAddressedChoices(choices());
  refresh();
  const isIncomplete = isAwaitingChoiceLists(form);
  const loaded = form.dataset.lists === 'late' ? loadLate(form, place).then(refresh) : null;

  const drop = (dropped: readonly Choice[]) => {
    for (const choice of dropped) clearChoice(choice);
    refresh();
  };
  return {
    whenChosen: isIncomplete && loaded !== null ? loaded : Promise.resolve(),
    drop: (names) => drop(choices().filter(({ name }) => names.includes(name))),
    dropAll: () => drop(choices().filter(({ name }) => !MODES.includes(name))),
    showFacets: (facets) => showFacets(place, facets),
  };
}

function togglePanel(toggle: Element, place: HTMLElement): void {
  const panel = getElement('#filter-panel', place);
  panel.hidden = !panel.hidden;
  toggle.setAttribute('aria-expanded', String(!panel.hidden));
}

/** Distances are for objects that have a place. */
function showPlace(place: HTMLElement): void {
  const fieldset = place.querySelector<HTMLFieldSetElement>('#place');
  if (fieldset === null) return;
  const { type } = fieldset.dataset;
  const isWanted = [...place.querySelectorAll<HTMLInputElement>('[name="type"]:checked')].some(
    ({ value }) => value === type,
  );
  fieldset.hidden = !isWanted;
  fieldset.disabled = !isWanted;
}

/** Each field counts once; providers are seen without opening anything. */
function countChosen(place: HTMLElement, choices: readonly Choice[]): void {
  const chosen = choices.filter(
    (choice) =>
      ![...MODES, 'provider', 'address'].includes(choice.name) &&
      !choice.matches(':disabled') &&
      (isBoxChoice(choice) ? choice.checked : choice.value !== ''),
  );
  const badge = getElement('#filter-count', place);
  const number = new Set(chosen.map(({ name }) => name)).size;
  badge.textContent = String(number);
  badge.hidden = number === 0;
}

const providersIn = (place: HTMLElement) => [...place.querySelectorAll<HTMLInputElement>('#providers input')];
/** Hidden ones cannot have the focus. */
const shownProvidersIn = (place: HTMLElement) =>
  providersIn(place).filter((box) => !box.closest('label')?.hidden);

/** Dozens of providers are one stop of the Tab key: https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/ */
function rove(place: HTMLElement): void {
  const shown = shownProvidersIn(place);
  const current = shown.find((box) => box === document.activeElement) ?? shown.find(({ checked }) => checked);
  for (const box of providersIn(place)) box.tabIndex = box === (current ?? shown[0]) ? 0 : -1;
}

const isInUse = (box: HTMLInputElement) => box.checked || box === document.activeElement;

function moveAmongProviders(place: HTMLElement, event: KeyboardEvent): void {
  const next = findNeighbour(shownProvidersIn(place), event);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  next.closest('label')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  rove(place);
}

function showFacets(
  place: HTMLElement,
  facets: Readonly<Record<string, Readonly<Record<string, number>>>> | null,
): void {
  for (const mark of place.querySelectorAll<HTMLElement>('[data-facet]')) {
    const { facet = '', value = '' } = mark.dataset;
    const counts = facets?.[facet];
    mark.textContent = counts === undefined ? '' : String(counts[value] ?? 0);
  }
  // Of dozens of providers, only those with results are worth a place in the line.
  for (const box of place.querySelectorAll<HTMLInputElement>('#providers input'))
    box
      .closest('label')
      ?.toggleAttribute('hidden', facets !== null && !isInUse(box) && !(facets.provider?.[box.value] ?? 0));
  rove(place);
}

/** Lists that came after the page. What was chosen meanwhile stays chosen, and the panel stays open or closed. */
async function loadLate(form: HTMLFormElement, place: HTMLElement): Promise<void> {
  const html = await fetchSessionFragment('/picker/filters').catch(() => null);
  if (html === null) return;
  const [chosen, known] = [new FormData(form), new Set(listChoices(place).map(({ name }) => name))];
  const wasOpen = !getElement('#filter-panel', place).hidden;
  place.replaceChildren(...parseSessionFragment(html).childNodes);
  const choices = listChoices(place);
  setChoices(
    choices.filter(({ name }) => known.has(name)),
    chosen,
  );
  setAddressedChoices(choices.filter(({ name }) => !known.has(name)));
  if (wasOpen) togglePanel(getElement('#filter-toggle', place), place);
}
