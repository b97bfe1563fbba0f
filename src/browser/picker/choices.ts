/** What is chosen of the filters: in their fields, and in the address of the page, so that it is there again after a reload. */

export type Choice = HTMLInputElement | HTMLSelectElement;

/** What has no "any" and says how to search, not for what. */
export const MODES = ['sort', 'model', 'match'];

/** Fields whose values come from lists, which may be late. */
const LISTED = ['provider', 'type', 'bloom', 'lang'];

export const choicesIn = (place: HTMLElement): Choice[] => [
  ...place.querySelectorAll<Choice>('input, select'),
];

export const isBox = (choice: Choice): choice is HTMLInputElement => choice.type === 'checkbox';

export function clear(choice: Choice): void {
  if (isBox(choice)) choice.checked = false;
  else choice.value = '';
}

/** Just as these fields say: what they leave out was not chosen. */
export function choose(choices: readonly Choice[], fields: FormData | URLSearchParams): void {
  for (const choice of choices) {
    const values = fields.getAll(choice.name);
    if (isBox(choice)) choice.checked = values.includes(choice.value);
    else if (values.length > 0 || !MODES.includes(choice.name)) choice.value = String(values[0] ?? '');
  }
}

/** As the address says, where it has a search; else everything stays as the page begins. */
export function chooseAsAddressed(choices: readonly Choice[]): void {
  const address = new URLSearchParams(location.search);
  if (address.has('q')) choose(choices, address);
}

/** Whether the address chooses of a list that is not there yet. */
export function isAwaited(form: HTMLFormElement): boolean {
  const address = new URLSearchParams(location.search);
  return LISTED.some((name) => address.has(name) && form.elements.namedItem(name) === null);
}

/** The search that is shown, beside what the address has for the host. */
export function keepInAddress(query: URLSearchParams): void {
  const launch = new URLSearchParams(location.search).get('launch');
  const kept = new URLSearchParams([...(launch === null ? [] : [['launch', launch]]), ...query]);
  history.replaceState(history.state, '', `?${kept}`);
}
