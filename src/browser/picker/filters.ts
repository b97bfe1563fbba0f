import { onClick, parseHtml } from '../dom.ts';
import { setFilterChoices, watchFilterBox } from '../filter-box.ts';
import { fetchSessionFragment, toSessionParams } from '../lti/session.ts';

type Facets = Readonly<Record<string, Readonly<Record<string, number>>>>;

export type Filters = ReturnType<typeof watchFilters>;

/** @param reset called when the filters have the tenant's defaults again */
export function watchFilters(form: HTMLFormElement, place: HTMLElement, reset: () => void) {
  const refresh = watchFilterBox(place);
  onClick(place, '#filter-reset', () => {
    setFilterChoices(place, ({ dataset: { begin = '' } }) => begin);
    refresh();
    reset();
  });
  if (form.dataset.lists === 'late') void loadLate(form, place).then(refresh);

  const drop = (isDropped: (name: string) => boolean) => {
    setFilterChoices(place, ({ name }) => (isDropped(name) ? '' : undefined));
    refresh();
  };
  return {
    drop: (names: readonly string[]) => drop((name) => names.includes(name)),
    dropAll: () => drop((name) => name !== 'sort'),
    /** By field and value; null removes the numbers. */
    showFacets: (facets: Facets | null) => showFacets(place, facets),
  };
}

function showFacets(place: HTMLElement, facets: Facets | null): void {
  const count = (field: string, value: string) => {
    const counts = facets?.[field];
    return counts === undefined ? '' : ` (${(counts[value] ?? 0).toLocaleString(document.documentElement.lang)})`;
  };
  for (const option of place.querySelectorAll<HTMLOptionElement>('option[data-name]')) {
    const field = option.closest('select')?.name ?? '';
    option.text = (option.dataset.name ?? '') + count(field, option.value);
    const isEmpty = facets?.[field] !== undefined && !facets[field][option.value];
    option.hidden = isEmpty && !option.selected;
  }
  for (const mark of place.querySelectorAll<HTMLElement>('[data-count]'))
    mark.textContent = count('bloom', mark.dataset.count ?? '');
}

/** Lists that arrive after the page. Choices and the state of the box are preserved. */
async function loadLate(form: HTMLFormElement, place: HTMLElement): Promise<void> {
  const chosen = () => toSessionParams(new FormData(form));
  const html = await fetchSessionFragment('/picker/filters', chosen()).catch(() => null);
  if (html === null) return;
  const now = chosen();
  const isOpen = place.querySelector('details')?.open === true;
  place.replaceChildren(...parseHtml(html).childNodes);
  place.querySelector('details')?.toggleAttribute('open', isOpen);
  setFilterChoices(place, ({ name }) => now.get(name) ?? '');
}
