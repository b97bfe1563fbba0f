import type { CatalogPart } from '../../../src/domain/catalog.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import type { ImportedCatalog, ImportSource } from '../../../src/ports/imports.ts';
import type { Store } from '../../../src/ports/store/store.ts';
import { createImportedCatalog } from '../../../src/services/catalogue/imported-catalog.ts';
import { createImports } from '../../../src/services/catalogue/imports/imports.ts';
import { createAudit } from '../../../src/services/tenants/audit.ts';
import { tester } from '../../helpers/open-services.ts';
import { openTestStore } from '../../helpers/test-store.ts';

export interface OpenedImports {
  readonly store: Store;
  readonly catalog: ImportedCatalog;
  /** Makes these parts all there is of a dataset. @returns the import's id */
  put(dataset: string, parts: readonly CatalogPart[]): Promise<string>;
  undo(id: string): Promise<void>;
  /** Notes that these addresses are dead. */
  bury(...urls: string[]): Promise<void>;
  close(): Promise<void>;
}

/** The real imports on an embedded store in this file. */
/** @param at the file of an embedded store, or a store that is open */
export function openImports(at: string | Store): OpenedImports {
  const store = typeof at === 'string' ? openTestStore(at) : at;
  const clock = systemClock;
  const imports = createImports({
    imports: store.imports,
    importedCatalog: createImportedCatalog(store),
    objectLayers: store.objectLayers,
    tenants: store.tenants,
    audit: createAudit({ audit: store.audit, clock }),
    clock,
    openScratch: () => Promise.reject(new Error('no dry run here')),
    onProblem(error: unknown) {
      throw error;
    },
  });
  return {
    store,
    catalog: createImportedCatalog(store),
    async put(dataset, parts) {
      const { record } = await imports.run(tester, sourceOf(dataset, parts), { allowRemoval: true });
      return record!.id;
    },
    async undo(id) {
      await imports.undo(tester, id);
    },
    async bury(...urls) {
      const checkedAt = new Date();
      await store.linkChecks.saveLinkChecks(
        urls.map((url) => ({
          url,
          state: 'dead',
          checkedAt,
          since: checkedAt,
          movedTo: null,
          etag: null,
          lastModified: null,
          picture: null,
          status: 404,
          reason: 'not-found',
          failures: 3,
        })),
      );
    },
    async close() {
      await imports.close();
      await store.close();
    },
  };
}

function sourceOf(dataset: string, parts: readonly CatalogPart[]): ImportSource {
  return {
    format: 'objects',
    dataset,
    title: dataset,
    covers: [''],
    fingerprint: null,
    total: parts.length,
    unit: 'rows',
    async *read() {
      yield { position: 'end', done: parts.length, rows: parts.length, parts, rejected: [] };
    },
  };
}

export const partOf = (kind: CatalogPart['kind'], key: string, body: object, part = ''): CatalogPart => ({
  kind,
  key,
  part,
  body: body as CatalogPart['body'],
});

export const objectPart = (record: object): CatalogPart => partOf('object', (record as { url: string }).url, record);

export const conceptPart = (record: object, part = ''): CatalogPart =>
  partOf('concept', (record as { id: string }).id, record, part);
