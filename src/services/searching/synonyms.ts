import { SYNONYMS } from '#domain/catalog';
import type { ImportSource } from '#ports/imports';

interface Synonym {
  /** ID of the concept that the words mean. */
  readonly concept: string;
  readonly label: string;
  readonly words: string;
  /** Two-letter code of the words' language. */
  readonly lang: string;
}

/** Makes an import, which is audited, can be undone, and outlives imports of the taxonomy. */
export function createSynonymImport({ concept, label, words, lang }: Synonym): ImportSource {
  const body = { altLabels: { [lang]: [words] } };
  return {
    format: 'taxonomy',
    dataset: SYNONYMS,
    title: `“${words}” (${lang}) means ${label}`,
    // An empty list keeps the synonyms of earlier imports.
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
