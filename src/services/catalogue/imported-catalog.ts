import { createHash } from 'node:crypto';
import type { ImportedCatalog, ImportedRecord } from '#ports/imports';
import type { ImportEntry, ImportRepository, LinkCheckRepository, LiveImport } from '#ports/store/store';
import { readEveryLinkCheck } from './every-record.ts';
import { findImportedChanges, writeImportsVersion } from './imported-changes.ts';
import { compareEntryRecords, mergeEntryPages, PAGE_CHARS, readEntriesInOrder } from './imports/entry-order.ts';

export interface ImportedCatalogDeps {
  readonly imports: Pick<
    ImportRepository,
    'listLive' | 'listLiveOf' | 'listImportsOf' | 'findImport' | 'readEntries' | 'findEntries' | 'findEntriesOf'
  >;
  readonly linkChecks: Pick<LinkCheckRepository, 'deadLinksVersion' | 'readLinkChecks'>;
}

const PAGE_SIZE = 1_000;
/** Limits of the pages in memory, one of each dataset: entries and characters in all, but at least
 *  `MIN_PAGE_SIZE` entries, or one large entry, of each. */
const MIN_PAGE_SIZE = 50;
const MAX_ENTRIES = 4_000;
const MAX_CHARS = 16_000_000;
/** Limits of one concept in one dataset, whose parts memory holds all at once; further parts are
 *  omitted. Concepts of official taxonomies have up to five parts and 54 KB, crosswalks more. */
const MAX_PARTS = 5_000;
const MAX_PARTS_CHARS = 4_000_000;

export function createImportedCatalog({ imports, linkChecks }: ImportedCatalogDeps): ImportedCatalog {
  const importsVersion = async () => writeImportsVersion(await imports.listLive());
  let cachedDeadLinks:
    | { readonly version: string; readonly max: number; readonly urls: ReadonlySet<string> | null }
    | undefined;

  async function* readImportedCatalog(limit = PAGE_SIZE): AsyncGenerator<ImportedRecord, undefined> {
    const live = await imports.listLive();
    const datasets = [...new Set(live.map(({ dataset }) => dataset))].sort();
    const pageSize = Math.max(MIN_PAGE_SIZE, Math.min(limit, Math.floor(MAX_ENTRIES / datasets.length)));
    const pageChars = Math.min(PAGE_CHARS, Math.floor(MAX_CHARS / datasets.length));
    const streams = datasets.map((dataset) => readDatasetRecords(imports, { dataset, live, pageSize, pageChars }));
    yield* mergeDatasetRecords(mergeEntryPages(streams, compareEntryRecords));
    return undefined;
  }

  async function readProviders(): Promise<ImportedRecord[]> {
    const providers: ImportedRecord[] = [];
    for await (const record of readImportedCatalog(MIN_PAGE_SIZE)) {
      if (record.kind !== 'provider') break;
      providers.push(record);
    }
    return providers;
  }

  async function* readDeadLinks(): AsyncGenerator<string, undefined> {
    for await (const checks of readEveryLinkCheck(linkChecks, 'dead')) for (const { url } of checks) yield url;
    return undefined;
  }

  return {
    importsVersion,
    async version() {
      const [ids, dead] = await Promise.all([importsVersion(), linkChecks.deadLinksVersion()]);
      if (ids === '' && dead === '') return '';
      return createHash('sha256').update(`${ids}\n${dead}`).digest('base64url');
    },
    read: () => readImportedCatalog(),
    readDeadLinks,
    async listDeadLinks(max) {
      const version = await linkChecks.deadLinksVersion();
      if (cachedDeadLinks?.version === version && cachedDeadLinks.max === max) return cachedDeadLinks.urls;
      const urls = new Set<string>();
      for await (const url of readDeadLinks()) if (urls.add(url).size > max) break;
      cachedDeadLinks = { version, max, urls: urls.size > max ? null : urls };
      return cachedDeadLinks.urls;
    },
    changesSince: (before, max) => findImportedChanges({ imports, readProviders }, { before, max }),
  };
}

type DatasetRecord = ImportedRecord & { readonly number: number };

interface DatasetReading {
  readonly dataset: string;
  readonly live: readonly LiveImport[];
  readonly pageSize: number;
  readonly pageChars: number;
}

async function* readDatasetRecords(
  imports: ImportedCatalogDeps['imports'],
  { dataset, live, ...pages }: DatasetReading,
): AsyncGenerator<readonly DatasetRecord[], undefined> {
  const numbers = new Set(live.map(({ number }) => number));
  // The last entry of each part of the record that is being read.
  let latest: ImportEntry[] = [];
  let chars = 0;
  for await (const page of readEntriesInOrder(imports, dataset, { withBodies: true, ...pages })) {
    const records: DatasetRecord[] = [];
    for (const entry of page) {
      if (!numbers.has(entry.importNumber) || entry.state === 'seen') continue;
      const last = latest.at(-1);
      if (last !== undefined && compareEntryRecords(last, entry) !== 0) {
        records.push(...toDatasetRecord(latest));
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
  yield toDatasetRecord(latest);
  return undefined;
}

/** Returns no record if the dataset has lost it. */
function toDatasetRecord(latest: readonly ImportEntry[]): DatasetRecord[] {
  const present = latest.flatMap((entry) => (entry.body === null ? [] : [{ ...entry, body: entry.body }]));
  const [first] = present;
  if (first === undefined) return [];
  const { kind, key } = first;
  const newest = present.reduce((best, entry) => (entry.importNumber > best.importNumber ? entry : best));
  const parts = kind === 'concept' ? present.map(({ body }) => body) : [newest.body];
  return [{ kind, key, parts, number: newest.importNumber }];
}

/** Merges the records of all datasets. A concept has the parts of all, other records the newest. */
async function* mergeDatasetRecords(pages: AsyncIterable<readonly DatasetRecord[]>) {
  let group: DatasetRecord[] = [];
  for await (const page of pages) {
    for (const record of page) {
      const [first] = group;
      if (first !== undefined && compareEntryRecords(first, record) !== 0) {
        yield* toImportedRecord(group);
        group = [];
      }
      group.push(record);
    }
  }
  yield* toImportedRecord(group);
  return undefined;
}

function toImportedRecord(records: readonly DatasetRecord[]): readonly ImportedRecord[] {
  const sorted = records.toSorted((a, b) => b.number - a.number);
  const [newest] = sorted;
  if (newest === undefined) return [];
  const { kind, key, parts } = newest;
  return [{ kind, key, parts: kind === 'concept' ? sorted.flatMap((record) => record.parts) : parts }];
}
