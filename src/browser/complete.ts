import { createNewestSignal } from './dom.ts';

const COMPLETE_AFTER_MS = 120;
const MIN_LENGTH = 2;
const MAX_OPTIONS = 8;

/** Offers completions in the field's datalist; none on failure. */
export function completeWhileTyping(
  field: HTMLInputElement,
  ask: (words: string, signal: AbortSignal) => Promise<string[]>,
): void {
  const { list } = field;
  const next = createNewestSignal();
  let timer = 0;
  const offerCompletions = async (words: string, signal: AbortSignal) => {
    const labels = await ask(words, signal).catch(() => []);
    if (!signal.aborted)
      list?.replaceChildren(...labels.slice(0, MAX_OPTIONS).map((label) => new Option(label, label)));
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    const signal = next();
    const words = field.value.trim();
    if (words.length >= MIN_LENGTH) timer = setTimeout(() => void offerCompletions(words, signal), COMPLETE_AFTER_MS);
  });
}
