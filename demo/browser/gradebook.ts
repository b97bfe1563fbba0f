/** Asks for the gradebook while somebody looks at the page, and says what is new in it. */
const PAUSE_MS = 1500;

const place = document.querySelector<HTMLElement>('[data-gradebook]');
if (place !== null) setInterval(() => void renew(place), PAUSE_MS);

let isAsking = false;

async function renew(place: HTMLElement): Promise<void> {
  if (isAsking || document.hidden) return;
  isAsking = true;
  try {
    const response = await fetch(place.dataset.gradebook ?? '');
    if (response.ok) show(place, await response.text());
  } catch {
    // The host is being restarted; the next time.
  } finally {
    isAsking = false;
  }
}

function show(place: HTMLElement, text: string): void {
  const renewed = new DOMParser().parseFromString(text, 'text/html').querySelector<HTMLElement>('.gradebook');
  const old = place.querySelector<HTMLElement>('.gradebook');
  if (renewed === null || old === null || renewed.isEqualNode(old)) return;
  const { latest = '' } = renewed.dataset;
  const isNews = latest !== '' && latest !== old.dataset.latest;
  const hadFocus = old.contains(document.activeElement);
  old.replaceWith(renewed);
  if (hadFocus) renewed.querySelector<HTMLElement>('[tabindex]')?.focus();
  const news = document.querySelector('[data-news]');
  if (isNews && news !== null) news.textContent = latest;
}
