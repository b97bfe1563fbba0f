import { lengths, levels, prices } from '../../../domain/learning-object-query.ts';
import { AppError } from '../../../errors.ts';
import {
  choose,
  dropChoice,
  isDroppable,
  type LearnChoices,
  type LengthName,
  type LevelName,
  minutesOf,
} from './choices.ts';
import { ANY, CHOSEN } from './menu-values.ts';

/** The choices after something was chosen in a filter's menu; null where that changes nothing.
 *  @param name of the filter, as in the menu's id. Errors: PARAMETERS_INVALID. */
export function changeFilter(choices: LearnChoices, name: string, value: string): LearnChoices | null {
  if (!isDroppable(name)) throw unknownChoice();
  if (value === ANY) return dropChoice(choices, name);
  if (!value.startsWith(CHOSEN)) return null;
  const read = readers[name];
  const chosen = read?.(value.slice(CHOSEN.length)) ?? null;
  if (chosen === null) throw unknownChoice();
  return choose(choices, chosen);
}

type Reader = (value: string) => Partial<LearnChoices> | null;

const readers: Readonly<Record<string, Reader>> = {
  type: (type) => ({ types: [type] }),
  lang: (lang) => ({ lang }),
  provider: (provider) => ({ providers: [provider] }),
  level: (level) => (Object.hasOwn(levels, level) ? { levels: [level as LevelName] } : null),
  learningTime: (length) => (Object.hasOwn(lengths, length) ? minutesOf(length as LengthName) : null),
  free: (price) => {
    const known = prices.find((each) => each === price);
    return known === undefined ? null : { price: known };
  },
};

function unknownChoice(): AppError {
  return new AppError('PARAMETERS_INVALID', 'This menu has no such choice any more. Search again.');
}
