import { fold } from '#engine/text/fold';
import type { OpenTerms } from '../concept-view.ts';
import { findConceptLabel, readConceptId, readConceptSource, readConceptUri, readLabelText } from '../concept-view.ts';
import type { Tag, TagAnswer, TagQuery } from '../types.ts';
import { chooseCredibleTags, createTagJudge, findTone, isTagMentioned, judgeTagText } from './credible-tags.ts';
import { createCoveredLabelFinder } from './find-covered.ts';
import { joinTagsByMeaning, type TagByMeaning } from './meaning.ts';
import { createTagRanker, pruneTags } from './rank-tags.ts';
import type { ReadText, TextWindow, WindowContent } from './read-text.ts';
import { createTextReader, createWordLocator } from './read-text.ts';
import type { AddHit } from './tag-collector.ts';
import {
  createLabelAdder,
  createTagCollection,
  findStrengthFloor,
  listStrongestTags,
  startTagCollection,
} from './tag-collector.ts';
import { FOREIGN_PHRASE_FACTOR, MIN_BEST_GUESS, toTagConfidence } from './tag-weights.ts';

/** Candidates that are ranked closely for each tag to return, and the least number of them. */
const CANDIDATES_PER_TAG = 8;
const MIN_CANDIDATES = 80;

type Tagger = ReturnType<typeof openTagger>;

function openTagger(terms: OpenTerms) {
  const { lexicon } = terms;
  const collection = createTagCollection(terms);
  return {
    terms,
    english: lexicon.findLang('en'),
    readText: createTextReader(lexicon),
    findCovered: createCoveredLabelFinder(terms),
    collection,
    addLabel: createLabelAdder(collection),
    rank: createTagRanker(terms),
    judge: createTagJudge(terms),
  };
}

/** Finds the concepts that a text is about:
 *  1. The text is split into windows, which are sentences or parts of long ones.
 *  2. In each window, labels with enough of their words are found, and the strongest are collected.
 *  3. The strongest are ranked closely, and returned if the text has evidence for them.
 *  4. With `guesses`, those without evidence are added, and joined with those near in meaning. */
export function createTagger(terms: OpenTerms): (query: TagQuery) => TagAnswer {
  const tagger = openTagger(terms);
  return (query) => tagText(tagger, query);
}

function tagText(tagger: Tagger, query: TagQuery): TagAnswer {
  const { terms, collection } = tagger;
  const { meaning } = terms;
  const { text, lang, source, max, guesses = false, spans = false, byWords = false } = query;
  const textWords = tagger.readText(text);
  const { tokenizedText, windows } = textWords;
  const langOrdinal = chooseLabelLanguage(terms, lang);
  const sourceOrdinal = source === undefined ? -1 : terms.concepts.sources.indexOf(source);
  if (source !== undefined && sourceOrdinal < 0) return { tokenizedText, tags: [] };
  startTagCollection(collection, {
    source: sourceOrdinal,
    limit: Math.max(MIN_CANDIDATES, max * CANDIDATES_PER_TAG),
    windowCount: windows.length,
  });
  const contents = collectLabels(tagger, textWords, langOrdinal);
  const inEnglish: WindowContent[] = [];
  const contentIn = (window: number, labelLang: number) => {
    if (labelLang === langOrdinal) return contents[window]!;
    inEnglish[window] ??= readWindow(tagger, textWords, windows[window]!, labelLang);
    return inEnglish[window];
  };
  const judgement = judgeTagText(tagger.judge, { read: textWords, contentIn, lang });
  const needsEvidence = !guesses || spans;
  const ranked = tagger.rank(listStrongestTags(collection), {
    contents,
    lang,
    isWanted: (candidate, share) => !needsEvidence || isTagMentioned(judgement, candidate, share) || guesses,
  });
  const credible = needsEvidence ? chooseCredibleTags(judgement, ranked) : [];
  const candidates = guesses ? ranked : credible.map(({ tag }) => tag);
  const places = new Map(credible.map(({ tag, mention }) => [tag.concept, mention.place]));
  const locate = spans ? createWordLocator(text, textWords) : () => null;
  const findSpan = (concept: number) => locate(places.get(concept));
  const pruned = pruneTags(terms, candidates, (window) => contents[window]!.terms);
  const byWordsOnly = pruned.map((tag): TagByMeaning => {
    return { concept: tag.concept, score: toTagConfidence(tag.strength), span: findSpan(tag.concept) };
  });
  // Evidence is in the words of a text; meaning alone is never as certain.
  if (!guesses || byWords || meaning?.langs.has(lang) !== true)
    return { tokenizedText, tags: toTags(terms, byWordsOnly, { lang, max }) };
  const tone = findTone(judgement);
  const joined = joinTagsByMeaning(terms, meaning, {
    byWords: byWordsOnly,
    text,
    lang: langOrdinal,
    source: sourceOrdinal,
    spans,
    leastBest: MIN_BEST_GUESS[tone.isChat ? 'chat' : 'plain'][tone.kind],
  });
  if (joined.length === 0) return tagText(tagger, { ...query, guesses: false });
  return { tokenizedText, tags: toTags(terms, joined, { lang, max }) };
}

function collectLabels(tagger: Tagger, text: ReadText, lang: number): WindowContent[] {
  const { findCovered, collection, addLabel } = tagger;
  return text.windows.map((window, i) => {
    const add: AddHit = (hit) => addLabel(hit, i);
    const content = readWindow(tagger, text, window, lang);
    findCovered(content, add, () => findStrengthFloor(collection));
    collectEnglishLabels(tagger, text, window, { lang, add });
    return content;
  });
}

/** Collects whole English labels in a text of another language, as new things have English names.
 *  An English word that is also a word of the text's language is not evidence. */
function collectEnglishLabels(
  tagger: Tagger,
  text: ReadText,
  window: TextWindow,
  { lang, add }: { lang: number; add: AddHit },
): void {
  const { terms, english, findCovered, collection } = tagger;
  if (english < 0 || english === lang) return;
  const addWhole: AddHit = (hit) => {
    if (!hit.whole || (hit.isOneWord && hasLabelIn(terms, hit.concept, lang))) return;
    add({ ...hit, factor: FOREIGN_PHRASE_FACTOR });
  };
  const content = readWindow(tagger, text, window, english);
  findCovered(content, addWhole, () => findStrengthFloor(collection) / FOREIGN_PHRASE_FACTOR);
}

function readWindow({ terms }: Tagger, text: ReadText, window: TextWindow, lang: number): WindowContent {
  const { words, terms: sequence, places } = terms.lexicon.readRange(text, window, lang);
  return { words, terms: sequence, places, lang, inCapitals: window.inCapitals };
}

function chooseLabelLanguage({ lexicon }: OpenTerms, lang: string): number {
  const ordinal = lexicon.findLang(lang);
  return ordinal >= 0 ? ordinal : Math.max(lexicon.findLang('en'), 0);
}

function hasLabelIn({ labels, concepts }: OpenTerms, concept: number, lang: number): boolean {
  return labels.langOf.subarray(concepts.labelStart[concept], concepts.labelStart[concept + 1]).includes(lang);
}

function toTags(
  terms: OpenTerms,
  list: readonly TagByMeaning[],
  { lang, max }: { readonly lang: string; readonly max: number },
): Tag[] {
  const tags = new Map<string, Tag>();
  for (const { concept, score, span } of list) {
    const label = readLabelText(terms, findConceptLabel(terms, concept, lang));
    const key = fold(label);
    if (tags.size >= max) break;
    if (tags.has(key)) continue;
    tags.set(key, {
      label,
      conceptId: readConceptId(terms, concept),
      uri: readConceptUri(terms, concept),
      source: readConceptSource(terms, concept),
      score,
      ...(span !== null && { span }),
    });
  }
  return [...tags.values()];
}
