import type { OpenTerms } from '../concept-view.ts';
import { NONE } from '../term-data.ts';

/** Words put in the place of `count` of those typed. */
export interface Correction {
  readonly at: number;
  readonly count: number;
  readonly by: readonly string[];
}

/** A shorter word by itself may be meant for too many; beside others these tell. */
const MIN_TYPO_LENGTH = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Words exchanged in the given places, then blanks moved there. */
export function* listCorrections(
  terms: OpenTerms,
  words: readonly string[],
  { first, last }: { readonly first: number; readonly last: number },
): Generator<Correction> {
  const isInCompany = words.length > 1;
  for (let at = first; at <= last; at++) {
    const word = words[at]!;
    const near = terms.spelling.findTypos(word).map((found) => terms.lexicon.words[found]!);
    const others = at === words.length - 1 ? nearBeginnings(terms, word, isInCompany) : [];
    const short = isInCompany && word.length < MIN_TYPO_LENGTH ? nearShortWords(terms, word) : [];
    for (const other of new Set([...near, ...others, ...short])) yield { at, count: 1, by: [other] };
  }
  // A blank takes the word after it along.
  const lastBlank = Math.min(last, words.length - 2);
  for (let at = Math.max(0, first - 1); at <= lastBlank; at++) yield* movedBlanks(words, at);
}

/** A letter on the wrong side of the blank after a word, the blank left out, and one typed in its place: `projec tplan`. */
function* movedBlanks(words: readonly string[], at: number): Generator<Correction> {
  const left = words[at]!;
  const right = words[at + 1]!;
  const replaceBoth = (...by: string[]) => ({ at, count: 2, by });
  if (left.length > 1) yield replaceBoth(left.slice(0, -1), left.slice(-1) + right);
  if (right.length > 1) yield replaceBoth(left + right.slice(0, 1), right.slice(1));
  yield replaceBoth(left + right);
}

/** Known words one edit away from one too short for the table of typos. */
function nearShortWords({ lexicon }: OpenTerms, word: string): string[] {
  const longer = LETTERS.split('').map((letter) => word + letter);
  return [...editsOf(word, word.length), ...longer].filter(
    (edit) => edit !== word && lexicon.findWord(edit) !== NONE,
  );
}

/** Beginnings of known words that are one edit away. An edit after the point where the typed word stops being the
 *  beginning of any word cannot help, so only the places before it are tried. */
function nearBeginnings({ lexicon }: OpenTerms, typed: string, isInCompany: boolean): string[] {
  if (typed.length < (isInCompany ? 1 : MIN_TYPO_LENGTH)) return [];
  const isBeginning = (text: string) => isBeginningOfAny(lexicon.words, text);
  let places = 0;
  while (places < typed.length && isBeginning(typed.slice(0, places))) places++;
  return [...new Set(editsOf(typed, places))].filter(
    (edit) => edit !== typed && edit !== '' && isBeginning(edit),
  );
}

/** A text with one letter less, exchanged with the next, another, or more, at each of its first places. */
function editsOf(text: string, places: number): string[] {
  const edits: string[] = [];
  for (let i = 0; i < places; i++) {
    const head = text.slice(0, i);
    const tail = text.slice(i + 1);
    edits.push(head + tail);
    if (tail !== '') edits.push(head + tail[0] + text[i] + tail.slice(1));
    for (const letter of LETTERS) edits.push(head + letter + tail, head + letter + text.slice(i));
  }
  return edits;
}

/** Hundreds of beginnings are tried, so this compares strings, without encoding each for the string table. */
function isBeginningOfAny(sorted: readonly string[], text: string): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(text) ?? false;
}
