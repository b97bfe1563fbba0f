import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { listObjectDifferences, type ObjectDifference } from '#domain/object-differences';
import { isPassingError } from '#errors';
import type { FoundObject } from '../discovery/results.ts';
import { type Evidence, gatherEvidence, type ReplacementScope, weighEvidence } from './evidence.ts';

/** An object that could take the place of another one. */
export interface Proposal {
  readonly found: FoundObject;
  /** The weightiest first. */
  readonly differences: readonly ObjectDifference[];
}

export interface ReplacingScope extends ReplacementScope {
  /** Of these addresses, those that are dead. */
  findDead(urls: readonly string[]): Promise<ReadonlySet<string>>;
}

const MAX_PROPOSALS = 5;
/** Of other languages: one always has its place, as something else than the best in its own language may teach it. */
const MAX_FOREIGN = 2;
/** What has less in common is no help. */
const MIN_SCORE = 0.1;
/** Where the words say nothing, the skills are invented. */
const MIN_RELEVANCE = 0.08;

/** Objects that teach the same, best first: found by the same words and for the same skills, of the same language, level, kind and
 *  price and about the same length, as far as there are such. Gives what is found in time; never fails because of an upstream. */
export async function findReplacements(
  scope: ReplacingScope,
  object: LearningObject,
): Promise<readonly Proposal[]> {
  const { signal, onProblem } = scope;
  try {
    const candidates =
      (await findAlike(scope, object)) ?? rankByWords(object, await gatherEvidence(scope, object));
    const dead = await scope.findDead(candidates.map(({ found }) => found.object.url));
    const alive = candidates.filter(({ found }) => !dead.has(found.object.url));
    return chooseProposals(object, alive);
  } catch (error) {
    if (!signal.aborted && !isPassingError(error)) onProblem(error);
    return [];
  }
}

/** Of our own engine, which knows all words and topics of an object. Null where an upstream answers. */
async function findAlike(
  { discovery, signal }: ReplacementScope,
  object: LearningObject,
): Promise<readonly Candidate[] | null> {
  const alike = await discovery.findAlike(object, { signal });
  const own = normalizeObjectAddress(object.url);
  const others = alike?.filter(({ found }) => normalizeObjectAddress(found.object.url) !== own);
  return others?.map(({ found, likeness }) => ({ found, relevance: likeness })) ?? null;
}

interface Candidate {
  readonly found: FoundObject;
  /** 0 to 1: how much of what was searched for it is about. */
  readonly relevance: number;
}

function rankByWords(object: LearningObject, evidence: readonly Evidence[]): readonly Candidate[] {
  const own = normalizeObjectAddress(object.url);
  const candidates = new Map<string, FoundObject>();
  for (const { items } of evidence)
    for (const found of items) {
      const address = normalizeObjectAddress(found.object.url);
      if (address !== own && !candidates.has(address)) candidates.set(address, found);
    }
  return [...candidates]
    .map(([address, found]) => ({ found, relevance: weighEvidence(evidence, address, found.object) }))
    .filter(({ relevance }) => relevance >= MIN_RELEVANCE)
    .toSorted((a, b) => b.relevance - a.relevance);
}

interface Scored extends Proposal {
  readonly score: number;
}

function chooseProposals(object: LearningObject, candidates: readonly Candidate[]): readonly Proposal[] {
  const enough = candidates
    .map(({ found, relevance }): Scored => {
      const differences = listObjectDifferences(object, found.object);
      const fit = differences.reduce((product, each) => product * worthOf(each, object), 1);
      return { found, differences, score: relevance * fit };
    })
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score);
  const isForeign = ({ differences }: Proposal) => differences.some(({ kind }) => kind === 'language');
  const foreign = enough.filter(isForeign).slice(0, MAX_FOREIGN);
  const own = enough.filter((each) => !isForeign(each)).slice(0, MAX_PROPOSALS - Math.min(1, foreign.length));
  const chosen = new Set<Scored>([...own, ...foreign.slice(0, MAX_PROPOSALS - own.length)]);
  return enough.filter((each) => chosen.has(each));
}

/** What is learned from in the same way; a job or a danger is told of by nothing else. */
const likeKinds: readonly (readonly string[])[] = [
  ['mooc', 'distance learning', 'training', 'article', 'book', 'ebook', 'tutorial', 'website', 'video'],
  ['podcast', 'video'],
];

/** What is left of its worth where an object differs so. */
function worthOf(difference: ObjectDifference, { type }: LearningObject): number {
  switch (difference.kind) {
    case 'language':
      return 0.6;
    case 'price':
      return difference.isFree === true ? 1 : difference.isFree === null ? 0.93 : 0.6;
    case 'type':
      return likeKinds.some((kinds) =>
        [type, difference.types].every((own) => own.some((each) => kinds.includes(each))),
      )
        ? 0.85
        : 0.5;
    case 'level':
      return 0.7;
    default:
      return 0.97;
  }
}
