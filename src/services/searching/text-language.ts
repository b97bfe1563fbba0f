import type { CallOptions } from '#ports/learning-service';
import type { TenantAnswers } from './tenant-answers.ts';

/** The languages of the taxonomies, the one that wins a tie first. */
export const TAXONOMY_LANGUAGES: readonly string[] = ['en', 'fr'];

interface TextLanguages {
  /** Two-letter codes: of the taxonomies, and of the learning objects where that can be asked. */
  readonly languages: readonly string[];
  /** Whether our own engine answers. */
  readonly isOwnEngine: boolean;
}

/** Used where a text is not clear. */
export const FALLBACK_LANGUAGE = 'en';

export interface TextLanguage {
  /** Two-letter code. */
  readonly lang: string;
  /** False where it is the fallback. */
  readonly isLangDetected: boolean;
}

/** Words like "communication" are in several languages. */
const MIN_LENGTH = 16;
/** Code units; more of a text would not change the answer. */
const MOST_READ = 4_000;
/** How far the best language must be before the second, as a share of its score. Of the 155 needs of the benchmark that are as long and as
 *  clear, 152 are recognised, and all of the starter catalogue's descriptions. */
const LEAST_LEAD = 0.05;

/** Addresses of pages and people have no language. */
const ADDRESS = /\S+(?:\/\/|@)\S+/g;

/** The language of a text among these; the fallback where it is too short or too mixed to tell. All languages that the library knows are
 *  compared, so that a text in another one is not mistaken for the nearest of these. */
export async function detectLanguage(text: string, among: readonly string[]): Promise<TextLanguage> {
  const words = text.slice(0, MOST_READ).replace(ADDRESS, ' ').trim();
  const scores = words.length < MIN_LENGTH ? [] : await scoreLanguages(words);
  const [first, second] = scores.toSorted(([, a], [, b]) => b - a);
  const isClear = first !== undefined && (second === undefined || second[1] <= (1 - LEAST_LEAD) * first[1]);
  if (!isClear || !among.includes(first[0])) return { lang: FALLBACK_LANGUAGE, isLangDetected: false };
  return { lang: first[0], isLangDetected: true };
}

/** The library takes 29 MB of the heap: it is loaded at the first text. */
async function scoreLanguages(words: string): Promise<[string, number][]> {
  const { eld } = await import('eld/extrasmall');
  return Object.entries(eld.detect(words).getScores());
}

/** The languages that a tenant's texts may be in. */
export async function findTextLanguages(
  answers: TenantAnswers,
  options: CallOptions = {},
): Promise<TextLanguages> {
  try {
    const { value, source } = await answers.ask('listLanguages', {}, options);
    const languages = [...new Set([...TAXONOMY_LANGUAGES, ...value.map((entry) => entry.value)])];
    return { languages, isOwnEngine: source.upstream === null };
  } catch {
    options.signal?.throwIfAborted();
    return { languages: TAXONOMY_LANGUAGES, isOwnEngine: false };
  }
}
