import { sumValues } from '#engine/arrays';
import { forEachBit } from '#engine/bitset';
import { readString } from '#engine/string-table';
import { flagRequestWords } from '#engine/text/request-words';
import { isStopword } from '#engine/text/stopwords';
import { measureIdf, toTerm } from '#engine/text/term';
import { tokenize } from '#engine/text/tokenize';
import { createTopK } from '#engine/top-k';
import { countLiveDocuments, findTerm } from '../query/term-sources.ts';
import { readId } from '../segment/ids.ts';
import { findTermsOfWord } from '../segment/lexicon.ts';
import { forEachPosting, openPostings } from '../segment/postings.ts';
import { type LiveSegment, type Segment, TOPIC_MARK } from '../segment/segment.ts';
import type { ObjectAnswer, ObjectDocument, ObjectText } from '../types.ts';
import { alikeWeights, DIRECT_TOPIC_IMPACT, REQUEST_SHARE } from '../weights.ts';
import { readBrowsedHits } from './browse.ts';

interface AlikeRequest {
  readonly likeTo: ObjectText & Pick<ObjectDocument, 'topics'>;
  readonly offset: number;
  readonly limit: number;
}

/** Terms of a segment, each with the share of an aspect's worth that it counts. */
type SharedTerms = readonly (readonly [term: number, share: number])[];

/** A word or a topic of a text. */
interface Aspect {
  readonly weight: number;
  findTerms(segment: Segment): SharedTerms;
}

/** Finds the documents that share words or topics with a text, most similar first; between
 *  languages, topics and equal spellings count. Shape: a score is 0 to 1, the share of the text's
 *  aspects. Source: BM25F impacts and idf, with the text as the query. */
export function findAlikeDocuments(segments: readonly LiveSegment[], request: AlikeRequest): ObjectAnswer {
  const { likeTo, offset, limit } = request;
  return scoreAlike(segments, weighAlikeAspects(segments, likeTo), { likeTo, offset, limit });
}

export function scoreAlike(
  segments: readonly LiveSegment[],
  aspects: readonly WeighedAspect[],
  request: AlikeRequest,
): ObjectAnswer {
  const scores = segments.map(({ segment }) => new Float64Array(segment.count));
  for (const { worth, terms } of aspects)
    for (const [s, { segment }] of segments.entries()) addAlikeAspect(scores[s]!, segment, terms[s]!, worth);
  return rankAlikeDocuments(segments, scores, { ...request, most: sumValues(aspects.map(({ worth }) => worth)) });
}

/** An aspect, weighted by its idf. */
interface WeighedAspect {
  readonly worth: number;
  /** Its terms by segment. */
  readonly terms: readonly SharedTerms[];
}

export function weighAlikeAspects(
  segments: readonly LiveSegment[],
  text: AlikeRequest['likeTo'],
): readonly WeighedAspect[] {
  const documents = sumValues(segments.map(({ liveCount }) => liveCount));
  return listAlikeAspects(text).map(({ weight, findTerms }) => {
    const terms = segments.map(({ segment }) => findTerms(segment));
    const counts = segments.map((part, s) =>
      sumValues(terms[s]!.map(([term]) => countLiveDocuments(part, openPostings(part.segment.postings, term)))),
    );
    return { worth: weight * measureIdf(documents, Math.min(documents, sumValues(counts))), terms };
  });
}

function listAlikeAspects({ topics = [], ...text }: AlikeRequest['likeTo']): readonly Aspect[] {
  const aspects = Array.from(weighAlikeWords(text), ([word, weight]): Aspect => {
    const name = toTerm(word, text.lang);
    return {
      weight,
      findTerms(segment) {
        const term = findTerm(segment, name);
        const foreign = [...findTermsOfWord(segment.lexicon, word)].filter((spelled) => spelled !== term);
        const foreignTerms = foreign.map((spelled) => [spelled, alikeWeights.foreign] as const);
        return term < 0 ? foreignTerms : [[term, 1], ...foreignTerms];
      },
    };
  });
  const topicAspects = topics.map((topic): Aspect => {
    return {
      weight: alikeWeights.topic,
      findTerms(segment) {
        const term = findTerm(segment, TOPIC_MARK + topic);
        return term < 0 ? [] : [[term, 1]];
      },
    };
  });
  return [...aspects, ...topicAspects];
}

/** Weighs the words of a text: highest in its title, lowest in its description. */
function weighAlikeWords({ title, keywords, description, lang }: ObjectText): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = (texts: readonly string[], weight: number) => {
    const words = [...new Set(texts.flatMap(tokenize))].filter((word) => !isStopword(word, lang));
    const requests = flagRequestWords(words, () => true);
    for (const [i, word] of words.entries()) {
      const worth = weight * (requests[i] ? REQUEST_SHARE : 1);
      weights.set(word, Math.min(alikeWeights.most, (weights.get(word) ?? 0) + worth));
    }
  };
  add([title], alikeWeights.title);
  add(keywords, alikeWeights.keywords);
  add([description], alikeWeights.description);
  return weights;
}

function addAlikeAspect(scores: Float64Array, segment: Segment, terms: SharedTerms, worth: number): void {
  for (const [term, share] of terms) {
    const isTopic = readString(segment.terms, term).startsWith(TOPIC_MARK);
    const measureStrength = isTopic ? measureTopicStrength : (impact: number) => impact / 255;
    forEachPosting(openPostings(segment.postings, term), (doc, impact) => {
      scores[doc]! += worth * share * measureStrength(impact);
    });
  }
}

const measureTopicStrength = (impact: number) => (impact >= DIRECT_TOPIC_IMPACT ? 1 : alikeWeights.widerTopic);

function rankAlikeDocuments(
  segments: readonly LiveSegment[],
  scores: readonly Float64Array[],
  { likeTo, offset, limit, most }: AlikeRequest & { readonly most: number },
): ObjectAnswer {
  const top = createTopK(offset + limit);
  let base = 0;
  let total = 0;
  for (const [s, { segment, live }] of segments.entries()) {
    forEachBit(live, (doc) => {
      const score = scores[s]![doc]!;
      if (score === 0 || readId(segment.ids, doc) === likeTo.id) return;
      top.offer(score / most, segment.columns.idHash[doc]!, base + doc);
      total++;
    });
    base += segment.count;
  }
  return { hits: readBrowsedHits(segments, top, offset, false), total, fitting: total, exact: false };
}
