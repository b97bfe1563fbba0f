/** Requests pending connection checks, then the list of what needs attention. */

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

/** On failure, the link for a manual check stays. */
async function check(place: HTMLElement): Promise<void> {
  try {
    const response = await fetch(place.dataset.health ?? '', { headers: { accept: 'application/json' } });
    if (response.ok) show(place, (await response.json()) as HealthView);
  } catch {
    // The browser is offline; the link is still there.
  }
}

function show(place: HTMLElement, { mark, label, explained, checked }: HealthView): void {
  const state = element('span', `state ${mark}`, label);
  const more = [element('p', '', explained), element('p', 'quiet', checked)];
  place.replaceChildren(state, ...more.filter(({ textContent }) => textContent !== ''));
}

function element(name: 'span' | 'p', className: string, text: string): HTMLElement {
  const newElement = document.createElement(name);
  newElement.className = className;
  newElement.textContent = text;
  return newElement;
}

/** Keeps the list while somebody reads it with the keyboard. */
async function renewAttention(): Promise<void> {
  const old = document.querySelector('#attention');
  const response = await fetch(location.href).catch(() => null);
  if (old === null || !response?.ok || old.contains(document.activeElement)) return;
  const renewed = new DOMParser().parseFromString(await response.text(), 'text/html');
  const next = renewed.querySelector('#attention');
  if (next !== null) old.replaceWith(next);
}
