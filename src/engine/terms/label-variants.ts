import { fold } from '../text/fold.ts';
import type { ConceptKind } from './types.ts';

const PARENTHESIS = /\s*\([^()]*\)/g;
/** `Leiter/in`, `conductor/a`: an ending, not a word. */
const ENDING = /(?<=\p{L}{3})\/-?\p{Ll}{1,5}(?!\p{L})/gu;
/** Letters by which two words are taken for forms of one. */
const COMMON_BEGINNING = 3;
/** Each side of a query is a search of its own, so a list of more names is one search for all its words. */
const MAX_SIDES = 3;

/** What people write for a longer label: `Java (computer programming)` is `Java`, and each side of
 *  `boulanger / boulangère` and of `chef / cheffe de projet` stands alone. */
export function listLabelVariants(label: string, kind: ConceptKind): string[] {
  const bare = label.replace(PARENTHESIS, '').trim();
  const variants = bare !== label && bare !== '' ? [bare] : [];
  return kind === 'occupation' && bare.includes('/') ? [...variants, ...sidesOf(bare)] : variants;
}

/** What a query says: each form, when it names one thing in two (both together would look for the words that only differ in form twice);
 *  else itself, and what its sides say when they are few.
 *  Shape: 1 to 4 texts.
 *  @example listLabelReadings('boulanger / boulangère') // ['boulanger', 'boulangère'] */
export function listLabelReadings(keywords: string): string[] {
  if (!keywords.includes('/')) return [keywords];
  const bare = keywords.replace(PARENTHESIS, '').trim();
  const forms = twoFormsOf(bare);
  if (forms.length > 0) return forms;
  const sides = sidesOf(bare);
  return sides.length > MAX_SIDES ? [keywords] : [keywords, ...sides];
}

function sidesOf(label: string): string[] {
  const forms = twoFormsOf(label);
  if (forms.length > 0) return forms;
  const withoutEnding = label.replace(ENDING, '');
  if (withoutEnding !== label) return [withoutEnding];
  const sides = label.split('/').map((side) => side.trim());
  const lengths = new Set(sides.map((side) => side.split(/\s+/).length));
  return lengths.size === 1 && sides.every((side) => side.length >= 3) ? sides : [];
}

function twoFormsOf(label: string): string[] {
  const [left = [], right = [], ...others] = label.split('/').map((side) => side.trim().split(/\s+/));
  return others.length > 0 ? [] : formsOf(left, right);
}

/** Both forms in full, when the last words on the left have their twins first on the right: what stands before and after belongs to
 *  both. None when there are no twins. */
function formsOf(left: readonly string[], right: readonly string[]): string[] {
  for (let count = Math.min(left.length, right.length); count > 0; count--) {
    const head = left.slice(0, left.length - count);
    const own = left.slice(left.length - count);
    if (!own.every((word, i) => areForms(word, right[i]!))) continue;
    return [[...head, ...own, ...right.slice(count)].join(' '), [...head, ...right].join(' ')];
  }
  return [];
}

function areForms(a: string, b: string): boolean {
  const beginning = fold(a).slice(0, COMMON_BEGINNING);
  return beginning.length === COMMON_BEGINNING ? fold(b).startsWith(beginning) : fold(a) === fold(b);
}
