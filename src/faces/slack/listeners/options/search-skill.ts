import { isOptionValue, option } from '../../blocks/menus.ts';
import { toOneLine } from '../../blocks/text.ts';
import type { OptionsListener } from '../../listener.ts';
import { fieldId } from '../../search-modal/search-fields.ts';

const MAX_PROPOSED = 20;

/** Skills that complete what is typed, best first. */
export function searchSkillListener(): OptionsListener {
  return {
    kind: 'options',
    actionId: fieldId('skill'),
    async handle({ discovery }, typed) {
      const { suggestions } = await discovery.complete(typed);
      const labels = new Set(suggestions.map(({ label }) => toOneLine(label)));
      return [...labels]
        .filter(isOptionValue)
        .slice(0, MAX_PROPOSED)
        .map((label) => option(label, label));
    },
  };
}
