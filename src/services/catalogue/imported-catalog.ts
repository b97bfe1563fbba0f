import { createHash } from 'node:crypto';
import type { ImportedCatalog, ImportedRecord } from '#ports/imports';
import type { ImportEntry, ImportRepository, LinkCheckRepository, LiveImport } from '#ports/store/store';
import { findImportedChanges, writeImportsVersion } from './imported-changes.ts';
import {
  compareEntryRecords,
  mergeEntryPages,
  PAGE_CHARS,
  readEntriesInOrder,
} from './imports/entry-order.ts';

export interface ImportedCatalogDeps {
  readonly imports: Pick<
    ImportRepository,
    | 'listLive'
    | 'listLiveOf'
    | 'listImportsOf'
    | 'findImport'
    | 'readEntries'
    | 'findEntries'
    | 'findEntriesOf'
  >;
  readonly linkChecks: Pick<LinkCheckRepository, 'deadLinksVersion' | 'readLinkChecks'>;
}

const PAGE = 1_000;
/** At most so much is held at once, a page of every dataset; pages get no smaller than `MIN_PAGE`
 *  entries, or one large one. */
const MIN_PAGE = 50;
const MOST_HELD = 4_000;
const MOST_HELD_CHARS = 16_000_000;
/** What a dataset says about one concept in many parts, as a crosswalk does, is held and written in
 *  one go: what is more than this is left out. The official taxonomies have five parts and 54
 *  KB. */
const MAX_PARTS = 5_000;
const MAX_PARTS_CHARS = 4_000_000;

/** The live imports laid over each other: of each part the entry with the highest number counts. */
export function createImportedCatalog({ imports, linkChecks }: ImportedCatalogDeps): ImportedCatalog {
  const importsVersion = async () => writeImportsVersion(await imports.listLive());
  let dead: {
    readonly version: string;
    readonly most: number;
    readonly urls: ReadonlySet<string> | null;
  } | null = null;

  async function* read(most = PAGE): AsyncGenerator<ImportedRecord, undefined> {
    const live = await imports.listLive();
    const datasets = [...new Set(live.map(({ dataset }) => dataset))].sort();
    const pageSize = Math.max(MIN_PAGE, Math.min(most, Math.floor(MOST_HELD / datasets.length)));
    const pageChars = Math.min(PAGE_CHARS, Math.floor(MOST_HELD_CHARS / datasets.length));
    const streams = datasets.map((dataset) => readLayered(imports, { dataset, live, pageSize, pageChars }));
    yield* putTogether(mergeEntryPages(streams, compareEntryRecords));
    return undefined;
  }

  async function readProviders(): Promise<ImportedRecord[]> {
    const providers: ImportedRecord[] = [];
    for await (const record of read(MIN_PAGE)) {
      if (record.kind !== 'provider') break;
      providers.push(record);
    }
    return providers;
  }

  async function* readDeadLinks(): AsyncGenerator<string, undefined> {
    let after: string | null = null;
    for (;;) {
      const checks = await linkChecks.readLinkChecks({ state: 'dead', after, limit: PAGE });
      for (const { url } of checks) yield url;
      const last = checks.at(-1);
      if (last === undefined || checks.length < PAGE) return undefined;
      after = last.url;
    }
  }

  return {
    importsVersion,
    async version() {
      const [ids, dead] = await Promise.all([importsVersion(), linkChecks.deadLinksVersion()]);
      if (ids === '' && dead === '') return '';
      return createHash('sha256').update(`${ids}\n${dead}`).digest('base64url');
    },
    read: () => read(),
    readDeadLinks,
    async listDeadLinks(most) {
      const version = await linkChecks.deadLinksVersion();
      if (dead?.version === version && dead.most === most) return dead.urls;
      const urls = new Set<string>();
      for await (const url of readDeadLinks()) if (urls.add(url).size > most) break;
      dead = { version, most, urls: urls.size > most ? null : urls };
      return dead.urls;
    },
    changesSince: (before, most) => findImportedChanges({ imports, readProviders }, { before, most }),
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
  readonly pageChars: number;
}

async function* readLayered(
  imports: ImportedCatalogDeps['imports'],
  { dataset, live, ...pages }: Layers,
): AsyncGenerator<readonly DatasetRecord[], undefined> {
  const numbers = new Set(live.map(({ number }) => number));
  // The parts of the record that is being read, the last entry of each.
  let latest: ImportEntry[] = [];
  let chars = 0;
  for await (const page of readEntriesInOrder(imports, dataset, { withBodies: true, ...pages })) {
    const records: DatasetRecord[] = [];
    for (const entry of page) {
      if (!numbers.has(entry.importNumber) || entry.state === 'seen') continue;
      const last = latest.at(-1);
      if (last !== undefined && compareEntryRecords(last, entry) !== 0) {
        records.push(...toRecord(latest));
        [latest, chars] = [[], 0];
      } else if (last !== undefined) {
        if (last.part === entry.part) latest.pop();
        else chars += JSON.stringify(last.body).length;
        if (latest.length >= MAX_PARTS || chars > MAX_PARTS_CHARS) continue;
      }
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

/** For a concept, what all datasets say, the latest change first; for anything else, what the
 *  newest import says. */
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
