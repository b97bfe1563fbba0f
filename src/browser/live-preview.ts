import { announce, fetchFragment, showFragment } from './fragments.ts';

const PREVIEW_AFTER_MS = 350;

/** Keep the preview beside a form (`data-live` its address, `data-live-target` its place) as the form is. */
export function keepPreview(form: HTMLFormElement): void {
  const place = document.querySelector(`#${form.dataset.liveTarget}`);
  if (place === null) return;
  const show = createShow(form, place);
  let timer = 0;
  const showSoon = ({ target }: Event) => {
    // What only helps to fill in the form has no name.
    if (!(target instanceof Element) || !target.hasAttribute('name')) return;
    clearTimeout(timer);
    timer = setTimeout(show, PREVIEW_AFTER_MS);
  };
  form.addEventListener('input', showSoon);
  form.addEventListener('submit', (event) => {
    if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.name !== 'preview') return;
    event.preventDefault();
    clearTimeout(timer);
    void show();
  });
}

/** A newer call ends an older one, so that what is shown is what is in the form. */
function createShow(form: HTMLFormElement, place: Element): () => Promise<void> {
  let running: AbortController | undefined;
  return async () => {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    place.setAttribute('aria-busy', 'true');
    const html = await fetchFragment(form, form.dataset.live!, signal).catch(() => null);
    if (signal.aborted) return;
    place.removeAttribute('aria-busy');
    if (html !== null) return showFragment(place, html);
    place.textContent = form.dataset.liveFailed ?? '';
    announce(place, place.textContent);
  };
}
