import { postSessionForm, showSessionFragment, showSessionProblem } from '../lti/session.ts';

/** All forms of launches are sent below this path, without which `postSessionForm` takes theirs. */
const PATH = '/lti';

/** Submits forms with `data-in-place="done"`: the answer replaces `#done`, for `whenVisible`. */
export function sendInPlace(whenVisible: (place: Element) => void): void {
  document.addEventListener('submit', async (event) => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement)) return;
    const place = document.querySelector(`#${form.dataset.inPlace}`);
    if (place === null) return;
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    const path = new URL(form.action).pathname.slice(PATH.length);
    if (await postFormAndShow(path, new FormData(form), { place, problemPlace: form })) {
      place.querySelector<HTMLElement>('[data-focus]')?.focus({ preventScroll: true });
      whenVisible(place);
    }
    form.ariaBusy = null;
  });
}

/** @returns whether `place` has the answer. Another page explains a replaced object. */
async function postFormAndShow(
  path: string,
  fields: Parameters<typeof postSessionForm>[1],
  { place, problemPlace }: { readonly place: Element; readonly problemPlace: Element },
): Promise<boolean> {
  try {
    const response = await postSessionForm(path, fields);
    if (response.redirected) location.assign(response.url);
    else showSessionFragment(place, await response.text());
    return !response.redirected;
  } catch (error) {
    showSessionProblem(addFormProblemPlace(problemPlace), error);
    return false;
  }
}

function addFormProblemPlace(within: Element): Element {
  const place = within.querySelector('.form-problem') ?? document.createElement('div');
  place.className = 'form-problem';
  within.append(place);
  return place;
}

/** Tells the host that somebody opens an object on its site whose completion rule is viewing.
 *  @param whenVisible called with the element that shows the completion */
export function countOpening(whenVisible: (place: Element) => void): void {
  const link = document.querySelector<HTMLElement>('[data-opens]');
  const place = document.querySelector('#done');
  if (link === null || place === null) return;
  const placement = link.dataset.opens ?? '';
  const reportOpening = async () => {
    if (await postFormAndShow('/object/opened', { placement }, { place, problemPlace: place })) whenVisible(place);
  };
  link.addEventListener('click', reportOpening);
  // The middle button opens a tab, too.
  link.addEventListener('auxclick', ({ button }) => {
    if (button === 1) void reportOpening();
  });
}
