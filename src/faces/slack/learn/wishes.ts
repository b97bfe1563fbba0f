import type { LearningObject } from '../../../domain/learning-object.ts';
import { levels } from '../../../domain/learning-object-query.ts';
import type { LearnChoices } from './choices.ts';
import { hasLevelGap } from './query.ts';
import { asksForWords, createWordCheck } from './wanted-words.ts';

type Check = (object: LearningObject) => boolean;

/** Whether an object is what no service can be asked for; null where nothing of that is wanted. */
export function createWishCheck(choices: LearnChoices): Check | null {
  const checks: Check[] = [];
  if (asksForWords(choices)) checks.push(createWordCheck(choices));
  if (hasLevelGap(choices)) checks.push(({ level }) => isOneOf(choices.levels, level));
  return checks.length === 0 ? null : (object) => checks.every((holds) => holds(object));
}

/** Of an unknown level nothing can be said. */
function isOneOf(names: LearnChoices['levels'], level: number | undefined): boolean {
  if (level === undefined) return false;
  return names.some((name) => {
    const { levelMin = -1, levelMax = 1 }: { levelMin?: number; levelMax?: number } = levels[name];
    return level >= levelMin && level <= levelMax;
  });
}
