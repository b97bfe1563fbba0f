import type { Concept } from '../../src/engine/terms/types.ts';
import { fold } from '../../src/engine/text/fold.ts';
import { below, createRandom, pick, type Random } from '../corpus/random.ts';
import { required } from '../required.ts';

/** What someone types who wants a label. */
export interface KnownItem {
  readonly typed: string;
  readonly label: string;
}

export interface KnownItems {
  /** By how they are typed. */
  readonly kinds: ReadonlyMap<string, readonly KnownItem[]>;
  /** The labels drawn that are clear from a beginning of 40 to 70 % of their letters. */
  readonly shareTelling: number;
}

const SAMPLES_PER_LANGUAGE = 1_500;
const SEED = 9;
const CUT = { least: 0.4, most: 0.7, letters: 4 };
/** A beginning tells enough when so many other labels at the most begin so: five are shown. */
const MAX_RIVALS = 5;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Labels of each language by chance, each cut, mistyped, and both. The same each time. */
export function drawKnownItems(concepts: readonly Concept[]): KnownItems {
  const random = createRandom(SEED);
  const texts = textsByLang(concepts);
  const sorted = [...new Set([...texts.values()].flatMap((all) => all.map(fold)))].sort();
  const drawn = [...texts.keys()].sort().flatMap((lang) => draw(texts.get(lang) ?? [], random));
  const cuts = drawn.flatMap((label) => {
    const typed = cutShort(label, sorted, random);
    return typed === null ? [] : [{ typed, label }];
  });
  return {
    kinds: new Map([
      ['a beginning', cuts],
      ['one typo', drawn.map((label) => ({ typed: mistype(label, random), label }))],
      ['a beginning, one typo', cuts.map(({ typed, label }) => ({ typed: mistype(typed, random), label }))],
    ]),
    shareTelling: cuts.length / drawn.length,
  };
}

function textsByLang(concepts: readonly Concept[]): Map<string, string[]> {
  const byLang = new Map<string, Map<string, string>>();
  for (const { labels, altLabels } of concepts) {
    const all = [
      ...Object.entries(labels),
      ...Object.entries(altLabels).flatMap(([lang, texts]) => texts.map((text) => [lang, text] as const)),
    ];
    for (const [lang, text] of all) {
      if (text.length < CUT.letters) continue;
      const known = byLang.get(lang) ?? new Map<string, string>();
      byLang.set(lang, known.set(fold(text), text));
    }
  }
  return new Map([...byLang].map(([lang, texts]) => [lang, [...texts.values()]]));
}

function draw(texts: readonly string[], random: Random): string[] {
  const pool = [...texts];
  const count = Math.min(SAMPLES_PER_LANGUAGE, pool.length);
  for (let i = 0; i < count; i++) {
    const other = i + below(random, pool.length - i);
    [pool[i], pool[other]] = [required(pool[other], 'label'), required(pool[i], 'label')];
  }
  return pool.slice(0, count);
}

/** A beginning of 40 % to 70 % of the letters, as short as chance has it but long enough to tell; null when none is. */
function cutShort(label: string, sorted: readonly string[], random: Random): string | null {
  const most = Math.floor(label.length * CUT.most);
  const least = Math.max(CUT.letters, Math.ceil(label.length * CUT.least));
  if (least > most) return null;
  for (let length = least + below(random, most - least + 1); length <= most; length++) {
    const typed = label.slice(0, length);
    if (typed.endsWith(' ')) continue;
    if (countBeginning(sorted, fold(typed)) - 1 <= MAX_RIVALS) return typed;
  }
  return null;
}

/** As far as it matters. */
function countBeginning(sorted: readonly string[], beginning: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (required(sorted[middle], 'label') < beginning) low = middle + 1;
    else high = middle;
  }
  let count = 0;
  while (count <= MAX_RIVALS + 1 && sorted[low + count]?.startsWith(beginning)) count++;
  return count;
}

/** A text with one typo. A letter in its own place again, or one of two that are the same exchanged with the other, is none, so it is
 *  drawn anew. */
export function mistype(text: string, random: Random): string {
  let typed = text;
  while (fold(typed) === fold(text)) typed = editOnce(text, random);
  return typed;
}

/** One letter too many, too few, another one, or two exchanged; each as likely. */
function editOnce(text: string, random: Random): string {
  const places = [...text].flatMap((letter, i) => (/\p{L}/u.test(letter) ? [i] : []));
  const at = places.length === 0 ? 0 : pick(random, places);
  const letter = LETTERS.charAt(below(random, LETTERS.length));
  const edits = [
    () => text.slice(0, at) + letter + text.slice(at),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + letter + text.slice(at + 1),
    () => text.slice(0, at) + (text[at + 1] ?? '') + text[at] + text.slice(at + 2),
  ];
  return pick(random, edits)();
}
