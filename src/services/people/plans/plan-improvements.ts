import { type LearningObject, normalizeObjectAddress, toLearningMinutes } from '#domain/learning-object';
import type { LearningObjectQuery, QueryFilter } from '#domain/learning-object-query';
import { createLearningObjectQuery, cutQueryWords } from '#domain/learning-object-query';
import { listPlanAddresses, type PlanContent, type PlanItem, type PlanWish } from '#domain/plan';
import { isPassingError } from '#errors';
import type { LearningObjectHit } from '#services/searching/discovery/results';
import { findReplacements, type ReplacingScope } from '#services/searching/replacements';

export interface Improvement {
  readonly wish: PlanWish;
  /** Two-letter code, for the wish `language`. */
  readonly lang?: string | undefined;
}

const MAX_RESULTS = 20;

/** Finds an object for the same skill that fulfils the wish, was not replaced before, and is not in
 *  the plan: a similar one, else one of a search for the skill. Errors: those of the search. */
export async function findPlanImprovement(
  scope: ReplacingScope,
  { plan, item, wanted }: { readonly plan: PlanContent; readonly item: PlanItem; readonly wanted: Improvement },
): Promise<LearningObjectHit | null> {
  const { object, replaced } = item;
  const excluded = new Set([...listPlanAddresses(plan), ...replaced]);
  const suits = ({ object: candidate, tier }: LearningObjectHit) =>
    tier !== 'close' && !excluded.has(normalizeObjectAddress(candidate.url)) && fulfilsWish(candidate, object, wanted);
  // If the length of the present object is unknown, the shortest one is the best guess.
  const isShortest = wanted.wish === 'shorter' && object.learningTime === undefined;
  const pick = async (hits: readonly LearningObjectHit[]) => {
    const suiting = hits.filter(suits);
    const suitable = isShortest ? suiting.toSorted((a, b) => lengthOf(a.object) - lengthOf(b.object)) : suiting;
    const dead = await scope.findDead(suitable.map((hit) => hit.object.url));
    return suitable.find((hit) => !dead.has(hit.object.url)) ?? null;
  };
  // Replacements are preferred in the language of the object.
  const proposals = wanted.wish === 'language' ? [] : await findReplacements(scope, object);
  const best = await pick(proposals.map(({ hit }) => hit));
  if (best !== null) return best;
  for (const query of createImprovementQueries(scope, item, wanted)) {
    const choice = await pick(await searchForImprovement(scope, query));
    if (choice !== null) return choice;
  }
  return null;
}

const lengthOf = ({ learningTime }: LearningObject) => toLearningMinutes(learningTime) ?? Number.POSITIVE_INFINITY;

function fulfilsWish(candidate: LearningObject, object: LearningObject, { wish, lang }: Improvement): boolean {
  switch (wish) {
    case 'another':
      return lang === undefined || candidate.lang === lang;
    case 'shorter':
      return lengthOf(candidate) < lengthOf(object);
    case 'free':
      return candidate.price?.free === true;
    case 'other-provider':
      return candidate.provider !== object.provider;
    case 'language':
      return candidate.lang === lang;
  }
}

/** Returns a query for the skill, then one for the title of the object. */
function createImprovementQueries(
  { tenant }: Pick<ReplacingScope, 'tenant'>,
  { object, skill }: PlanItem,
  { wish, lang }: Improvement,
): readonly LearningObjectQuery[] {
  const language = lang ?? object.lang ?? tenant.defaults.lang;
  const minutes = toLearningMinutes(object.learningTime);
  const filters = {
    ...(wish === 'free' && { free: true }),
    ...(wish === 'shorter' && minutes !== undefined && { learningTimeMax: minutes }),
  };
  const important: readonly QueryFilter[] = ['lang', 'free', 'learningTime'];
  const words = [...new Set([skill, object.title])].flatMap((text) => (text ? cutQueryWords(text) : []));
  return words.map((keywords) => {
    const query = createLearningObjectQuery(keywords, { ...tenant.defaults, lang: language });
    return { ...query, ...filters, max: MAX_RESULTS, important: new Set([...query.important, ...important]) };
  });
}

/** Returns no hits if a search is late or fails for now, as the next query may find some. */
async function searchForImprovement({ discovery, signal }: ReplacingScope, query: LearningObjectQuery) {
  try {
    return (await discovery.searchLearningObjects(query, { signal })).items;
  } catch (error) {
    if (signal.aborted || !isPassingError(error)) throw error;
    return [];
  }
}
