import { createHash } from 'node:crypto';
import type { ImportedCatalog, ImportedRecord } from '../ports/imports.ts';
import type { ImportEntry, ImportRepository, LinkCheckRepository, LiveImport } from '../ports/store/store.ts';
import { compareEntryRecords, mergeEntryPages, readEntriesInOrder } from './imports/entry-order.ts';

export interface ImportedCatalogDeps {
  readonly imports: Pick<ImportRepository, 'listLive' | 'readEntries'>;
  readonly linkChecks: Pick<LinkCheckRepository, 'deadLinksVersion' | 'readLinkChecks'>;
}

const PAGE = 1_000;
/** At most `MOST_HELD` entries are held at once, a page of every dataset; pages get no smaller than `MIN_PAGE`. */
const MIN_PAGE = 50;
const MOST_HELD = 4_000;

/** The live imports laid over each other: of each part the entry with the highest number counts. */
export function createImportedCatalog({ imports, linkChecks }: ImportedCatalogDeps): ImportedCatalog {
  async function importsVersion(): Promise<string> {
    // The newest import of a dataset stands for those below it: it was begun on top of exactly those, and only it can be undone.
    // Not identified by its number, which may repeat after a backup was restored.
    const newest = new Map((await imports.listLive()).map(({ dataset, id }) => [dataset, id]));
    return [...newest.values()].sort().join(' ');
  }

  return {
    importsVersion,
    async version() {
      const [ids, dead] = await Promise.all([importsVersion(), linkChecks.deadLinksVersion()]);
      if (ids === '' && dead === '') return '';
      return createHash('sha256').update(`${ids}\n${dead}`).digest('base64url');
    },
    async *read() {
      const live = await imports.listLive();
      const datasets = [...new Set(live.map(({ dataset }) => dataset))].sort();
      const pageSize = Math.max(MIN_PAGE, Math.min(PAGE, Math.floor(MOST_HELD / datasets.length)));
      const streams = datasets.map((dataset) => readLayered(imports, { dataset, live, pageSize }));
      yield* putTogether(mergeEntryPages(streams, compareEntryRecords));
    },
    async *readDeadLinks() {
      let after: string | null = null;
      for (;;) {
        const checks = await linkChecks.readLinkChecks({ state: 'dead', after, limit: PAGE });
        for (const { url } of checks) yield url;
        const last = checks.at(-1);
        if (last === undefined || checks.length < PAGE) return;
        after = last.url;
      }
    },
  };
}

/** What one dataset says about a record. */
interface DatasetRecord extends ImportedRecord {
  /** Number of the import that its newest part comes from. */
  readonly number: number;
}

interface Layers {
  readonly dataset: string;
  readonly live: readonly LiveImport[];
  readonly pageSize: number;
}

async function* readLayered(
  imports: ImportedCatalogDeps['imports'],
  { dataset, live, pageSize }: Layers,
): AsyncGenerator<readonly DatasetRecord[], undefined> {
  const numbers = new Set(live.map(({ number }) => number));
  // The parts of the record that is being read, the last entry of each.
  let latest: ImportEntry[] = [];
  for await (const page of readEntriesInOrder(imports, dataset, { withBodies: true, pageSize })) {
    const records: DatasetRecord[] = [];
    for (const entry of page) {
      if (!numbers.has(entry.importNumber) || entry.state === 'seen') continue;
      const last = latest.at(-1);
      if (last !== undefined && compareEntryRecords(last, entry) !== 0) {
        records.push(...toRecord(latest));
        latest = [];
      } else if (last?.part === entry.part) latest.pop();
      latest.push(entry);
    }
    yield records;
  }
  yield toRecord(latest);
  return undefined;
}

/** None where all of its parts were removed. */
function toRecord(latest: readonly ImportEntry[]): DatasetRecord[] {
  const there = latest.flatMap((entry) => (entry.body === null ? [] : [{ ...entry, body: entry.body }]));
  const [first] = there;
  if (first === undefined) return [];
  const { kind, key } = first;
  const newest = there.reduce((best, entry) => (entry.importNumber > best.importNumber ? entry : best));
  const parts = kind === 'concept' ? there.map(({ body }) => body) : [newest.body];
  return [{ kind, key, parts, number: newest.importNumber }];
}

/** For a concept, what all datasets say, the latest change first; for anything else, what the newest import says. */
async function* putTogether(
  pages: AsyncIterable<readonly DatasetRecord[]>,
): AsyncGenerator<ImportedRecord, undefined> {
  let held: DatasetRecord[] = [];
  for await (const page of pages) {
    for (const record of page) {
      const [first] = held;
      if (first !== undefined && compareEntryRecords(first, record) !== 0) {
        yield* toImported(held);
        held = [];
      }
      held.push(record);
    }
  }
  yield* toImported(held);
  return undefined;
}

/** Gives nothing where nothing is held. */
function toImported(held: readonly DatasetRecord[]): readonly ImportedRecord[] {
  const sorted = held.toSorted((a, b) => b.number - a.number);
  const [newest] = sorted;
  if (newest === undefined) return [];
  const { kind, key, parts } = newest;
  return [{ kind, key, parts: kind === 'concept' ? sorted.flatMap((record) => record.parts) : parts }];
}
