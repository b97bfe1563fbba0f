/** Asks for the connections that were still being checked when the overview was made, and then for
 *  what needs attention. */

interface HealthView {
  readonly mark: string;
  readonly label: string;
  readonly explained: string;
  readonly checked: string;
}

const waiting = [...document.querySelectorAll<HTMLElement>('[data-health]')];
if (waiting.length > 0) void checkAll();

async function checkAll(): Promise<void> {
  await Promise.all(waiting.map(check));
  const status = document.querySelector<HTMLElement>('[data-health-done]');
  if (status !== null) status.textContent = status.dataset.healthDone ?? '';
  await renewAttention();
}

/** What fails keeps the link that checks by hand. */
async function check(place: HTMLElement): Promise<void> {
  try {
    const response = await fetch(place.dataset.health ?? '', { headers: { accept: 'application/json' } });
    if (response.ok) show(place, (await response.json()) as HealthView);
  } catch {
    // The network of the browser; the link is still there.
  }
}

function show(place: HTMLElement, { mark, label, explained, checked }: HealthView): void {
  const state = element('span', `state ${mark}`, label);
  const more = [element('p', '', explained), element('p', 'quiet', checked)];
  place.replaceChildren(state, ...more.filter(({ textContent }) => textContent !== ''));
}

function element(name: 'span' | 'p', className: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** A page loaded now has the results; people who are reading the list with the keyboard keep the
 *  old one. */
async function renewAttention(): Promise<void> {
  const old = document.querySelector('#attention');
  const response = await fetch(location.href).catch(() => null);
  if (old === null || !response?.ok || old.contains(document.activeElement)) return;
  const renewed = new DOMParser().parseFromString(await response.text(), 'text/html');
  const next = renewed.querySelector('#attention');
  if (next !== null) old.replaceWith(next);
}
