/** The home of the app, as it published it for the person. */

import { drawBlocks } from './blocks.ts';
import { keepFocus, make } from './dom.ts';
import { drawPayload } from './payload.ts';
import type { View } from './state.ts';
import type { Surface } from './surface.ts';
import { say } from './words.ts';

export function createHome(place: HTMLElement, surfaceOf: (view: View) => Surface) {
  let shown = '';
  return {
    show(view: View | null): void {
      const content = JSON.stringify(view);
      if (content === shown) return;
      shown = content;
      const drawn =
        view === null
          ? [make('p', { class: 'quiet empty' }, say('homeEmpty'))]
          : [...drawBlocks(view.blocks, surfaceOf(view)), drawPayload({ blocks: view.blocks })];
      keepFocus(place, place);
      place.replaceChildren(...drawn);
    },
  };
}
