import type { Actor } from '#domain/admin';
import type { CatalogKind, ImportCounts, ImportFormat, ImportRhythm, ImportState } from '#domain/catalog';
import { catalogKinds } from '#domain/catalog';
import { toRecordKey } from '#domain/record-key';
import {
  code,
  describeRecord,
  flag,
  instant,
  integer,
  json,
  not,
  nullable,
  type OpenRecords,
  type Page,
  type PageRequest,
  text,
} from './record.ts';

/** One import: a layer over those before it. The entries of the live ones make up the catalogue. */
export interface ImportRecord {
  readonly id: string;
  /** 1, 2, 3 … in the order in which they were begun; of two entries for the same part the later one counts. */
  readonly number: number;
  readonly format: ImportFormat;
  readonly dataset: string;
  readonly title: string;
  readonly state: ImportState;
  readonly actor: Actor;
  readonly startedAt: Date;
  /** Null while it runs. */
  readonly endedAt: Date | null;
  /** While it runs: until when its process is believed to be alive. Renewed every few seconds. */
  readonly aliveUntil: Date;
  /** Of the source. */
  readonly fingerprint: string | null;
  /** Everything before it is in the store; null where the import cannot be resumed. */
  readonly position: string | null;
  /** In the source's unit; `total` null where unknown. */
  readonly done: number;
  readonly total: number | null;
  readonly unit: string;
  readonly counts: ImportCounts;
  /** The first rows that could not be used, at most 1,000, and the first that could not be used as they are, at most 200. */
  readonly rejected: readonly ImportRemark[];
  /** The first records that it adds, changes or removes, at most 20 of each. Empty before it is read to its end. */
  readonly changes: readonly ImportChange[];
  /** Number of the newest import of its dataset that counted when it was read; 0 where none did. */
  readonly comparedWith: number;
  /** The address that it was read from; null for files, and where the address may hold a key. */
  readonly origin: ImportOrigin | null;
  /** How often its address is imported again once it counts, until a newer import of the dataset that counts says so. */
  readonly rhythm: ImportRhythm | null;
  /** What ended it, where it failed or was stopped; for people. */
  readonly problem: string | null;
  /** Whether what was before it is still kept. */
  readonly isUndoable: boolean;
  /** 1 when it is added, one more with each change. */
  readonly version: number;
}

export interface ImportRemark {
  readonly place: string;
  readonly reason: string;
  /** The row was used all the same. */
  readonly isUsed: boolean;
}

export interface ImportChange {
  readonly fate: 'added' | 'changed' | 'removed';
  readonly kind: CatalogKind;
  readonly key: string;
}

export interface ImportOrigin {
  readonly address: string;
  /** Two-letter codes; all that the source has when empty. */
  readonly langs: readonly string[];
}

/** What one import says about one part. The key is (dataset, kind, key, part, import number). */
export interface ImportEntry {
  readonly kind: CatalogKind;
  readonly key: string;
  readonly dataset: string;
  readonly part: string;
  readonly importNumber: number;
  /** `put` has a body; `removed`: gone from here on; `seen`: while it runs, that the part is as it was. */
  readonly state: 'put' | 'removed' | 'seen';
  /** Of the body, SHA-256, base64url; empty where there is none. */
  readonly hash: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

export type EntryPlace = Pick<ImportEntry, 'kind' | 'key' | 'dataset' | 'part' | 'importNumber'>;

/** A part of a dataset, whichever import it came with. */
export type EntryPart = Pick<ImportEntry, 'kind' | 'key' | 'part'>;

export interface ImportRepository {
  /** Under the number after the highest there is. Null where an import of the dataset is `running`. */
  addImport(record: Omit<ImportRecord, 'number'>): Promise<ImportRecord | null>;
  /** Puts it where exactly the version before it stands. False when it does not stand there, or when it would be the second
   *  one of its dataset that is `running`. */
  saveImport(record: ImportRecord): Promise<boolean>;
  findImport(id: string): Promise<ImportRecord | null>;
  /** Newest first. */
  listImports(page: PageRequest): Promise<Page<ImportRecord>>;
  /** Those whose address is imported again by itself. */
  listRhythmic(): Promise<readonly ImportRecord[]>;
  /** Of this dataset, newest first, at most 100 or `limit`. */
  listImportsOf(dataset: string, limit?: number): Promise<readonly ImportRecord[]>;
  /** All that count, by number. Cheap: asked every second. */
  listLive(): Promise<readonly LiveImport[]>;
  /** The records of those of one dataset, newest first, at most `limit`, without the `skip` newest. */
  listLiveOf(
    dataset: string,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<readonly ImportRecord[]>;
  /** Adds or replaces by their keys; at most 1,000. Where it fails, some of them may be there. */
  putEntries(entries: readonly ImportEntry[]): Promise<void>;
  /** Of these parts of one dataset (at most 1,000), of all imports, in no order, without bodies unless asked for. */
  findEntries(
    dataset: string,
    parts: readonly EntryPart[],
    options?: { readonly withBodies: boolean },
  ): Promise<readonly ImportEntry[]>;
  /** What one import puts and removes, in no order, without bodies; at most `limit`. Without looking at what else there is. */
  findEntriesOf(importNumber: number, limit: number): Promise<readonly ImportEntry[]>;
  /** Of one dataset, in the order kind (provider, object, concept), key, part, import number (texts as UTF-8 bytes), those after
   *  `after`; at most `limit` (1 to 1,000), fewer where all would take long, and only so many that their bodies have about `chars`
   *  characters together, but one at least. Bodies are null unless asked for; one of more than 1 MB, as versions before kept them,
   *  is given without its fields. */
  readEntries(options: {
    readonly dataset: string;
    readonly after: EntryPlace | null;
    readonly limit: number;
    /** 1 MB where it is not said. */
    readonly chars?: number;
    readonly withBodies: boolean;
  }): Promise<readonly ImportEntry[]>;
  /** These exact entries; at most 1,000. */
  removeEntries(places: readonly EntryPlace[]): Promise<void>;
  /** Of one import, only those of the state where one is given; at most `limit`. @returns how many there were */
  removeEntriesOf(importNumber: number, limit: number, state?: ImportEntry['state']): Promise<number>;
}

/** An import that counts. */
export type LiveImport = Pick<ImportRecord, 'id' | 'number' | 'dataset'>;

export const importRecords = describeRecord<ImportRecord>('imports', {
  fields: {
    id: text(),
    number: integer,
    format: text(),
    dataset: text(),
    title: text(),
    state: text(),
    actor: json(),
    startedAt: instant,
    endedAt: nullable(instant),
    aliveUntil: instant,
    fingerprint: nullable(text()),
    position: nullable(text()),
    done: integer,
    total: nullable(integer),
    unit: text(),
    counts: json(),
    rejected: json(),
    changes: json(),
    comparedWith: integer,
    origin: nullable(json<ImportOrigin>()),
    rhythm: nullable(text<ImportRhythm>()),
    problem: nullable(text()),
    isUndoable: flag,
    version: integer,
  },
  derived: {
    // Unique: the name of the dataset while the import runs, else a value that nothing else has.
    runningOf: {
      of: ({ state, dataset, id }) => (state === 'running' ? `running ${dataset}` : `over ${id}`),
    },
  },
  unique: [['number'], ['derived.runningOf']],
  indexes: [
    ['dataset', '-number'],
    { fields: ['number', 'dataset', 'id'], only: { field: 'state', is: 'live' } },
    ['rhythm', 'number'],
  ],
  loss: 'moments',
});

const DIGITS = 9;

/** In the order of the keys: kinds by their place in the list, numbers with all their digits. */
export const importEntryRecords = describeRecord<ImportEntry>('importEntries', {
  fields: {
    dataset: text(),
    kind: code((kind) => `${catalogKinds.indexOf(kind)}`, toKind),
    key: text(),
    part: text(),
    importNumber: code((number) => `${number}`.padStart(DIGITS, '0'), Number),
    state: text(),
    hash: text(),
    body: nullable(json()),
  },
  key: ['dataset', 'kind', 'key', 'part', 'importNumber'],
  derived: { part: { of: (entry) => toPartKey(entry.dataset, entry), in: 'mongo' } },
  indexes: [{ fields: ['derived.part'], in: 'mongo' }, ['importNumber', 'state']],
  loss: 'moments',
});

/** The same for all entries of a part. */
export function toPartKey(dataset: string, { kind, key, part }: EntryPart): string {
  return toRecordKey([dataset, `${catalogKinds.indexOf(kind)}`, key, part]);
}

function toKind(stored: string): CatalogKind {
  const kind = catalogKinds[Number(stored)];
  if (kind === undefined) throw new Error(`no kind of record has the number ${stored}`);
  return kind;
}

/** What the entries need more than records of every kind do: each store reads and writes very many of them its own way. */
export type ImportEntries = Pick<
  ImportRepository,
  'putEntries' | 'findEntries' | 'findEntriesOf' | 'readEntries' | 'removeEntries' | 'removeEntriesOf'
>;

const MOST_OF_DATASET = 100;

export function createImportRepository(open: OpenRecords, entries: ImportEntries): ImportRepository {
  const records = open(importRecords);
  return {
    ...entries,
    async addImport(record) {
      for (;;) {
        const [newest] = await records.find({ order: ['-number'], limit: 1 });
        const numbered = { ...record, number: (newest?.number ?? 0) + 1 };
        if (await records.putIf(numbered, null)) return numbered;
        // Or an import of another dataset was quicker.
        if ((await records.count({ dataset: record.dataset, state: 'running' })) > 0) return null;
      }
    },
    saveImport: (record) => records.putIf(record, { version: record.version - 1 }),
    findImport: (id) => records.get({ id }),
    listImports: (page) => records.page({ order: ['-number'] }, page),
    listRhythmic: () => records.find({ where: { rhythm: not(null) }, order: ['number'] }),
    listImportsOf: (dataset, limit = MOST_OF_DATASET) =>
      records.find({ where: { dataset }, order: ['-number'], limit }),
    async listLive() {
      // Of an index alone: whole records would be read every second.
      const live = await records.summarize(['number', 'dataset', 'id'], { state: 'live' });
      return live.map(({ id, number, dataset }) => ({ id, number, dataset }));
    },
    listLiveOf: (dataset, page) =>
      records.find({ where: { dataset, state: 'live' }, order: ['-number'], ...page }),
  };
}
