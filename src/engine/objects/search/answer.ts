import { readString } from '#engine/string-table';
import type { Source } from '../query/term-sources.ts';
import { readId } from '../segment/ids.ts';
import { findImpact } from '../segment/postings.ts';
import type { FilterName, HitTier, ObjectAnswer, ObjectHit } from '../types.ts';
import { CONFIDENCE_FLOOR, meaningWeights } from '../weights.ts';
import { MEETS } from './filters.ts';
import { findEvidence } from './meaning.ts';
import { isInLanguage } from './offer-hit.ts';
import { type Job, type Part, weighSource } from './search-job.ts';

/** Creates the answer of a finished search. Only the ranks of hits were stored, so their other
 *  facts are computed again for the few that are returned. */
export function toObjectAnswer(parts: readonly Part[], job: Job): ObjectAnswer {
  const { items, ranks } = job.top.finish();
  const { offset, limit } = job.query;
  const hitAt = (i: number) => createHit(items[i]!, ranks[i]!, parts, job);
  const end = Math.min(items.length, offset + limit);
  const hits = Array.from({ length: Math.max(0, end - offset) }, (_, i) => hitAt(offset + i));
  const first = offset === 0 ? hits : Array.from({ length: Math.min(items.length, limit) }, (_, i) => hitAt(i));
  return {
    hits,
    total: job.total,
    fitting: job.fitting,
    exact: !job.truncated && first.length > 0 && first.every((hit) => hit.complete && hit.unmet.length === 0),
    ...(job.facets && { facets: job.facets, terms: matchedTerms(parts, job) }),
  };
}

function createHit(item: number, score: number, parts: readonly Part[], job: Job): ObjectHit {
  const part = parts.findLast(({ base }) => base <= item)!;
  const doc = item - part.base;
  const unmet = part.filters.filter((filter) => filter.judge(doc) !== MEETS).map((filter): FilterName => filter.name);
  const isStrict = job.query.model === 'strict';
  const complete = part.sources
    .slice(0, job.required)
    // In the strict model a hit has each word, so sources without guesses need no look-up.
    .every((sources) => (isStrict && sources.every(({ isExact }) => isExact)) || isFoundExactly(sources, doc));
  return { id: readId(part.live.segment.ids, doc), score, tier: findTier(doc, part, job), unmet, complete };
}

const MAX_IMPACT = 255;

function findTier(doc: number, part: Part, job: Job): HitTier {
  if (job.query.model !== 'strict' && isOnlyClose(doc, part, job)) return 'close';
  return isInLanguage(part, doc) ? 'fitting' : 'other-language';
}

function isOnlyClose(doc: number, part: Part, { idfs, leastFitting, coverageOf }: Job): boolean {
  let [score, groups] = [0, 0];
  for (const [g, sources] of part.sources.entries()) {
    let best = 0;
    for (const source of sources) {
      const factor = weighSource(idfs[g]!, source.weight);
      // Most sources are guesses, which cannot be better than a match of the word itself.
      if (factor * MAX_IMPACT <= best) continue;
      best = Math.max(best, factor * findImpact(source, doc));
    }
    score += best;
    if (best > 0) groups |= 1 << g;
  }
  const fitsByMeaning = part.meaning !== undefined && findEvidence(part.meaning, doc) >= meaningWeights.fitting;
  return score < leastFitting(groups) && !(fitsByMeaning && coverageOf(groups) >= CONFIDENCE_FLOOR);
}

/** Whether a document is in any source that is not a guess. */
function isFoundExactly(sources: readonly Source[], doc: number): boolean {
  return sources.some((source) => source.isExact && findImpact(source, doc) > 0);
}

function matchedTerms(parts: readonly Part[], { groups, matches }: Job): Set<string> {
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
