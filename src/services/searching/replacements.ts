import { limitConcurrency } from '#domain/async/limit-concurrency';
import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { createLearningObjectQuery, cutLearningQueryWords } from '#domain/learning-object-query';
import { listObjectDifferences, type ObjectDifference } from '#domain/object-differences';
import { foldText, MAX_TEXT_LENGTH } from '#domain/text';
import { isPassingError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import type { LearningObjectHit } from './discovery/results.ts';
import type { SearchScope } from './similar-objects.ts';

/** An object that could take the place of another one. */
export interface Proposal {
  readonly found: LearningObjectHit;
  /** The weightiest first. */
  readonly differences: readonly ObjectDifference[];
}

export interface ReplacingScope extends ReplacementScope {
  /** Of these addresses, those that are dead. */
  findDead(urls: readonly string[]): Promise<ReadonlySet<string>>;
}

const MAX_PROPOSALS = 5;
/** Of other languages: one always has its place, as something else than the best in its own
 *  language may teach it. */
const MAX_FOREIGN = 2;
/** What has less in common is no help. */
const MIN_SCORE = 0.1;
/** Where the words say nothing, the skills are invented. */
const MIN_RELEVANCE = 0.08;

/** Objects that teach the same, best first: found by the same words and for the same skills, of the
 *  same language, level, kind and price and about the same length, as far as there are such. Gives
 *  what is found in time; never fails because of an upstream. */
export async function findReplacements(scope: ReplacingScope, object: LearningObject): Promise<readonly Proposal[]> {
  const { signal, onProblem } = scope;
  try {
    const candidates = (await findAlike(scope, object)) ?? rankByWords(object, await gatherEvidence(scope, object));
    const dead = await scope.findDead(candidates.map(({ found }) => found.object.url));
    const alive = candidates.filter(({ found }) => !dead.has(found.object.url));
    return chooseProposals(object, alive);
  } catch (error) {
    if (!signal.aborted && !isPassingError(error)) onProblem(error);
    return [];
  }
}

/** Of our own engine, which knows all words and topics of an object. Null where an upstream
 *  answers. */
async function findAlike({ discovery, signal }: ReplacementScope, object: LearningObject) {
  const alike = await discovery.findAlike(object, { signal });
  const address = normalizeObjectAddress(object.url);
  const others = alike?.filter(({ found }) => normalizeObjectAddress(found.object.url) !== address);
  return others?.map(({ found, likeness }) => ({ found, relevance: likeness })) ?? null;
}

interface Candidate {
  readonly found: LearningObjectHit;
  /** 0 to 1: how much of what was searched for it is about. */
  readonly relevance: number;
}

function rankByWords(object: LearningObject, evidence: readonly Evidence[]): readonly Candidate[] {
  const ownAddress = normalizeObjectAddress(object.url);
  const candidates = new Map<string, LearningObjectHit>();
  for (const { items } of evidence)
    for (const result of items) {
      const address = normalizeObjectAddress(result.object.url);
      if (address !== ownAddress && !candidates.has(address)) candidates.set(address, result);
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
  const sameLanguage = enough.filter((each) => !isForeign(each)).slice(0, MAX_PROPOSALS - Math.min(1, foreign.length));
  const chosen = new Set<Scored>([...sameLanguage, ...foreign.slice(0, MAX_PROPOSALS - sameLanguage.length)]);
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

interface ReplacementScope extends SearchScope {
  readonly tenant: Pick<TenantRecord, 'defaults'>;
}

/** What was searched for, and what was found by it. */
interface Evidence {
  readonly kind: 'title' | 'title-word' | 'skill';
  readonly keywords: string;
  readonly items: readonly LearningObjectHit[];
  /** All that are found by it: the fewer, the more it says. */
  readonly total: number;
}

const MAX_FOUND = 20;
const turns = { running: 6, waiting: Number.POSITIVE_INFINITY, tooMany: () => new Error() };

/** Each is a call over the network. */
const MAX_TITLE_WORDS = 3;
const MAX_SKILLS = 2;

const MIN_WORD_LENGTH = 2;

/** Searches an upstream for the object's title, its first words and its skills, in its language.
 *  What fails is left out. */
async function gatherEvidence({ discovery, tenant, signal }: ReplacementScope, { title, lang }: LearningObject) {
  const query = createLearningObjectQuery('', { ...tenant.defaults, lang: lang ?? tenant.defaults.lang });
  const search = async ({ kind, keywords }: Search): Promise<Evidence> => {
    const loosely = { max: MAX_FOUND, match: 'best-effort', model: 'extended' } as const;
    const topicQuery = { ...query, ...loosely, keywords: cutLearningQueryWords(keywords) };
    const { items, totalItems } = await discovery.searchLearningObjects(topicQuery, { signal });
    return { kind, keywords, items, total: totalItems };
  };
  const run = limitConcurrency(turns);
  const titleWords = listWords(title, MIN_WORD_LENGTH).slice(0, MAX_TITLE_WORDS);
  // Descriptions mention much besides the subject.
  const skills = (await tagQuietly({ discovery, signal }, title, lang)).slice(0, MAX_SKILLS);
  const searches: Search[] = [
    { kind: 'title', keywords: title },
    ...titleWords.map((keywords) => ({ kind: 'title-word', keywords }) as const),
    ...skills.map((keywords) => ({ kind: 'skill', keywords }) as const),
  ];
  const outcomes = await Promise.allSettled(searches.map((each) => run(() => search(each))));
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

type Search = Pick<Evidence, 'kind' | 'keywords'>;

/** What each kind of search says. */
const weights = { title: 0.35, 'title-word': 1, skill: 0.6 } as const;

const weightOf = ({ kind, total }: Evidence) => weights[kind] * (kind === 'title' ? 1 : 1 / Math.log2(2 + total));

/** How much of all that was searched for an object has, from 0 to 1. */
function weighEvidence(evidence: readonly Evidence[], address: string, { title, description = '' }: LearningObject) {
  const titleWords = new Set(listWords(title, MIN_WORD_LENGTH).map(stemOf));
  const words = new Set([...titleWords, ...listWords(description, MIN_WORD_LENGTH).map(stemOf)]);
  let [sum, most] = [0, 0];
  for (const each of evidence) {
    const rank = each.items.findIndex(({ object }) => normalizeObjectAddress(object.url) === address);
    most += weightOf(each);
    sum += weightOf(each) * matchOf(each, { rank, words, titleWords });
  }
  return most === 0 ? 0 : sum / most;
}

interface Match {
  /** Negative where it was not found. */
  readonly rank: number;
  readonly words: ReadonlySet<string>;
  readonly titleWords: ReadonlySet<string>;
}

function matchOf({ kind, keywords }: Evidence, { rank, words, titleWords }: Match): number {
  if (kind === 'title') return rank < 0 ? 0 : 4 / (4 + rank);
  if (kind === 'skill') return rank < 0 ? 0 : 0.5 + 2.5 / (5 + rank);
  const word = stemOf(keywords);
  return titleWords.has(word) ? 1 : words.has(word) ? 0.75 : rank >= 0 ? 0.5 : 0;
}

/** Forms of one word begin alike. */
const stemOf = (word: string) => word.slice(0, Math.max(4, word.length - 3));

function listWords(text: string, minLength: number): readonly string[] {
  const words = foldText(text).match(/\p{L}[\p{L}+#]*/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length >= minLength && !fillerWords.has(word));
}

/** What titles say whatever they are about, folded. */
const fillerWords: ReadonlySet<string> = new Set(
  `the and for with from this that their your how what why who are its into not in of to on at an or by is it be as we do so us my me no
  une des les aux par sur dans pour avec est son ses leur leurs vos nos qui que quoi comment ce ces cette un la le de du et en il faut
  der die das und mit von ein eine fur den dem los las del una con por para como el y di lo della dei e per al se si
  introduction introducing introduccion introduzione intro course courses cours corso curso kurs guide complete tutorial tutorials tuto
  tutos learn learning apprendre apprenez aprender lernen basics basic base bases fundamentals fundamentos foundations fondamentaux
  grundlagen modern beginners beginner debutant debutants advanced part module volume series chaine channel kanal playlist podcast
  video videos lectures lecture formation decouvrir decouvrez initiation initiez maitriser maitrisez essential essentials understanding
  comprendre using approach practical practice pratique edition programme program resources ressource ressources resource pdf ed mit ocw
  day days january february march april may june july august september october november december online free new first
  canadian edition university umfassende handbuch`.split(/\s+/),
);

/** A service that cannot tag may still be able to search. */
async function tagQuietly(
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
