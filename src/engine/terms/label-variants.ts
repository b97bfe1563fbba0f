import { fold } from '../text/fold.ts';
import type { ConceptKind } from './types.ts';

const PARENTHESIS = /\s*\([^()]*\)/g;
/** An ending that is not a word: `Leiter/in`, `conductor/a`. */
const ENDING = /(?<=\p{L}{3})\/-?\p{Ll}{1,5}(?!\p{L})/gu;
/** Two words that begin with this many equal letters are forms of one word. */
const COMMON_LETTERS = 3;
/** A query with more sides is one search, as each side takes a search of its own. */
const MAX_SIDES = 3;

/** Lists shorter forms that people use of a label: without a parenthesis, and for occupations each
 *  side of a slash.
 *  @example listLabelVariants('chef / cheffe de projet', 'occupation')
 *  // ['chef de projet', 'cheffe de projet'] */
export function listLabelVariants(label: string, kind: ConceptKind): string[] {
  const bare = label.replace(PARENTHESIS, '').trim();
  const variants = bare !== label && bare !== '' ? [bare] : [];
  return kind === 'occupation' && bare.includes('/') ? [...variants, ...listLabelSides(bare)] : variants;
}

/** Lists the searches that a query with slashes means: each form, if it has two forms of one name;
 *  else the whole query and, if there are few, each side. Shape: 1 to 4 texts.
 *  @example listLabelReadings('boulanger / boulangère') // ['boulanger', 'boulangère'] */
export function listLabelReadings(keywords: string): string[] {
  if (!keywords.includes('/')) return [keywords];
  const bare = keywords.replace(PARENTHESIS, '').trim();
  const forms = splitLabelForms(bare);
  if (forms.length > 0) return forms;
  const sides = listLabelSides(bare);
  return sides.length > MAX_SIDES ? [keywords] : [keywords, ...sides];
}

function listLabelSides(label: string): string[] {
  const forms = splitLabelForms(label);
  if (forms.length > 0) return forms;
  const withoutEnding = label.replace(ENDING, '');
  if (withoutEnding !== label) return [withoutEnding];
  const sides = label.split('/').map((side) => side.trim());
  const lengths = new Set(sides.map((side) => side.split(/\s+/).length));
  return lengths.size === 1 && sides.every((side) => side.length >= 3) ? sides : [];
}

function splitLabelForms(label: string): string[] {
  const sides = label.split('/').map((side) => side.trim().split(/\s+/));
  const [left, right] = sides;
  return sides.length === 2 && left && right ? completeLabelForms(left, right) : [];
}

/** Completes two forms: if the last words on the left correspond to the first on the right, the
 *  words before and after them belong to both. Returns nothing if none correspond. */
function completeLabelForms(left: readonly string[], right: readonly string[]): string[] {
  for (let count = Math.min(left.length, right.length); count > 0; count--) {
    const head = left.slice(0, left.length - count);
    const last = left.slice(left.length - count);
    if (!last.every((word, i) => areLabelForms(word, right[i]!))) continue;
    return [[...head, ...last, ...right.slice(count)].join(' '), [...head, ...right].join(' ')];
  }
  return [];
}

function areLabelForms(a: string, b: string): boolean {
  const beginning = fold(a).slice(0, COMMON_LETTERS);
  return beginning.length === COMMON_LETTERS ? fold(b).startsWith(beginning) : fold(a) === fold(b);
}
