import type { EncodedText, EncodeOptions } from '../../ports/encoder.ts';
import type { QueuedItem } from './encode-queue.ts';
import { createLateError } from './model-errors.ts';

/** Somebody who waits for the vectors of some texts. */
export interface Waiting {
  readonly items: readonly QueuedItem[];
  /** Errors: MODEL_UNAVAILABLE once it is too late, unless it is background work; what an item failed with; the reason of the signal. */
  readonly encoded: Promise<readonly EncodedText[]>;
}

export function startWaiting(texts: readonly string[], options: EncodeOptions, deadlineMs: number): Waiting {
  const { kind, tokens: withTokens = false, isBackground = false, signal } = options;
  const results: EncodedText[] = new Array(texts.length);
  let left = texts.length;
  let isGone = false;
  let succeed = () => {};
  let fail: (error: unknown) => void = () => {};
  const encoded = new Promise<readonly EncodedText[]>((resolve, reject) => {
    const abort = () => fail(signal?.reason);
    const timer = isBackground ? undefined : setTimeout(() => fail(createLateError(deadlineMs)), deadlineMs);
    const end = () => {
      isGone = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    succeed = () => {
      end();
      resolve(results);
    };
    fail = (error) => {
      end();
      reject(error);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
  if (left === 0) succeed();
  const items = texts.map((text, index): QueuedItem => {
    const settle = (own: EncodedText) => {
      results[index] = own;
      left -= 1;
      if (left === 0) succeed();
    };
    return { text, kind, isBackground, withTokens, isGone: () => isGone, settle, fail };
  });
  return { items, encoded };
}
