import type { ObjectWords } from '#faces/object-view/facts';
import { actions, button, type KnownBlock, limits } from '../blocks/block-kit.ts';
import { cutText } from '../blocks/text.ts';
import { nameChoice, nameChoiceValue } from './choice-names.ts';
import { type Droppable, droppable, listChoiceValues } from './choices.ts';
import type { FilterParts } from './filter-menus.ts';

interface Chip {
  /** Of the filter, with the place of the value where it is one of several: `type_1`. */
  readonly id: string;
  readonly chosen: string;
}

/** Characters around what a chip says. */
const CHIP_SIGN = 5;

/** What was understood, each value with a button that removes it; then what else may have been meant. */
export function drawChipBlocks(parts: FilterParts, words: ObjectWords): KnownBlock[] {
  const meant = meantButtons(parts, words);
  const room = limits.actionsElements - meant.length;
  const each = droppable.flatMap((name) => chipsOf(name, parts, words));
  const chips = each.length <= room ? each : droppable.flatMap((name) => chipOf(name, parts, words));
  const buttons = [...chips.map((chip) => chipButton(chip, parts, words)), ...meant];
  return buttons.length === 0 ? [] : [actions(buttons)];
}

/** A chip for each value. */
function chipsOf(name: Droppable, parts: FilterParts, words: ObjectWords): Chip[] {
  const { choices, lists } = parts;
  const values = listChoiceValues(choices, name);
  if (values === null) return chipOf(name, parts, words);
  return values.map((value, place) => {
    const shown = nameChoiceValue(name, value, { words, lists });
    return { id: `${name}_${place}`, chosen: words.t(`slackLearn.chips.${name}`, { value: shown }) };
  });
}

/** One for all that is chosen of a filter. */
function chipOf(name: Droppable, { choices, lists }: FilterParts, words: ObjectWords): Chip[] {
  const value = nameChoice(name, choices, { words, lists });
  return value === null ? [] : [{ id: name, chosen: words.t(`slackLearn.chips.${name}`, { value }) }];
}

function chipButton({ id, chosen }: Chip, { token }: FilterParts, { t }: ObjectWords) {
  // The mark that it can be removed stays even where the value is too long.
  const text = t('slackLearn.chip', { chosen: cutText(chosen, limits.buttonText - CHIP_SIGN) });
  const label = t('slackLearn.dropChip', { chosen });
  return button({ actionId: `learn_drop_${id}`, text, value: token, label });
}

const meantButtons = ({ choices, token }: FilterParts, { t }: ObjectWords) =>
  choices.meant.map(({ text }, place) =>
    button({
      actionId: `learn_meant_${place}`,
      text: t('slackLearn.meant', { text }),
      value: `${token}:${place}`,
    }),
  );
