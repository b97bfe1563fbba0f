import type { CallOptions } from '#ports/learning-service';
import type { TenantAnswers } from './tenant-answers.ts';

/** The languages of the taxonomies, the one that wins a tie first. */
export const TAXONOMY_LANGUAGES: readonly string[] = ['en', 'fr', 'de', 'es'];

/** Used where the language of a text cannot be detected. */
export const FALLBACK_LANGUAGE = 'en';

export interface TextLanguage {
  readonly lang: string;
  /** False where `lang` is the fallback. */
  readonly isLangDetected: boolean;
}

/** Shorter texts, such as the word "communication", may be in several languages. */
const MIN_LENGTH = 16;
/** More of a text would not change the answer. */
const MAX_READ = 4_000;
/** Least lead of the best language over the second, as a share of its score. It recognises 152 of
 *  the 155 clear needs of the benchmark, and all descriptions of the starter catalogue. */
const MIN_LEAD = 0.05;
/** Addresses of pages and people have no language. */
const ADDRESS = /\S+(?:\/\/|@)\S+/g;

/** Detects which of the candidates the language of a text is; returns the fallback if the text is
 *  too short or too mixed. The library compares all of its languages, so that a text in another one
 *  is not mistaken for the nearest candidate. */
export async function detectTextLanguage(text: string, candidates: readonly string[]): Promise<TextLanguage> {
  const words = text.slice(0, MAX_READ).replace(ADDRESS, ' ').trim();
  const scores = words.length < MIN_LENGTH ? [] : await scoreTextLanguages(words);
  const [first, second] = scores.toSorted(([, a], [, b]) => b - a);
  const isClear = first !== undefined && (second === undefined || second[1] <= (1 - MIN_LEAD) * first[1]);
  if (!isClear || !candidates.includes(first[0])) return { lang: FALLBACK_LANGUAGE, isLangDetected: false };
  return { lang: first[0], isLangDetected: true };
}

/** The library takes 29 MB of heap, so it is loaded with the first text. */
async function scoreTextLanguages(words: string): Promise<[string, number][]> {
  const { eld } = await import('eld/extrasmall');
  return Object.entries(eld.detect(words).getScores());
}

/** Returns the languages of the taxonomies, and of the objects if the service lists them. */
export async function findTextLanguages(answers: TenantAnswers, options: CallOptions = {}) {
  try {
    const { value, source } = await answers.ask('listLanguages', {}, options);
    const languages = [...new Set([...TAXONOMY_LANGUAGES, ...value.map((entry) => entry.value)])];
    return { languages, isBuiltIn: source.upstream === null };
  } catch {
    options.signal?.throwIfAborted();
    return { languages: TAXONOMY_LANGUAGES, isBuiltIn: false };
  }
}
