import { SYNONYMS } from '#domain/catalog';
import type { ImportSource } from '#ports/imports';

export interface Synonym {
  /** Id of the concept that the words mean. */
  readonly concept: string;
  readonly label: string;
  readonly words: string;
  /** Two-letter code of the words' language. */
  readonly lang: string;
}

/** A label as an import: it outlives imports of the taxonomy, is audited, and can be undone. */
export function createSynonyms({ concept, label, words, lang }: Synonym): ImportSource {
  const body = { altLabels: { [lang]: [words] } };
  return {
    format: 'taxonomy',
    dataset: SYNONYMS,
    title: `“${words}” (${lang}) means ${label}`,
    // Those that were added before stay.
    covers: [],
    fingerprint: null,
    total: 1,
    unit: 'rows',
    async *read() {
      const parts = [{ kind: 'concept', key: concept, part: `synonym:${lang}:${words}`, body } as const];
      yield { position: null, done: 1, rows: 1, parts, rejected: [] };
    },
  };
}
