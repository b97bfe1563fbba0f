import { stem } from './stem.ts';

/** Endings that stems of one family of words have in turn: `soud` (souder), `soudag` (soudage), `soudeur`. They are taken off
 *  and put on after stemming, so one ending stands for all its inflections.
 *  `minRoot`: letters that are left, for endings that many unrelated words have, too (`flow`, `flower`). */
const FAMILIES: Readonly<Record<string, readonly { endings: readonly string[]; minRoot: number }[]>> = {
  en: [
    { endings: ['', 'i', 'ist'], minRoot: 4 },
    { endings: ['', 'ician'], minRoot: 4 },
    { endings: ['', 'er', 'or'], minRoot: 5 },
  ],
  fr: [
    { endings: ['', 'ag', 'ur', 'eur', 'i', 'eri'], minRoot: 4 },
    { endings: ['', 'icien', 'iqu'], minRoot: 4 },
  ],
};

/** Stems of words of the same family as a folded word (a trade, who has it, what they do), without its own: guesses, of
 *  which many are no words. */
export function derivedStems(word: string, lang: string): ReadonlySet<string> {
  const own = stem(word, lang);
  const stems = new Set<string>();
  for (const { endings, minRoot } of (Object.hasOwn(FAMILIES, lang) && FAMILIES[lang]) || []) {
    for (const ending of endings) {
      if (!own.endsWith(ending) || own.length - ending.length < minRoot) continue;
      const root = own.slice(0, own.length - ending.length);
      for (const other of endings) stems.add(root + other);
    }
  }
  stems.delete(own);
  return stems;
}
