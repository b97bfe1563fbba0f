/** The front page works without this. It completes words as they are typed and shows results without a new page. */

const COMPLETE_AFTER_MS = 120;

const form = document.querySelector<HTMLFormElement>('#search');
const field = document.querySelector<HTMLInputElement>('#q');
const completions = document.querySelector<HTMLDataListElement>('#completions');

if (form !== null && field !== null && completions !== null) {
  completeWhileTyping(field, completions);
  searchInPlace(form);
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field?.focus();
});

function completeWhileTyping(input: HTMLInputElement, list: HTMLDataListElement): void {
  let timer = 0;
  let running: AbortController | undefined;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    running?.abort();
    const words = input.value.trim();
    if (words.length < 2) return;
    timer = setTimeout(async () => {
      running = new AbortController();
      const labels = await fetchCompletions(words, running.signal);
      list.replaceChildren(...labels.map((label) => new Option(label, label)));
    }, COMPLETE_AFTER_MS);
  });
}

/** Empty when the host does not answer: completion is a help, never an obstacle. */
async function fetchCompletions(words: string, signal: AbortSignal): Promise<string[]> {
  try {
    const response = await fetch(`/complete?${new URLSearchParams({ q: words })}`, { signal });
    return response.ok ? ((await response.json()) as string[]) : [];
  } catch {
    return [];
  }
}

function searchInPlace(search: HTMLFormElement): void {
  const go = () => {
    if (!search.reportValidity()) return;
    const choices = [...new FormData(search)].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
    );
    void show(`/?${new URLSearchParams(choices)}`);
  };
  search.addEventListener('submit', (event) => {
    event.preventDefault();
    go();
  });
  // Choosing a filter searches at once, but only where there is something to search for.
  search.addEventListener('change', (event) => {
    const isFilter =
      event.target instanceof Element && event.target.matches('select, input[type="checkbox"]');
    if (isFilter && field?.value.trim() !== '') go();
  });
  window.addEventListener('popstate', () => location.reload());
}

/** Load a page and take over its results; where that fails, go there the ordinary way. */
async function show(address: string): Promise<void> {
  const current = document.querySelector('#results');
  if (current === null) return location.assign(address);
  current.setAttribute('aria-busy', 'true');
  try {
    const response = await fetch(address);
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    const results = next.querySelector('#results');
    if (!response.ok || results === null) return location.assign(address);
    current.replaceWith(results);
    takeOverCounts(next);
    document.title = next.title;
    history.pushState(null, '', address);
    document.querySelector<HTMLElement>('#results-title')?.focus({ preventScroll: true });
  } catch {
    location.assign(address);
  }
}

/** The options say how many objects each would leave; they are changed one by one, so that no field loses its focus. */
function takeOverCounts(next: Document): void {
  for (const select of document.querySelectorAll<HTMLSelectElement>('#search select')) {
    const counted = next.querySelector<HTMLSelectElement>(`#${select.id}`);
    for (const [i, option] of [...select.options].entries())
      option.text = counted?.options[i]?.text ?? option.text;
  }
}
