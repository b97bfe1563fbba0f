import type { CatalogCounts, CountOf } from '../../domain/catalog-counts.ts';
import type { Catalog } from './catalog.ts';

/** What there is of each kind in the records of a catalogue. */
export function countCatalog({ objects, concepts }: Pick<Catalog, 'objects' | 'concepts'>): CatalogCounts {
  return {
    providers: countEach(objects.map(({ provider }) => provider)),
    types: countEach(objects.flatMap(({ type }) => type)),
    languages: countEach(objects.map(({ lang }) => lang)),
    taxonomies: countEach(concepts.map(({ source }) => source)),
  };
}

function countEach(values: readonly string[]): CountOf {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return new Map([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}
