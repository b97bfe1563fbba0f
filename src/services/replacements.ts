import { type LearningObject, normalizeObjectAddress } from '../domain/learning-object.ts';
import { createLearningObjectQuery, cutLearningQueryWords } from '../domain/learning-object-query.ts';
import { listObjectDifferences, type ObjectDifference } from '../domain/object-differences.ts';
import { MAX_TEXT_LENGTH } from '../domain/text.ts';
import { isPassingError } from '../errors.ts';
import type { TenantRecord } from '../ports/store/store.ts';
import type { FoundObject } from './discovery/results.ts';
import type { SearchScope } from './similar-objects.ts';

/** An object that could take the place of another one. */
export interface Proposal {
  readonly found: FoundObject;
  /** That both are for, as the tagger names them. */
  readonly skills: readonly string[];
  /** The weightiest first. */
  readonly differences: readonly ObjectDifference[];
}

export interface ReplacementScope extends SearchScope {
  readonly tenant: Pick<TenantRecord, 'defaults'>;
  /** Of these addresses, those that are dead. */
  findDead(urls: readonly string[]): Promise<ReadonlySet<string>>;
}

const MAX_SKILLS = 5;
const MAX_FOUND = 20;
/** Whose texts are tagged as well. */
const MAX_COMPARED = 16;
const MAX_PROPOSALS = 5;

export const debug: { log?: (line: string) => void } = {};

/** Objects that teach the same, best first: found for the same skills and the same words, of the same language, level, kind and
 *  price and about the same length, as far as there are such. Gives what is found in time; never fails because of an upstream. */
export async function findReplacements(
  scope: ReplacementScope,
  object: LearningObject,
): Promise<readonly Proposal[]> {
  try {
    const skills = await tag(scope, object);
    const candidates = await findCandidates(scope, object, skills.slice(0, MAX_SKILLS));
    const compared = await Promise.all(
      candidates.slice(0, MAX_COMPARED).map(async (candidate) => {
        const own =
          object.lang === candidate.found.object.lang ? await tag(scope, candidate.found.object) : [];
        return compare(object, skills, { ...candidate, skills: own });
      }),
    );
    return compared
      .filter(({ relevance }) => relevance >= MIN_RELEVANCE)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MAX_PROPOSALS);
  } catch (error) {
    if (!scope.signal.aborted && !isPassingError(error)) scope.onProblem(error);
    return [];
  }
}

const MIN_RELEVANCE = 0;

async function tag(
  { discovery, signal }: ReplacementScope,
  object: LearningObject,
): Promise<readonly string[]> {
  const text = `${object.title}\n${object.description ?? ''}`.slice(0, MAX_TEXT_LENGTH);
  const { tags } = await discovery.tagText(text, object.lang, { signal });
  return tags;
}

interface Candidate {
  readonly found: FoundObject;
  /** By search: that for the title first, then those for the skills. */
  readonly ranks: readonly (number | null)[];
}

const RANK_OFFSET = 3;

async function findCandidates(
  { discovery, tenant, signal, findDead }: ReplacementScope,
  object: LearningObject,
  skills: readonly string[],
): Promise<readonly Candidate[]> {
  const base = createLearningObjectQuery('', {
    ...tenant.defaults,
    lang: object.lang ?? tenant.defaults.lang,
  });
  const search = (keywords: string) =>
    discovery.searchLearningObjects(
      {
        ...base,
        keywords: cutLearningQueryWords(keywords),
        max: MAX_FOUND,
        match: 'best-effort',
        model: 'extended',
      },
      { signal },
    );
  const outcomes = await Promise.allSettled([object.title, ...skills].map(search));
  const lists = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.items : []));
  const own = normalizeObjectAddress(object.url);
  const byAddress = new Map<string, { found: FoundObject; ranks: (number | null)[] }>();
  for (const [number, items] of lists.entries())
    for (const [rank, found] of items.entries()) {
      const address = normalizeObjectAddress(found.object.url);
      if (address === own) continue;
      const candidate = byAddress.get(address) ?? { found, ranks: lists.map(() => null) };
      candidate.ranks[number] ??= rank;
      byAddress.set(address, candidate);
    }
  const dead = await findDead([...byAddress.values()].map(({ found }) => found.object.url));
  return [...byAddress.values()]
    .filter(({ found }) => !dead.has(found.object.url))
    .toSorted((a, b) => fuse(b.ranks) - fuse(a.ranks));
}

/** Source: reciprocal rank fusion, Cormack, Clarke and Büttcher 2009. */
function fuse(ranks: Candidate['ranks']): number {
  const parts = ranks.map((rank, search) => {
    const weight = search === 0 ? 2 : 1 / (1 + 0.25 * (search - 1));
    return rank === null ? 0 : (weight * RANK_OFFSET) / (RANK_OFFSET + rank);
  });
  const most = ranks.reduce<number>(
    (sum, _, search) => sum + (search === 0 ? 2 : 1 / (1 + 0.25 * (search - 1))),
    0,
  );
  return parts.reduce((sum, part) => sum + part, 0) / most;
}

function compare(
  object: LearningObject,
  skills: readonly string[],
  { found, ranks, skills: own }: Candidate & { readonly skills: readonly string[] },
) {
  const shared = skills.filter((skill) => own.includes(skill));
  const weight = (list: readonly string[]) =>
    list.reduce((sum, skill) => sum + 1 / (2 + skills.indexOf(skill)), 0);
  const overlap = skills.length === 0 ? 0 : weight(shared) / weight(skills);
  const relevance = 0.5 * fuse(ranks) + 0.5 * overlap;
  const differences = listObjectDifferences(object, found.object);
  const fit = differences.reduce((product, difference) => product * penaltyOf(difference), 1);
  debug.log?.(
    JSON.stringify({ title: found.object.title, ranks, shared, overlap, fused: fuse(ranks), relevance, fit }),
  );
  return { found, skills: shared, differences, relevance, score: relevance * fit };
}

function penaltyOf(difference: ObjectDifference): number {
  switch (difference.kind) {
    case 'language':
      return 0.4;
    case 'price':
      return difference.isFree === true ? 1 : difference.isFree === null ? 0.9 : 0.6;
    case 'type':
      return 0.8;
    case 'level':
      return 0.6;
    default:
      return 0.9;
  }
}
