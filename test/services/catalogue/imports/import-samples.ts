import { onTestFinished } from 'vitest';
import { openScratchStore } from '../../../../src/compose/open-store.ts';
import type { CatalogPart } from '../../../../src/domain/catalog.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import type { ImportedCatalog, ImportedRecord, ImportItem, ImportSource } from '../../../../src/ports/imports.ts';
import type { ImportRepository, Store } from '../../../../src/ports/store/store.ts';
import { createImportedCatalog } from '../../../../src/services/catalogue/imported-catalog.ts';
import { createImports, type Imports } from '../../../../src/services/catalogue/imports/imports.ts';
import { createAudit } from '../../../../src/services/tenants/audit.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { openTestStore } from '../../../helpers/test-store.ts';

/** Longer than a process is believed to be alive that says nothing. */
export const LEASE_OVER_MS = 16_000;

export const object = (key: string, value: unknown = 1): CatalogPart => ({
  kind: 'object',
  key,
  part: '',
  body: { value },
});

export const concept = (key: string, part: string, value: unknown = 1): CatalogPart => ({
  kind: 'concept',
  key,
  part,
  body: { [part]: value },
});

export const many = (count: number, value: unknown = 1): CatalogPart[] =>
  Array.from({ length: count }, (_, number) => object(`https://a.example/${number}`, value));

export interface TestSource extends ImportSource {
  /** Numbers of the rows that were read. */
  readonly read: ImportSource['read'];
  readonly rowsRead: number[];
}

/** A source with a part a row. `beforeRow` may wait or throw. */
export function sourceOf(
  parts: readonly CatalogPart[],
  changes: Partial<ImportSource> & { readonly beforeRow?: (row: number) => void | Promise<void> } = {},
): TestSource {
  const { beforeRow, ...rest } = changes;
  const rowsRead: number[] = [];
  return {
    format: 'objects',
    dataset: 'spring',
    title: 'Spring',
    covers: [''],
    fingerprint: JSON.stringify(parts),
    total: parts.length,
    unit: 'rows',
    rowsRead,
    async *read({ after }) {
      for (let row = after === null ? 0 : Number(after) + 1; row < parts.length; row++) {
        await beforeRow?.(row);
        rowsRead.push(row);
        yield item(row, { parts: [parts[row]!] });
      }
    },
    ...rest,
  };
}

export function item(row: number, changes: Partial<ImportItem>): ImportItem {
  return { position: `${row}`, done: row + 1, rows: 1, parts: [], rejected: [], ...changes };
}

/** Something to wait for until the test lets it go on. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export interface ImportHost {
  readonly store: Store;
  readonly imports: Imports;
  readonly catalog: ImportedCatalog;
  readonly problems: unknown[];
}

export interface HostOptions {
  readonly clock?: Clock;
  readonly batchSize?: number;
  /** Stands before the store's own. */
  readonly repository?: ImportRepository;
}

/** A host on this store. */
export function startHost(store: Store, options: HostOptions = {}): ImportHost {
  const { clock = createStandingClock(), batchSize = 3, repository = store.imports } = options;
  const problems: unknown[] = [];
  const imports = createImports({
    imports: repository,
    importedCatalog: createImportedCatalog(store),
    objectLayers: store.objectLayers,
    tenants: store.tenants,
    audit: createAudit({ audit: store.audit, clock }),
    clock,
    batchSize,
    openScratch: openScratchStore,
    onProblem: (error) => problems.push(error),
  });
  return { store, imports, catalog: createImportedCatalog(store), problems };
}

export function openEmptyStore(file = `${makeTempDir()}/skilldock.db`): Store {
  const store = openTestStore(file);
  onTestFinished(() => store.close());
  return store;
}

export async function readAll({ catalog }: Pick<ImportHost, 'catalog'>): Promise<ImportedRecord[]> {
  const records: ImportedRecord[] = [];
  for await (const record of catalog.read()) records.push(record);
  return records;
}

/** All that is kept of imports. */
export async function readEverything({ transfer }: Store) {
  const kept = ['imports', 'importEntries', 'audit'] as const;
  return Promise.all(kept.map((collection) => transfer.readRecords(collection, null, 1_000)));
}

/** The repository of a process that is killed at its call with this number: what it writes then is
 *  written by half. */
export function killedAt(imports: ImportRepository, calls: number): ImportRepository {
  let left = calls;
  const mortal = Object.entries(imports).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      const write = call as (...args: readonly unknown[]) => Promise<unknown>;
      left--;
      if (left >= 0) return write(...args);
      const [first, ...rest] = args;
      if (left === -1 && Array.isArray(first)) await write(first.slice(0, Math.ceil(first.length / 2)), ...rest);
      throw new Error('killed');
    },
  ]);
  return Object.fromEntries(mortal) as ImportRepository;
}
