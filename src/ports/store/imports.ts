import type { Actor } from '#domain/admin';
import type {
  CatalogKind,
  ImportChoices,
  ImportCounts,
  ImportFormat,
  ImportRhythm,
  ImportState,
} from '#domain/catalog';
import { catalogKinds } from '#domain/catalog';
import { toRecordKey } from '#domain/record-key';
import { describeRecord, field, is, type OpenRecords, type PageRequest, type RecordOf } from './record.ts';

export const importRecords = describeRecord('imports', {
  fields: {
    id: field.text(),
    /** 1, 2, 3 … in the order of start; the entry of the highest number counts for a part. */
    number: field.integer,
    format: field.text<ImportFormat>(),
    dataset: field.text(),
    title: field.text(),
    state: field.text<ImportState>(),
    actor: field.json<Actor>(),
    startedAt: field.instant,
    /** Null while it runs. */
    endedAt: field.nullable(field.instant),
    /** Time until which the process of a running import counts as alive; renewed every few
     *  seconds. */
    aliveUntil: field.instant,
    /** Of the source. */
    fingerprint: field.nullable(field.text()),
    /** Position from which the import can be resumed: all before it is stored. Null if it
     *  cannot. */
    position: field.nullable(field.text()),
    /** In the source's unit; `total` null where unknown. */
    done: field.integer,
    total: field.nullable(field.integer),
    unit: field.text(),
    counts: field.json<ImportCounts>(),
    /** The first 1,000 rejected rows, and the first 200 that were used in part. */
    rejected: field.json<readonly ImportRemark[]>(),
    /** The first 20 records each to be added, changed or removed. Empty until all is read. */
    changes: field.json<readonly ImportChange[]>(),
    /** Number of the newest live import of the data set when the source was read; 0 for none. */
    comparedWith: field.integer,
    /** The address of the source; null for files, and where the address may hold a key. */
    origin: field.nullable(field.json<ImportOrigin>()),
    /** Frequency of automatic imports of the address; a newer live import may change it. */
    rhythm: field.nullable(field.text<ImportRhythm>()),
    /** The choices for reading the table; null without choices. */
    choices: field.initially(field.nullable(field.json<ImportChoices>()), null),
    /** The reason of a failure or a stop, in words. */
    problem: field.nullable(field.text()),
    /** Whether the previous data is still stored. */
    isUndoable: field.flag,
    /** 1 at first, one more with each change. */
    version: field.integer,
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

/** An import. The entries of the live imports make up the catalogue; later ones win. */
export type ImportRecord = RecordOf<typeof importRecords>;

export interface ImportRemark {
  readonly place: string;
  readonly reason: string;
  /** Whether the row was used in part. */
  readonly isUsed: boolean;
  /** Whether it is about the whole source. */
  readonly isNote?: true;
}

export interface ImportChange {
  readonly fate: 'added' | 'changed' | 'removed';
  readonly kind: CatalogKind;
  readonly key: string;
}

export interface ImportOrigin {
  readonly address: string;
  /** Two-letter codes; empty for all languages of the source. */
  readonly langs: readonly string[];
}

/** In the order of the keys: kinds by their place in the list, numbers with all their digits. */
export const importEntryRecords = describeRecord('importEntries', {
  fields: {
    dataset: field.text(),
    kind: field.code<CatalogKind>((kind) => `${catalogKinds.indexOf(kind)}`, toKind),
    key: field.text(),
    part: field.text(),
    importNumber: field.code<number>((number) => `${number}`.padStart(DIGITS, '0'), Number),
    /** `put` has a body; `removed` removes the part; `seen`, during an import: unchanged. */
    state: field.text<'put' | 'removed' | 'seen'>(),
    /** SHA-256 of the body, base64url; empty where there is none. */
    hash: field.text(),
    body: field.nullable(field.json<Readonly<Record<string, unknown>>>()),
  },
  key: ['dataset', 'kind', 'key', 'part', 'importNumber'],
  derived: { part: { of: (entry) => toPartKey(entry.dataset, entry), in: 'mongo' } },
  indexes: [{ fields: ['derived.part'], in: 'mongo' }, ['importNumber', 'state']],
  loss: 'moments',
});

/** The change of one part by one import. The key is (dataset, kind, key, part, import number). */
export type ImportEntry = RecordOf<typeof importEntryRecords>;

export type EntryPlace = Pick<ImportEntry, 'kind' | 'key' | 'dataset' | 'part' | 'importNumber'>;

/** A part of a data set, of any import. */
export interface EntryPart {
  readonly kind: CatalogKind;
  readonly key: string;
  readonly part: string;
}

export type ImportRepository = ReturnType<typeof createImportRepository>;

export type LiveImport = Pick<ImportRecord, 'id' | 'number' | 'dataset'>;

const DIGITS = 9;

/** The same for all entries of a part. */
export function toPartKey(dataset: string, { kind, key, part }: EntryPart): string {
  return toRecordKey([dataset, `${catalogKinds.indexOf(kind)}`, key, part]);
}

function toKind(stored: string): CatalogKind {
  const kind = catalogKinds[Number(stored)];
  if (kind === undefined) throw new Error(`no kind of record has the number ${stored}`);
  return kind;
}

/** The functions for entries, which each store implements, as there are very many entries. */
export interface ImportEntries {
  /** Adds or replaces at most 1,000 entries. After a failure, some of them may be stored. */
  putEntries(entries: readonly ImportEntry[]): Promise<void>;
  /** Entries of these parts of a data set (at most 1,000), of all imports, in no order. */
  findEntries(
    dataset: string,
    parts: readonly EntryPart[],
    options?: { readonly withBodies: boolean },
  ): Promise<readonly ImportEntry[]>;
  /** Entries `put` and `removed` of one import, in no order, without bodies; at most `limit`. */
  findEntriesOf(importNumber: number, limit: number): Promise<readonly ImportEntry[]>;
  /** Entries of a data set after `after`, in the order of kind (provider, object, concept), key,
   *  part and import number (texts as UTF-8 bytes). At most `limit` (1 to 1,000); fewer where all
   *  would take long, or have bodies of more than about `chars` characters, but at least one. A
   *  body of more than 1 MB, which older versions stored, comes without its fields. */
  readEntries(options: {
    readonly dataset: string;
    readonly after: EntryPlace | null;
    readonly limit: number;
    /** 1 MB when absent. */
    readonly chars?: number;
    readonly withBodies: boolean;
  }): Promise<readonly ImportEntry[]>;
  /** Removes these entries; at most 1,000. */
  removeEntries(places: readonly EntryPlace[]): Promise<void>;
  /** Removes entries of one import, of one state or all; at most `limit`. @returns the number */
  removeEntriesOf(importNumber: number, limit: number, state?: ImportEntry['state']): Promise<number>;
}

const MAX_IMPORTS = 100;

export function createImportRepository(open: OpenRecords, entries: ImportEntries) {
  const records = open(importRecords);
  return {
    ...entries,
    /** Adds an import under the next number. Null where an import of the data set is `running`. */
    async addImport(record: Omit<ImportRecord, 'number'>): Promise<ImportRecord | null> {
      for (;;) {
        const [newest] = await records.find({ order: ['-number'], limit: 1 });
        const numbered = { ...record, number: (newest?.number ?? 0) + 1 };
        if (await records.putIf(numbered, null)) return numbered;
        // If no import of the dataset is running, one of another dataset took the number.
        if ((await records.count({ dataset: record.dataset, state: 'running' })) > 0) return null;
      }
    },
    /** Replaces the previous version. False when the stored version is another one, or when it
     *  would be the second `running` import of the data set. */
    saveImport: (record: ImportRecord) => records.putIf(record, { version: record.version - 1 }),
    findImport: (id: string) => records.get({ id }),
    /** Newest first. */
    listImports: (page: PageRequest) => records.page({ order: ['-number'] }, page),
    /** Imports whose address is imported automatically. */
    listRhythmic: () => records.find({ where: { rhythm: is.not(null) }, order: ['number'] }),
    /** Imports of a data set, newest first, at most 100 or `limit`. */
    listImportsOf: (dataset: string, limit = MAX_IMPORTS) =>
      records.find({ where: { dataset }, order: ['-number'], limit }),
    /** All live imports, by number. Cheap: called every second. */
    async listLive(): Promise<readonly LiveImport[]> {
      // Of an index alone: whole records would be read every second.
      const live = await records.summarize(['number', 'dataset', 'id'], { state: 'live' });
      return live.map(({ id, number, dataset }) => ({ id, number, dataset }));
    },
    /** Live imports of a data set, newest first, without the first `skip`, at most `limit`. */
    listLiveOf: (dataset: string, page: { readonly skip: number; readonly limit: number }) =>
      records.find({ where: { dataset, state: 'live' }, order: ['-number'], ...page }),
  };
}
