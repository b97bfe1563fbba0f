import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { createLearningObjectQuery, cutQueryWords } from '#domain/learning-object-query';
import { listObjectDifferences, type ObjectDifference } from '#domain/object-differences';
import { MAX_TEXT_LENGTH } from '#domain/text';
import { isPassingError } from '#errors';
import type { LearningObjectHit } from './discovery/results.ts';
import type { SearchScope } from './similar-objects.ts';

export interface Proposal {
  readonly hit: LearningObjectHit;
  /** Differences from the replaced object, as `listObjectDifferences` lists them. */
  readonly differences: readonly ObjectDifference[];
}

export interface ReplacingScope extends SearchScope {
  findDead(urls: readonly string[]): Promise<ReadonlySet<string>>;
}

const MAX_PROPOSALS = 5;
/** Proposals in other languages. One of them always has a place. */
const MAX_FOREIGN = 2;
/** Objects with a lower score have too little in common. */
const MIN_SCORE = 0.1;

/** Finds objects by the same words and skills, best first, if possible of the same language, level,
 *  type and price and about the same length. Late ones are left out; none if an upstream fails. */
export async function findReplacements(scope: ReplacingScope, object: LearningObject): Promise<readonly Proposal[]> {
  const { signal, onProblem } = scope;
  try {
    const candidates = (await findAlikeReplacements(scope, object)) ?? (await findReplacementsByWords(scope, object));
    const dead = await scope.findDead(candidates.map(({ hit }) => hit.object.url));
    const alive = candidates.filter(({ hit }) => !dead.has(hit.object.url));
    return chooseReplacements(object, alive);
  } catch (error) {
    if (!signal.aborted && !isPassingError(error)) onProblem(error);
    return [];
  }
}

/** Asks the built-in engine, which compares all words and topics; null if an upstream answers. */
async function findAlikeReplacements({ discovery, signal }: SearchScope, object: LearningObject) {
  const alike = await discovery.findAlike(object, { signal });
  if (alike === null) return null;
  const address = normalizeObjectAddress(object.url);
  return alike
    .filter(({ hit }) => normalizeObjectAddress(hit.object.url) !== address)
    .map(({ hit, likeness }) => ({ hit, relevance: likeness }));
}

interface Candidate {
  readonly hit: LearningObjectHit;
  /** Share of the replaced object's subject that it is about, 0 to 1. */
  readonly relevance: number;
}

type ScoredProposal = Proposal & { readonly score: number };

function chooseReplacements(object: LearningObject, candidates: readonly Candidate[]): readonly Proposal[] {
  const scored = candidates
    .map(({ hit, relevance }): ScoredProposal => {
      const differences = listObjectDifferences(object, hit.object);
      const fit = differences.reduce((product, difference) => product * weighDifference(difference, object), 1);
      return { hit, differences, score: relevance * fit };
    })
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score);
  const isForeign = ({ differences }: Proposal) => differences.some(({ kind }) => kind === 'language');
  const foreign = scored.filter(isForeign).slice(0, MAX_FOREIGN);
  const local = scored.filter((proposal) => !isForeign(proposal)).slice(0, MAX_PROPOSALS - Math.min(1, foreign.length));
  const chosen = new Set<ScoredProposal>([...local, ...foreign.slice(0, MAX_PROPOSALS - local.length)]);
  return scored.filter((proposal) => chosen.has(proposal));
}

/** Types that can replace each other; nothing replaces a career profile or a safety sheet. */
const replaceableTypes: readonly (readonly string[])[] = [
  ['mooc', 'distance learning', 'training', 'article', 'book', 'ebook', 'tutorial', 'website', 'video'],
  ['podcast', 'video'],
];

/** Returns the factor, 0 to 1, by which a difference lowers the score of a replacement. */
function weighDifference(difference: ObjectDifference, object: LearningObject): number {
  switch (difference.kind) {
    case 'language':
      return 0.6;
    case 'price':
      if (difference.isFree === true) return 1;
      return difference.isFree === null ? 0.93 : 0.6;
    case 'type': {
      const isReplaceable = replaceableTypes.some((group) =>
        [object.type, difference.types].every((types) => types.some((type) => group.includes(type))),
      );
      return isReplaceable ? 0.85 : 0.5;
    }
    case 'level':
      return 0.7;
    default:
      return 0.97;
  }
}

/** Skills of a title that are searched for, each a call over the network. */
const MAX_SKILLS = 2;
const MAX_FOUND = 20;
/** The higher it is, the less the first places of a result outweigh the later ones. */
const RANK_OFFSET = 5;

/** Merges searches for the title and its skills by rank, as an upstream cannot compare objects. */
async function findReplacementsByWords({ discovery, tenant, signal }: SearchScope, object: LearningObject) {
  const { title, lang } = object;
  const loosely = { max: MAX_FOUND, match: 'best-effort', model: 'extended' } as const;
  const query = createLearningObjectQuery('', { ...tenant.defaults, lang: lang ?? tenant.defaults.lang });
  // Descriptions mention much besides the subject.
  const skills = (await tagReplacedObject({ discovery, signal }, title, lang)).slice(0, MAX_SKILLS);
  const searches = [title, ...skills].map((keywords) =>
    discovery.searchLearningObjects({ ...query, ...loosely, keywords: cutQueryWords(keywords) }, { signal }),
  );
  const address = normalizeObjectAddress(object.url);
  const candidates = new Map<string, Candidate>();
  const outcomes = await Promise.allSettled(searches);
  const results = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  for (const { items } of results)
    for (const [rank, hit] of items.entries()) {
      const key = normalizeObjectAddress(hit.object.url);
      const relevance = (candidates.get(key)?.relevance ?? 0) + RANK_OFFSET / (RANK_OFFSET + rank) / searches.length;
      if (key !== address) candidates.set(key, { hit, relevance });
    }
  return [...candidates.values()].toSorted((a, b) => b.relevance - a.relevance);
}

/** Returns no tags if the service cannot tag, as it may still be able to search. */
async function tagReplacedObject(
  { discovery, signal }: Pick<SearchScope, 'discovery' | 'signal'>,
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
