import type { CallOptions } from '../../ports/learning-service.ts';
import type { TenantAnswers } from '../tenant-answers/tenant-answers.ts';

/** The languages of the taxonomies, the one that wins a tie first. */
export const TAXONOMY_LANGUAGES: readonly string[] = ['en', 'fr'];

export interface TextLanguages {
  /** Two-letter codes: of the taxonomies, and of the learning objects where that can be asked. */
  readonly languages: readonly string[];
  /** Whether our own engine answers. */
  readonly isOwnEngine: boolean;
}

/** The languages that a tenant's texts may be in. */
export async function findTextLanguages(
  answers: Pick<TenantAnswers, 'listLanguages'>,
  options: CallOptions = {},
): Promise<TextLanguages> {
  try {
    const { value, source } = await answers.listLanguages(options);
    const languages = [...new Set([...TAXONOMY_LANGUAGES, ...value.map((entry) => entry.value)])];
    return { languages, isOwnEngine: source.upstream === null };
  } catch {
    options.signal?.throwIfAborted();
    return { languages: TAXONOMY_LANGUAGES, isOwnEngine: false };
  }
}
