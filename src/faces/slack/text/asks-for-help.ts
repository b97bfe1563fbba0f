import { foldText } from '../../../domain/text.ts';
import { normalise } from './normalise.ts';

const helpWords: ReadonlySet<string> = new Set(['help', 'aide', '?']);

/** Whether nothing but a word for help was typed after a command. */
export const asksForHelp = (typed: string): boolean => helpWords.has(foldText(normalise(typed)));
