import { limitConcurrency } from '#domain/async/limit-concurrency';
import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { createLearningObjectQuery, cutLearningQueryWords } from '#domain/learning-object-query';
import { foldText, MAX_TEXT_LENGTH } from '#domain/text';
import { isPassingError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import type { FoundObject } from '../discovery/results.ts';
import type { SearchScope } from '../similar-objects.ts';

export interface ReplacementScope extends SearchScope {
  readonly tenant: Pick<TenantRecord, 'defaults'>;
}

/** What was searched for, and what was found by it. */
export interface Evidence {
  readonly kind: 'title' | 'title-word' | 'skill';
  readonly keywords: string;
  readonly items: readonly FoundObject[];
  /** All that are found by it: the fewer, the more it says. */
  readonly total: number;
}

const MAX_FOUND = 20;
const turns = { running: 6, waiting: Number.POSITIVE_INFINITY, tooMany: () => new Error() };

/** Each is a call over the network. */
const MAX_TITLE_WORDS = 3;
const MAX_SKILLS = 2;

const MIN_WORD_LENGTH = 2;

/** Searches an upstream for the object's title, its first words and its skills, in its language. What fails is left out. */
export async function gatherEvidence(
  { discovery, tenant, signal }: ReplacementScope,
  { title, lang }: LearningObject,
): Promise<readonly Evidence[]> {
  const query = createLearningObjectQuery('', { ...tenant.defaults, lang: lang ?? tenant.defaults.lang });
  const search = async ({ kind, keywords }: Search): Promise<Evidence> => {
    const loosely = { max: MAX_FOUND, match: 'best-effort', model: 'extended' } as const;
    const wanted = { ...query, ...loosely, keywords: cutLearningQueryWords(keywords) };
    const { items, totalItems } = await discovery.searchLearningObjects(wanted, { signal });
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

const weightOf = ({ kind, total }: Evidence) =>
  weights[kind] * (kind === 'title' ? 1 : 1 / Math.log2(2 + total));

/** How much of all that was searched for an object has, from 0 to 1. */
export function weighEvidence(
  evidence: readonly Evidence[],
  address: string,
  { title, description = '' }: LearningObject,
): number {
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
  return [...new Set(words)].filter((word) => word.length >= minLength && !said.has(word));
}

/** What titles say whatever they are about, folded. */
const said: ReadonlySet<string> = new Set(
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
    const asked = { signal, guesses: true };
    return (await discovery.tagText(text.slice(0, MAX_TEXT_LENGTH), lang, asked)).tags;
  } catch (error) {
    if (!signal.aborted && !isPassingError(error)) throw error;
    return [];
  }
}
