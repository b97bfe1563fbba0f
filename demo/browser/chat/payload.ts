import { make } from './dom.ts';
import type { Block } from './state.ts';
import { say } from './words.ts';

/** What the app sent, for those who want to know how it is made. It was checked before it was
 *  shown. */
export function drawPayload(payload: { readonly text?: string; readonly blocks: readonly Block[] }): HTMLElement {
  const details = make('details', { class: 'payload' }, make('summary', {}, say('payload')));
  // Long, and rarely asked for.
  details.addEventListener(
    'toggle',
    () => {
      const json = JSON.stringify(payload, null, 2);
      const count = payload.blocks.length;
      details.append(
        make('p', { class: 'quiet' }, say('checked', { blocks: count, kilobytes: (json.length / 1024).toFixed(1) })),
        make('pre', { tabindex: '0' }, json),
      );
    },
    { once: true },
  );
  return details;
}
