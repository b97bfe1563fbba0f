/** Parts of a page, asked for with what is in a form and put in their place. */

/** The text of the part; null where the host did not give it: it is away, or the session is over. */
export async function fetchFragment(
  form: HTMLFormElement,
  address: string,
  signal: AbortSignal,
): Promise<string | null> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  body.set('fragment', '1');
  const response = await fetch(address, { method: 'POST', body, signal });
  return response.ok && !response.redirected ? response.text() : null;
}

/** Put a part in its place, and tell those who cannot see it what its marked line says. */
export function showFragment(place: Element, html: string): void {
  const content = new DOMParser().parseFromString(html, 'text/html').body;
  place.replaceChildren(...content.childNodes);
  announce(place, place.querySelector('[data-announce]')?.textContent?.trim() ?? '');
}

/** Say something where a screen reader listens: `#preview` has `#preview-status`. */
export function announce(place: Element, text: string): void {
  const status = document.querySelector(`#${place.id}-status`);
  if (status !== null) status.textContent = text;
}
