import { measureCosines } from '#engine/vectors/scan';
import { meaningWeights, tierFactors } from '../weights.ts';
import type { ExternalHit, ExternalObjects, ExternalResult, RankedResult, WordsPlan } from './external-plan.ts';
import { toMeaningLikeness } from './meaning.ts';

/** The hits that are reordered by meaning; lower ones seldom come to the front. */
const REORDERED = 200;

/** Finds hits by words, and orders the first ones by words and meaning together. */
export async function findHitsByMeaning(
  { find }: ExternalObjects,
  plan: WordsPlan,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<RankedResult> {
  if (plan.meaning === undefined || offset >= REORDERED) return find(plan, { offset, limit });
  const result = await find(plan, { offset: 0, limit: Math.max(REORDERED, offset + limit) });
  const first = reorderByMeaning({ ...result, hits: result.hits.slice(0, REORDERED) }, plan, plan.meaning);
  const hits = [...first, ...result.hits.slice(REORDERED)].slice(offset, offset + limit);
  const total = result.total > REORDERED ? result.total : first.length;
  const fitting = result.fitting - countFitting(result.hits.slice(0, REORDERED)) + countFitting(first);
  return { ...result, hits, total, fitting };
}

const countFitting = (hits: readonly ExternalHit[]) => hits.filter(({ tier }) => tier !== 'close').length;

function reorderByMeaning(
  { hits, vectors }: ExternalResult,
  plan: WordsPlan,
  { vector, usual, langs, worth }: NonNullable<WordsPlan['meaning']>,
): readonly ExternalHit[] {
  if (vectors === undefined) return hits;
  const cosines = measureCosines(vectors, [vector]);
  const ranked = hits.flatMap((hit, i): ExternalHit[] => {
    const isEncoded = vectors.scales[i] !== 0;
    const likeness = isEncoded ? Math.max(0, toMeaningLikeness(cosines[i]!, usual)) : 0;
    const isEvidence = isEncoded && langs.includes(hit.lang);
    const fitsByMeaning = isEvidence && likeness >= meaningWeights.fitting;
    const isSpoken = plan.lang === null || hit.lang === plan.lang;
    const spoken = isSpoken ? 1 : tierFactors['other-language'];
    const isClose = hit.tier === 'close';
    if (isClose && isEvidence && likeness < meaningWeights.close) return [];
    const byWords = hit.rank / ((isClose ? tierFactors.close : 1) * spoken);
    const fits = !isClose || fitsByMeaning;
    const fittingTier = isSpoken ? 'fitting' : 'other-language';
    const tier = fits ? fittingTier : 'close';
    const tierFactor = fits ? 1 : tierFactors.close;
    const evidence = isEvidence ? likeness : 0;
    return [{ ...hit, likeness: evidence, tier, rank: (byWords + likeness * worth * hit.lift) * tierFactor * spoken }];
  });
  return ranked.sort((a, b) => b.rank - a.rank);
}
