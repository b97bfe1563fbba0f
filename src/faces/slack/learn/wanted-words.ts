import type { LearningObject } from '../../../domain/learning-object.ts';
import { foldText } from '../../../domain/text.ts';
import type { LearnChoices } from './choices.ts';

type Wanted = Pick<LearnChoices, 'excluded' | 'phrases'>;

/** Whether an object is to be looked at for its words: no service can be asked for that. */
export const asksForWords = ({ excluded, phrases }: Wanted): boolean =>
  excluded.length > 0 || phrases.length > 0;

/** Whether an object's title or description has each phrase and nothing that is not wanted, as whole words. */
export function createWordCheck({ excluded, phrases }: Wanted): (object: LearningObject) => boolean {
  const [without, within] = [excluded, phrases].map((texts) => texts.map(wholeWords));
  return ({ title, description }) => {
    const text = fold(`${title}\n${description ?? ''}`);
    return within!.every((words) => words.test(text)) && !without!.some((words) => words.test(text));
  };
}

/** Whatever stands between its words: blanks, dashes. */
function wholeWords(text: string): RegExp {
  const words = fold(text).trim().split(/\s+/).map(escapePattern).join('[\\s\\p{Pd}]+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'u');
}

const escapePattern = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const fold = (text: string): string => foldText(text).replace(/[‘’]/g, "'");
