import { type LearningObject, normalizeObjectAddress } from '../../domain/learning-object.ts';
import { listObjectDifferences, type ObjectDifference } from '../../domain/object-differences.ts';
import { isPassingError } from '../../errors.ts';
import type { FoundObject } from '../discovery/results.ts';
import {
  type Evidence,
  gatherEvidence,
  type QuietTags,
  type ReplacementScope,
  tagQuietly,
  weighEvidence,
} from './evidence.ts';

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

/** Whose texts are tagged as well. */
const MAX_COMPARED = 40;
const MAX_PROPOSALS = 5;
/** Of other languages, among these: something else than the best in its own may teach it. */
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
    const tagged = await tagObject(scope, object);
    const ranked = rankByWords(object, await gatherEvidence(scope, object));
    const dead = await scope.findDead(ranked.slice(0, 2 * MAX_COMPARED).map(({ found }) => found.object.url));
    const alive = ranked.filter(({ found }) => !dead.has(found.object.url)).slice(0, MAX_COMPARED);
    return chooseProposals(await compareSkills(scope, { object, tagged }, alive));
  } catch (error) {
    if (!signal.aborted && !isPassingError(error)) onProblem(error);
    return [];
  }
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
  const inAnyLanguage = evidence.filter(({ isInOwnLanguage }) => !isInOwnLanguage);
  return [...candidates]
    .map(([address, found]) => {
      const counted = found.object.lang === object.lang ? evidence : inAnyLanguage;
      return { found, relevance: weighEvidence(counted, address, found.object) };
    })
    .filter(({ relevance }) => relevance >= MIN_RELEVANCE)
    .toSorted((a, b) => b.relevance - a.relevance);
}

/** How much the words say, and how much the skills, which the tagger sometimes invents. */
const WORDS_SHARE = 0.65;

/** Of fewer skills, each says less. */
const ENOUGH_SKILLS = 4;

interface Wanted {
  readonly object: LearningObject;
  readonly tagged: QuietTags;
}

interface Scored extends Proposal {
  readonly score: number;
}

async function compareSkills(
  scope: ReplacementScope,
  { object, tagged: { tags, isOwnEngine } }: Wanted,
  candidates: readonly Candidate[],
): Promise<readonly Scored[]> {
  const weigh = (list: readonly string[]) =>
    list.reduce((sum, skill) => sum + 1 / (2 + tags.indexOf(skill)), 0);
  const certainty = Math.min(1, tags.length / ENOUGH_SKILLS);
  // An upstream would be asked for each.
  const canCompare = isOwnEngine && tags.length > 0;
  const compared = candidates.map(async ({ found, relevance }) => {
    const isComparable = canCompare && found.object.lang === object.lang;
    const others = isComparable ? (await tagObject(scope, found.object)).tags : [];
    const overlap = isComparable ? weigh(tags.filter((skill) => others.includes(skill))) / weigh(tags) : 0;
    const likeness = isComparable
      ? WORDS_SHARE * relevance + (1 - WORDS_SHARE) * certainty * overlap
      : relevance;
    const differences = listObjectDifferences(object, found.object);
    const fit = differences.reduce((product, each) => product * worthOf(each, object), 1);
    return { found, differences, score: likeness * fit };
  });
  return (await Promise.all(compared)).toSorted((a, b) => b.score - a.score);
}

function chooseProposals(scored: readonly Scored[]): readonly Proposal[] {
  const enough = scored.filter(({ score }) => score >= MIN_SCORE);
  const isForeign = ({ differences }: Proposal) => differences.some(({ kind }) => kind === 'language');
  const foreign = enough.filter(isForeign).slice(0, MAX_FOREIGN);
  const own = enough.filter((each) => !isForeign(each)).slice(0, MAX_PROPOSALS - foreign.length);
  const chosen = new Set<Scored>([...own, ...foreign]);
  return enough.filter((each) => chosen.has(each));
}

function tagObject(
  scope: ReplacementScope,
  { title, description = '', lang }: LearningObject,
): Promise<QuietTags> {
  return tagQuietly(scope, `${title}\n${description}`, lang);
}

/** About a job, or a danger at work: nothing of another kind says the same. */
const OWN_KINDS: ReadonlySet<string> = new Set(['career profile', 'safety sheet']);

/** What is left of its worth where an object differs so. */
function worthOf(difference: ObjectDifference, { type }: LearningObject): number {
  switch (difference.kind) {
    case 'language':
      return 0.6;
    case 'price':
      return difference.isFree === true ? 1 : difference.isFree === null ? 0.93 : 0.6;
    case 'type':
      return [...type, ...difference.types].some((each) => OWN_KINDS.has(each)) ? 0.5 : 0.8;
    case 'level':
      return 0.7;
    default:
      return 0.95;
  }
}
