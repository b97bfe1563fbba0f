import type { CatalogCounts, Counts } from '../../domain/catalog.ts';
import type { ConceptRecord, LearningObjectRecord } from '../catalog/catalog-schema.ts';

/** Counts what there is of each kind, record by record. */
export interface CatalogCounter {
  addObject(record: LearningObjectRecord): void;
  addConcept(record: ConceptRecord): void;
  finish(): CatalogCounts;
}

export function createCatalogCounter(): CatalogCounter {
  const counts = { providers: tally(), types: tally(), languages: tally(), taxonomies: tally() };
  return {
    addObject({ provider, type, lang }) {
      counts.providers.add(provider);
      for (const each of type) counts.types.add(each);
      counts.languages.add(lang);
    },
    addConcept: ({ source }) => counts.taxonomies.add(source),
    finish: () => ({
      providers: counts.providers.sorted(),
      types: counts.types.sorted(),
      languages: counts.languages.sorted(),
      taxonomies: counts.taxonomies.sorted(),
    }),
  };
}

function tally() {
  const counts = new Map<string, number>();
  return {
    add(value: string): void {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    },
    sorted: (): Counts => new Map([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))),
  };
}
