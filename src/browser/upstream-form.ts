import { announce, fetchFragment, showFragment } from './fragments.ts';

/** Show the fields of the chosen kind of upstream only, and test the connection in place, so that a typed key stays. */
export function improveUpstreamForm(form: HTMLFormElement): void {
  showFieldsOfKind(form);
  form.addEventListener('change', () => showFieldsOfKind(form));
  const place = document.querySelector<HTMLElement>('#test');
  if (place === null) return;
  form.addEventListener('submit', async (event) => {
    if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.name !== 'test') return;
    event.preventDefault();
    await test(form, event.submitter, place);
  });
}

function showFieldsOfKind(form: HTMLFormElement): void {
  const chosen = form.querySelector<HTMLInputElement>('[name="kind"]:checked')?.value ?? '';
  for (const part of form.querySelectorAll<HTMLElement>('[data-for-kind]'))
    part.hidden = !part.dataset.forKind!.split(' ').includes(chosen);
}

async function test(form: HTMLFormElement, button: HTMLButtonElement, place: HTMLElement): Promise<void> {
  // Not `disabled`: that would take the focus away from whoever pressed it.
  if (button.getAttribute('aria-disabled') === 'true') return;
  button.setAttribute('aria-disabled', 'true');
  say(place, form.dataset.testing ?? '');
  const html = await fetchFragment(form, form.dataset.test!, AbortSignal.timeout(60_000)).catch(() => null);
  button.removeAttribute('aria-disabled');
  if (html === null) return say(place, form.dataset.testFailed ?? '');
  showFragment(place, html);
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: 'nearest' });
}

function say(place: HTMLElement, text: string): void {
  const line = document.createElement('p');
  line.className = 'notice';
  line.textContent = text;
  place.replaceChildren(line);
  announce(place, text);
}
