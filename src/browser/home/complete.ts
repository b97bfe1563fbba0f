/** Offer words that complete what is typed. */

const COMPLETE_AFTER_MS = 120;

export function completeWhileTyping(input: HTMLInputElement, list: HTMLDataListElement): void {
  let timer = 0;
  let running: AbortController | undefined;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    running?.abort();
    const words = input.value.trim();
    if (words.length < 2) return;
    timer = setTimeout(async () => {
      running = new AbortController();
      const { signal } = running;
      const labels = await fetchCompletions(words, signal);
      if (!signal.aborted) list.replaceChildren(...labels.map((label) => new Option(label, label)));
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
