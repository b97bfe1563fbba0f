import { escapeMrkdwn } from '../blocks/text.ts';
import { parseLearn } from './parse-learn.ts';

/** A term as it is typed to search for it: in quotation marks is each word that would be taken for a filter, or for one to leave
 *  out. Not several together, which would be searched for as a phrase. */
export function typedTerm(label: string): string {
  return label
    .replace(/["“”„‟«»＂]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (isPlain(word) ? word : `"${escapeMrkdwn(word)}"`))
    .join(' ');
}

function isPlain(word: string): boolean {
  const { words, unknown } = parseLearn(word);
  return words === word && unknown.length === 0;
}
