import type { CatalogKind } from '../domain/catalog-part.ts';

/** A record that was imported, with all its parts, of all datasets. */
export interface ImportedRecord {
  readonly kind: CatalogKind;
  readonly key: string;
  /** Bodies of the parts: of a concept all (to be put together), of anything else one. */
  readonly parts: readonly Readonly<Record<string, unknown>>[];
}

/** What was imported, as it counts now. */
export interface ImportedCatalog {
  /** Another text whenever `read` or `readDeadLinks` would give something else; empty where nothing was ever imported. Cheap. */
  version(): Promise<string>;
  /** Another text whenever `read` would give something else. Cheap. */
  importsVersion(): Promise<string>;
  /** Providers, then objects, then concepts, each in the order of their keys; page by page. */
  read(): AsyncIterable<ImportedRecord>;
  /** Addresses of objects that no longer answer. */
  readDeadLinks(): AsyncIterable<string>;
}
