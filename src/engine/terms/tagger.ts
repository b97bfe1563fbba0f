import { fold } from '../text/fold.ts';
import { idOf, type OpenTerms, preferredLabel, sourceOf, textOf } from './concept-view.ts';
import { createCoverageFinder } from './find-covered.ts';
import { findPhrases } from './find-phrases.ts';
import type { WindowContent } from './name-check.ts';
import { pruneTags, type TagCandidate } from './prune-tags.ts';
import { type AddFound, createTagCollector } from './tag-collector.ts';
import type { Tag, TagAnswer, TagQuery } from './types.ts';
import { confidenceOf, FOREIGN_PHRASE_FACTOR } from './weights.ts';
import { splitWindows, type TextWindow } from './windows.ts';

/** Candidates that pruning looks at, for each tag that is returned. */
const CANDIDATES_PER_TAG = 8;

/** Concepts a text is about. Two ways to find one, in each window of the text: its label's stems stand there one after
 *  the other, or enough of the label's idf mass is there. */
export function createTagger(terms: OpenTerms) {
  const { concepts } = terms;
  const findCovered = createCoverageFinder(terms);
  const collector = createTagCollector(terms);

  function collect(windows: readonly TextWindow[], lang: number): void {
    for (const [i, window] of windows.entries()) {
      const add: AddFound = (found) => collector.add(found, i);
      const content = readWindow(terms, window, lang);
      findCovered(content, add);
      findPhrases(terms, content, add);
      findForeignPhrases(terms, { window, lang }, add);
    }
  }

  return ({ text, lang, source, max }: TagQuery): TagAnswer => {
    const windows = splitWindows(text);
    const tokenizedText = windows.map(({ words }) => words.join(' ')).join(' ');
    const langOrdinal = labelLangFor(terms, lang);
    if (source !== undefined && !concepts.sources.includes(source)) return { tokenizedText, tags: [] };
    collector.start(source === undefined ? -1 : concepts.sources.indexOf(source));
    collect(windows, langOrdinal);
    const tags = pruneTags(
      terms,
      collector.best(max * CANDIDATES_PER_TAG),
      (window) => readWindow(terms, windows[window]!, langOrdinal).terms,
    );
    return { tokenizedText, tags: toTags(terms, tags, { lang, max }) };
  };
}

/** A text of a language without labels can still name things in English. */
function labelLangFor({ lexicon }: OpenTerms, lang: string): number {
  const known = lexicon.findLang(lang);
  return known >= 0 ? known : Math.max(lexicon.findLang('en'), 0);
}

function readWindow(
  { lexicon }: OpenTerms,
  { namingWords, inCapitals }: TextWindow,
  lang: number,
): WindowContent {
  return { ...lexicon.readContent(namingWords, lang), lang, inCapitals };
}

/** A text takes English words for new things; a foreign word that is also a word of the text's language is no evidence. */
function findForeignPhrases(
  terms: OpenTerms,
  { window, lang }: { window: TextWindow; lang: number },
  add: AddFound,
): void {
  const english = terms.lexicon.findLang('en');
  if (english < 0 || english === lang) return;
  const { labels } = terms;
  findPhrases(terms, readWindow(terms, window, english), (found) => {
    if (!found.isOneWord || !hasLabelIn(terms, labels.conceptOf[found.label]!, lang)) {
      add({ ...found, strength: found.strength * FOREIGN_PHRASE_FACTOR });
    }
  });
}

function hasLabelIn({ labels, concepts }: OpenTerms, concept: number, lang: number): boolean {
  return labels.langOf
    .subarray(concepts.labelStart[concept], concepts.labelStart[concept + 1])
    .includes(lang);
}

function toTags(
  terms: OpenTerms,
  candidates: readonly TagCandidate[],
  { lang, max }: { lang: string; max: number },
): Tag[] {
  const tags = new Map<string, Tag>();
  for (const { concept, strength } of candidates) {
    const label = textOf(terms, preferredLabel(terms, concept, lang));
    const key = fold(label);
    if (tags.size >= max) break;
    if (tags.has(key)) continue;
    tags.set(key, {
      label,
      conceptId: idOf(terms, concept),
      source: sourceOf(terms, concept),
      score: confidenceOf(strength),
    });
  }
  return [...tags.values()];
}
