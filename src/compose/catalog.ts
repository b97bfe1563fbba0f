import { join } from 'node:path';
import { readCatalog } from '#adapters/local/starter-catalog';
import { isFirstVersionCurrent } from '#adapters/local/versions/first-version';
import { projectRoot } from '#project-root';

/** Folder of the starter catalogue, which comes with the program. */
export const catalogDir = join(projectRoot, 'data');

export interface CatalogState {
  readonly objects: number;
  readonly providers: number;
  /** Concepts by the display name of their taxonomy. */
  readonly taxonomies: ReadonlyMap<string, number>;
  /** Whether the index that came with the build is of this catalogue and this code. */
  readonly isIndexCurrent: boolean;
}

/** The starter catalogue, read and checked in full. Errors: CATALOG_INVALID. */
export function examineCatalog(): CatalogState {
  const { objects, providers, concepts } = readCatalog(catalogDir);
  const taxonomies = new Map<string, number>();
  for (const { source } of concepts) taxonomies.set(source, (taxonomies.get(source) ?? 0) + 1);
  return {
    objects: objects.length,
    providers: providers.length,
    taxonomies,
    isIndexCurrent: isFirstVersionCurrent(catalogDir),
  };
}
