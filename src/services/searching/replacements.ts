import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { createLearningObjectQuery, cutLearningQueryWords } from '#domain/learning-object-query';
import { listObjectDifferences, type ObjectDifference } from '#domain/object-differences';
import { MAX_TEXT_LENGTH } from '#domain/text';
import { isPassingError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import type { LearningObjectHit } from './discovery/results.ts';
import type { SearchScope } from './similar-objects.ts';

export interface Proposal {
  readonly hit: LearningObjectHit;
  /** The weightiest first. */
  readonly differences: readonly ObjectDifference[];
}

export type ReplacementScope = SearchScope & { readonly tenant: Pick<TenantRecord, 'defaults'> };

export interface ReplacingScope extends ReplacementScope {
  findDead(urls: readonly string[]): Promise<ReadonlySet<string>>;
}

const MAX_PROPOSALS = 5;
/** Of other languages: one always has its place, as it may teach something else. */
const MAX_FOREIGN = 2;
/** What has less in common is not helpful. */
const MIN_SCORE = 0.1;

/** Objects found by the same words and skills, best first, if possible of the same language, level,
 *  kind, price and about the same length. Late ones are left out; none if an upstream fails. */
export async function findReplacements(scope: ReplacingScope, object: LearningObject): Promise<readonly Proposal[]> {
  const { signal, onProblem } = scope;
  try {
    const candidates = (await findReplacementsAlike(scope, object)) ?? (await findReplacementsByWords(scope, object));
    const dead = await scope.findDead(candidates.map(({ hit }) => hit.object.url));
    const alive = candidates.filter(({ hit }) => !dead.has(hit.object.url));
    return chooseReplacements(object, alive);
  } catch (error) {
    if (!signal.aborted && !isPassingError(error)) onProblem(error);
    return [];
  }
}

/** Of the built-in engine, which has all words and topics. Null if an upstream answers. */
async function findReplacementsAlike({ discovery, signal }: ReplacementScope, object: LearningObject) {
  const alike = await discovery.findAlike(object, { signal });
  const address = normalizeObjectAddress(object.url);
  const others = alike?.filter(({ hit }) => normalizeObjectAddress(hit.object.url) !== address);
  return others?.map(({ hit, likeness }) => ({ hit, relevance: likeness })) ?? null;
}

interface Candidate {
  readonly hit: LearningObjectHit;
  /** 0 to 1: how much of what was searched for it is about. */
  readonly relevance: number;
}

type ScoredProposal = Proposal & { readonly score: number };

function chooseReplacements(object: LearningObject, candidates: readonly Candidate[]): readonly Proposal[] {
  const enough = candidates
    .map(({ hit, relevance }): ScoredProposal => {
      const differences = listObjectDifferences(object, hit.object);
      const fit = differences.reduce((product, each) => product * weighReplacement(each, object), 1);
      return { hit, differences, score: relevance * fit };
    })
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score);
  const isForeign = ({ differences }: Proposal) => differences.some(({ kind }) => kind === 'language');
  const foreign = enough.filter(isForeign).slice(0, MAX_FOREIGN);
  const sameLanguage = enough.filter((each) => !isForeign(each)).slice(0, MAX_PROPOSALS - Math.min(1, foreign.length));
  const chosen = new Set<ScoredProposal>([...sameLanguage, ...foreign.slice(0, MAX_PROPOSALS - sameLanguage.length)]);
  return enough.filter((each) => chosen.has(each));
}

/** Types that can replace each other; nothing replaces a career profile or a safety sheet. */
const likeKinds: readonly (readonly string[])[] = [
  ['mooc', 'distance learning', 'training', 'article', 'book', 'ebook', 'tutorial', 'website', 'video'],
  ['podcast', 'video'],
];

/** What is left of its worth where an object differs so. */
function weighReplacement(difference: ObjectDifference, { type }: LearningObject): number {
  switch (difference.kind) {
    case 'language':
      return 0.6;
    case 'price':
      return difference.isFree === true ? 1 : difference.isFree === null ? 0.93 : 0.6;
    case 'type':
      return likeKinds.some((kinds) =>
        [type, difference.types].every((types) => types.some((each) => kinds.includes(each))),
      )
        ? 0.85
        : 0.5;
    case 'level':
      return 0.7;
    default:
      return 0.97;
  }
}

/** Skills of a title that are searched for, each a call over the network. */
const MAX_SKILLS = 2;
const MAX_FOUND = 20;
/** How much the first places of a result count more than those after them. */
const RANK_OFFSET = 5;

/** An upstream cannot compare objects: merges searches for the title and its skills by rank. */
async function findReplacementsByWords({ discovery, tenant, signal }: ReplacementScope, object: LearningObject) {
  const { title, lang } = object;
  const loosely = { max: MAX_FOUND, match: 'best-effort', model: 'extended' } as const;
  const query = createLearningObjectQuery('', { ...tenant.defaults, lang: lang ?? tenant.defaults.lang });
  // Descriptions mention much besides the subject.
  const skills = (await tagReplacedObject({ discovery, signal }, title, lang)).slice(0, MAX_SKILLS);
  const searches = [title, ...skills].map((keywords) =>
    discovery.searchLearningObjects({ ...query, ...loosely, keywords: cutLearningQueryWords(keywords) }, { signal }),
  );
  const address = normalizeObjectAddress(object.url);
  const candidates = new Map<string, Candidate>();
  for (const outcome of await Promise.allSettled(searches))
    for (const [rank, hit] of (outcome.status === 'fulfilled' ? outcome.value.items : []).entries()) {
      const key = normalizeObjectAddress(hit.object.url);
      const relevance = (candidates.get(key)?.relevance ?? 0) + RANK_OFFSET / (RANK_OFFSET + rank) / searches.length;
      if (key !== address) candidates.set(key, { hit, relevance });
    }
  return [...candidates.values()].toSorted((a, b) => b.relevance - a.relevance);
}

/** A service that cannot tag may still be able to search. */
async function tagReplacedObject(
  { discovery, signal }: Pick<ReplacementScope, 'discovery' | 'signal'>,
  text: string,
  lang: string | undefined,
): Promise<readonly string[]> {
  try {
    const tagOptions = { signal, guesses: true };
    return (await discovery.tagText(text.slice(0, MAX_TEXT_LENGTH), lang, tagOptions)).tags;
  } catch (error) {
    if (!signal.aborted && !isPassingError(error)) throw error;
    return [];
  }
}
