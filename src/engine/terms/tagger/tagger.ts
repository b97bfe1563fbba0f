import { fold } from '#engine/text/fold';
import {
  findConceptLabel,
  type OpenTerms,
  readConceptId,
  readConceptLabelText,
  readConceptSource,
} from '../concept-view.ts';
import type { Tag, TagAnswer, TagQuery } from '../types.ts';
import { type CredibleTag, createTagJudge } from './credible-tags.ts';
import { createCoveredLabelFinder } from './find-covered.ts';
import { createMeantJoiner, type FoundTag } from './meant-tags.ts';
import { createTagRanker, pruneTags, type RankedTag, type TagCandidate } from './rank-tags.ts';
import {
  createTextReader,
  createWordLocator,
  type ReadText,
  type TextWindow,
  type WindowContent,
} from './read-text.ts';
import { type AddFound, createTagCollector } from './tag-collector.ts';
import {
  allTagWays,
  FOREIGN_PHRASE_FACTOR,
  LEAST_BEST_GUESS,
  type TagWays,
  toTagConfidence,
} from './tag-weights.ts';

/** Candidates that are looked at closely: this many for each tag that is returned, and at least the second number. */
const CANDIDATES_PER_TAG = 8;
const LEAST_CANDIDATES = 80;

/** Concepts a text is about. One is found in a sentence that has enough of a label's idf mass; then
 *  the best are looked at closely.
 *  @param ways all but for the bench */
export function createTagger(terms: OpenTerms, ways: TagWays = allTagWays) {
  const { concepts, lexicon } = terms;
  const english = lexicon.findLang('en');
  const readText = createTextReader(lexicon);
  const findCovered = createCoveredLabelFinder(terms);
  const collector = createTagCollector(terms, ways);
  const rank = createTagRanker(terms, ways);
  const judgeText = createTagJudge(terms);
  const joinMeant = terms.meaning && createMeantJoiner(terms, terms.meaning);
  const foreignFloor = () => collector.floor() / FOREIGN_PHRASE_FACTOR;

  /** What each window says, as its language reads it. */
  function collect(text: ReadText, lang: number): WindowContent[] {
    return text.windows.map((window, i) => {
      const add: AddFound = (found) => collector.add(found, i);
      const content = readWindow(text, window, lang);
      findCovered(content, add, collector.floor);
      findForeignPhrases(text, window, { lang, add });
      return content;
    });
  }

  function readWindow(text: ReadText, window: TextWindow, lang: number): WindowContent {
    const { words, terms: sequence, places } = lexicon.readRange(text, window, lang);
    return { words, terms: sequence, places, lang, inCapitals: window.inCapitals };
  }

  /** A text names new things in English; a foreign word that is also a word of the text's own language is no evidence. */
  function findForeignPhrases(
    text: ReadText,
    window: TextWindow,
    { lang, add }: { lang: number; add: AddFound },
  ): void {
    if (english < 0 || english === lang) return;
    const addForeign: AddFound = (found) => {
      if (!found.whole) return;
      if (!found.isOneWord || !hasLabelIn(terms, found.concept, lang)) {
        add({ ...found, factor: FOREIGN_PHRASE_FACTOR });
      }
    };
    findCovered(readWindow(text, window, english), addForeign, foreignFloor);
  }

  function tagText(query: TagQuery): TagAnswer {
    const { text, lang, source, max, guesses = false, spans = false, byWords = false } = query;
    const read = readText(text);
    const { tokenizedText, windows } = read;
    const langOrdinal = labelLangFor(terms, lang);
    const sourceOrdinal = source === undefined ? -1 : concepts.sources.indexOf(source);
    if (source !== undefined && sourceOrdinal < 0) return { tokenizedText, tags: [] };
    collector.start({
      source: sourceOrdinal,
      limit: Math.max(LEAST_CANDIDATES, max * CANDIDATES_PER_TAG),
      windowCount: windows.length,
    });
    const contents = collect(read, langOrdinal);
    const inEnglish: WindowContent[] = [];
    const contentIn = (window: number, own: number) => {
      if (own === langOrdinal) return contents[window]!;
      inEnglish[window] ??= readWindow(read, windows[window]!, own);
      return inEnglish[window];
    };
    const judged = judgeText({ read, contentIn, lang });
    const judge = guesses && !spans ? null : judged;
    const ranked = rank(collector.best(), {
      contents,
      lang,
      isWanted: (candidate, share) => judge === null || judge.isMentioned(candidate, share) || guesses,
    });
    const credible = judge?.choose(ranked) ?? [];
    const prune = (found: readonly RankedTag[]) =>
      pruneTags(terms, found, (window) => contents[window]!.terms);
    const spanOf = spans ? createSpanFinder(credible, createWordLocator(text, read)) : () => null;
    const named = prune(guesses ? ranked : credible.map(({ tag }) => tag)).map(
      (tag): FoundTag => ({
        concept: tag.concept,
        score: toTagConfidence(tag.strength),
        span: spanOf(tag),
      }),
    );
    // What a text has evidence for, its words say: meaning alone is never as sure.
    const isMeant = guesses && !byWords && terms.meaning?.langs.has(lang) === true;
    if (!isMeant || !joinMeant) return { tokenizedText, tags: toTags(terms, named, { lang, max }) };
    const leastBest = LEAST_BEST_GUESS[judged.tone()];
    const meant = { byWords: named, text, lang: langOrdinal, source: sourceOrdinal, spans, leastBest };
    const found = joinMeant(meant);
    if (found.length === 0) return tagText({ ...query, guesses: false });
    return { tokenizedText, tags: toTags(terms, found, { lang, max }) };
  }

  return tagText;
}

function createSpanFinder(credible: readonly CredibleTag[], locate: ReturnType<typeof createWordLocator>) {
  const places = new Map(credible.map(({ tag, mention }) => [tag.concept, mention.place]));
  return ({ concept }: TagCandidate) => locate(places.get(concept));
}

/** A text of a language without labels can still name things in English. */
function labelLangFor({ lexicon }: OpenTerms, lang: string): number {
  const known = lexicon.findLang(lang);
  return known >= 0 ? known : Math.max(lexicon.findLang('en'), 0);
}

function hasLabelIn({ labels, concepts }: OpenTerms, concept: number, lang: number): boolean {
  return labels.langOf
    .subarray(concepts.labelStart[concept], concepts.labelStart[concept + 1])
    .includes(lang);
}

/** Each name once. Shape: best first. */
function toTags(
  terms: OpenTerms,
  found: readonly FoundTag[],
  { lang, max }: { readonly lang: string; readonly max: number },
): Tag[] {
  const tags = new Map<string, Tag>();
  for (const { concept, score, span } of found) {
    const label = readConceptLabelText(terms, findConceptLabel(terms, concept, lang));
    const key = fold(label);
    if (tags.size >= max) break;
    if (tags.has(key)) continue;
    tags.set(key, {
      label,
      conceptId: readConceptId(terms, concept),
      source: readConceptSource(terms, concept),
      score,
      ...(span !== null && { span }),
    });
  }
  return [...tags.values()];
}
