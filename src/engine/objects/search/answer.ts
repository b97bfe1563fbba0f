import { readString } from '#engine/string-table';
import type { Source } from '../query/term-sources.ts';
import { readId } from '../segment/ids.ts';
import { findPostingImpact } from '../segment/postings.ts';
import { readDocumentValue } from '../segment/segment.ts';
import type { FilterName, ObjectAnswer, ObjectHit } from '../types.ts';
import type { ArrangedHit, HitFacts } from './arrange-hits.ts';
import { MEETS } from './filters.ts';
import { findMeaningEvidence } from './meaning.ts';
import { readHitTier } from './offer-hit.ts';
import type { Job, Part } from './search-job.ts';

/** A document with its rank: all else is computed again for the few returned hits. */
type RankedDocument = ArrangedHit & { readonly part: Part; readonly doc: number };

/** Lists the hits of a search, best first, at least until the end of the page. */
export function listRankedHits(parts: readonly Part[], { top, query }: Job): readonly RankedDocument[] {
  const { items, ranks } = top.finish();
  const hits: RankedDocument[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    const rank = ranks[i]!;
    const part = parts.length === 1 ? parts[0]! : parts.findLast(({ base }) => base <= item)!;
    hits.push({ part, doc: item - part.base, rank, tier: readHitTier(rank, query.sort) });
  }
  return hits;
}

export const documentFacts: HitFacts<RankedDocument> = {
  readLang: ({ part, doc }) => readDocumentValue(part.live.segment, 'lang', doc),
  readProvider: ({ part, doc }) => readDocumentValue(part.live.segment, 'provider', doc),
};

export function toObjectAnswer(parts: readonly Part[], job: Job, ranked: readonly RankedDocument[]): ObjectAnswer {
  const { offset, limit } = job.query;
  const toHit = (document: RankedDocument) => createAnswerHit(document, job);
  const hits = ranked.slice(offset, offset + limit).map(toHit);
  // Every page says the same of the search, so the hits of the first one decide.
  const firstPage = offset === 0 ? hits : ranked.slice(0, limit).map(toHit);
  return {
    hits,
    total: job.total,
    fitting: job.fitting,
    exact: !job.truncated && firstPage.length > 0 && firstPage.every((hit) => hit.complete && hit.unmet.length === 0),
    ...(job.facets && { facets: job.facets, terms: listMatchedTerms(parts, job) }),
  };
}

function createAnswerHit(document: RankedDocument, { query, required }: Job): ObjectHit {
  const { part, doc, rank, tier } = document;
  const unmet = part.filters.filter((filter) => filter.judge(doc) !== MEETS).map((filter): FilterName => filter.name);
  const isStrict = query.model === 'strict';
  const hasWord = (sources: readonly Source[]) =>
    // In the strict model a hit has each word, so sources without guesses need no look-up.
    (isStrict && sources.every(({ isExact }) => isExact)) ||
    sources.some((source) => source.isExact && findPostingImpact(source, doc) > 0);
  const complete = part.sources.slice(0, required).every(hasWord);
  const likeness = part.meaning === undefined ? 0 : findMeaningEvidence(part.meaning, doc);
  const id = readId(part.live.segment.ids, doc);
  const lang = documentFacts.readLang(document);
  const provider = documentFacts.readProvider(document);
  return { id, score: rank, tier, lang, provider, likeness, unmet, complete };
}

function listMatchedTerms(parts: readonly Part[], { groups, matches }: Job): Set<string> {
  const matched = new Set<string>();
  for (const { terms, joined, synonyms, related } of groups) {
    for (const text of [...terms, ...joined]) matched.add(text);
    // Only phrases of one word: marking the single words of a longer phrase would mislead.
    for (const { words } of [...synonyms, ...related].flat()) {
      if (words.length === 1) for (const text of words[0]!.terms) matched.add(text);
    }
  }
  for (const { terms } of matches) {
    for (const [p, { live }] of parts.entries()) {
      for (const term of terms[p]!) matched.add(readString(live.segment.terms, term));
    }
  }
  return matched;
}
