/** The filters of a search form (`views/lti/partials/filters.eta`). */

type Choice = HTMLInputElement | HTMLSelectElement;

const listBoxChoices = (box: Element) => [...box.querySelectorAll<Choice>('input, select')];

/** Shows the place filter only for objects with a place, and counts the filters in use.
 *  @returns a function that does both */
export function watchFilterBox(place: Element): () => void {
  const refresh = () => {
    showFilterPlace(place);
    countFiltersInUse(place);
  };
  place.addEventListener('change', refresh);
  refresh();
  return refresh;
}

function showFilterPlace(box: Element): void {
  const place = box.querySelector<HTMLFieldSetElement>('#place');
  if (place === null) return;
  const isWanted = box.querySelector<HTMLSelectElement>('[name="type"]')?.value === place.dataset.type;
  place.hidden = !isWanted;
  place.disabled = !isWanted;
}

function countFiltersInUse(box: Element): void {
  const badge = box.querySelector<HTMLElement>('#filter-count');
  if (badge === null) return;
  const isInUse = (choice: Choice) =>
    choice.value !== '' && !choice.matches(':disabled, [name="sort"], [name="address"], [type="radio"]:not(:checked)');
  const number = listBoxChoices(box).filter(isInUse).length;
  badge.textContent = String(number);
  badge.hidden = number === 0;
}

/** Sets the choices for which `pick` gives a value. */
export function setFilterChoices(box: Element, pick: (choice: Choice) => string | undefined): void {
  for (const choice of listBoxChoices(box)) {
    const value = pick(choice);
    if (value === undefined) continue;
    if (choice.type === 'radio') (choice as HTMLInputElement).checked = choice.value === value;
    else choice.value = value;
  }
}
