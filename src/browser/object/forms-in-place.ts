import { postSessionForm, showFragment, showProblem } from '../lti/session.ts';

const PATH = '/lti';

/** Submits forms with `data-in-place="done"` without a new page: the answer replaces `#done`.
 *  @param whenVisible called with the new element */
export function sendInPlace(whenVisible: (place: Element) => void): void {
  document.addEventListener('submit', async (event) => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement)) return;
    const place = document.querySelector(`#${form.dataset.inPlace}`);
    if (place === null) return;
    event.preventDefault();
    // Ignores a second press.
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    await send(form, place, whenVisible);
    form.ariaBusy = null;
  });
}

async function send(form: HTMLFormElement, place: Element, whenVisible: (place: Element) => void): Promise<void> {
  try {
    const path = new URL(form.action).pathname.slice(PATH.length);
    const response = await postSessionForm(path, new FormData(form));
    // The object was replaced meanwhile: the target page explains it.
    if (response.redirected) return location.assign(response.url);
    showFragment(place, await response.text());
    place.querySelector<HTMLElement>('[data-focus]')?.focus({ preventScroll: true });
    whenVisible(place);
  } catch (error) {
    showProblem(addProblemPlace(form), error);
  }
}

/** Below the form, so that its values stay. */
function addProblemPlace(within: Element): Element {
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
  const tell = async () => {
    try {
      const response = await postSessionForm('/object/opened', { placement });
      // The object was replaced meanwhile: the target page explains it.
      if (response.redirected) return location.assign(response.url);
      showFragment(place, await response.text());
      whenVisible(place);
    } catch (error) {
      showProblem(addProblemPlace(place), error);
    }
  };
  link.addEventListener('click', tell);
  // The middle button opens a tab, too.
  link.addEventListener('auxclick', ({ button }) => {
    if (button === 1) void tell();
  });
}
