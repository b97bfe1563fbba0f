import { cutLearningQueryWords } from '#domain/learning-object-query';
import { isPassingError } from '#errors';
import type { Discovery } from '#services/searching/discovery';
import type { LaunchContext } from '../route.ts';

const MAX_SIMILAR = 12;

/** Terms like the words of a search; `views/lti/partials/similar.eta` shows them. */
export interface SimilarModel {
  readonly words: string;
  /** Null where they cannot be looked up now. */
  readonly terms: readonly SimilarTerm[] | null;
}

interface SimilarTerm {
  readonly label: string;
  readonly source: string;
  /** Whether it says more than the words. */
  readonly canNarrow: boolean;
}

/** Only an addition to the results, so never an error of an upstream. */
export async function readSimilar(
  discovery: Pick<Discovery, 'findSkills'>,
  { query, locale, signal }: LaunchContext,
): Promise<SimilarModel> {
  const words = cutLearningQueryWords(query.get('q') ?? '');
  if (words === '') return { words, terms: [] };
  try {
    const request = { keywords: words, max: MAX_SIMILAR, prefer: locale };
    const { terms } = await discovery.findSkills(request, { signal });
    const others = terms.filter(({ label }) => label.toLowerCase() !== words.toLowerCase());
    return { words, terms: others.map((term) => ({ ...term, canNarrow: saysMore(term.label, words) })) };
  } catch (error) {
    if (!isPassingError(error)) throw error;
    return { words, terms: null };
  }
}

function saysMore(label: string, words: string): boolean {
  const said = new Set(wordsIn(words));
  return wordsIn(label).some((word) => !said.has(word));
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
