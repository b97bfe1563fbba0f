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
    /** Counts up in the order of start; for each part, the entry of the highest number is valid. */
    number: field.integer,
    format: field.text<ImportFormat>(),
    dataset: field.text(),
    title: field.text(),
    state: field.text<ImportState>(),
    actor: field.json<Actor>(),
    startedAt: field.instant,
    endedAt: field.nullable(field.instant),
    /** Renewed by the process every few seconds; later, the import counts as dead. */
    aliveUntil: field.instant,
    fingerprint: field.nullable(field.text()),
    /** Position in the source up to which everything is stored; null if it cannot resume. */
    position: field.nullable(field.text()),
    /** Progress in the unit of the source; `total` is null where unknown. */
    done: field.integer,
    total: field.nullable(field.integer),
    unit: field.text(),
    counts: field.json<ImportCounts>(),
    /** The first 1,000 rejected rows, and the first 200 that were used in part. */
    rejected: field.json<readonly ImportRemark[]>(),
    /** The first 20 added, changed and removed records. Empty until everything is read. */
    changes: field.json<readonly ImportChange[]>(),
    /** What a new version of a taxonomy changes; null for the first one, and for other imports. */
    report: field.initially(field.nullable(field.json<TaxonomyReport>()), null),
    /** Number of the newest live import of the data set when the source was read; 0 for none. */
    comparedWith: field.integer,
    /** Where the source came from; null for files, and where the address may hold a key. */
    origin: field.nullable(field.json<ImportOrigin>()),
    /** Frequency of automatic imports; a newer live import may change it. */
    rhythm: field.nullable(field.text<ImportRhythm>()),
    choices: field.initially(field.nullable(field.json<ImportChoices>()), null),
    problem: field.nullable(field.text()),
    /** Whether the previous data is still stored. */
    isUndoable: field.flag,
    version: field.integer,
  },
  personal: { actor: 'actor' },
  impersonal: [
    'id number format dataset title state startedAt endedAt aliveUntil fingerprint position done total unit',
    'counts rejected changes report comparedWith origin rhythm choices problem isUndoable version',
  ],
  privacy: { seenBy: ['admins'], kept: 'server', erasure: 'pseudonym' },
  derived: {
    // It is unique: the name of the dataset while the import runs, else an unused value.
    runningOf: { of: ({ state, dataset, id }) => (state === 'running' ? `running ${dataset}` : `over ${id}`) },
  },
  unique: [['number'], ['derived.runningOf']],
  indexes: [
    ['dataset', '-number'],
    { fields: ['number', 'dataset', 'id'], only: { field: 'state', is: 'live' } },
    ['rhythm', 'number'],
  ],
  loss: 'moments',
});

/** The entries of all live imports make up the catalogue; later imports win. */
export type ImportRecord = RecordOf<typeof importRecords>;

export interface ImportRemark {
  readonly place: string;
  readonly reason: string;
  readonly isUsed: boolean;
  readonly isNote?: true;
}

export interface ImportChange {
  readonly fate: 'added' | 'changed' | 'removed';
  readonly kind: CatalogKind;
  readonly key: string;
}

/** What a new version does to the concepts of a taxonomy, besides adding some. */
export interface TaxonomyReport extends Readonly<Record<TouchedConcept['fate'], number>> {
  /** At most 500 that go, then at most 500 that are renamed. */
  readonly concepts: readonly TouchedConcept[];
}

export interface TouchedConcept {
  /** A concept that goes is `merged` if another one takes its place. */
  readonly fate: 'renamed' | 'merged' | 'withdrawn';
  readonly key: string;
  readonly name: string;
  /** New label, or that of the concept it is merged into; null if it is withdrawn. */
  readonly now: string | null;
  /** Id of the concept it is merged into. */
  readonly into: string | null;
  /** Numbers of imported objects that state they teach it, and of edits of objects that name it. */
  readonly objects: number;
  readonly edits: number;
  /** Words that administrators gave it. */
  readonly synonyms: readonly string[];
}

export type ImportOrigin = { readonly address: string; readonly langs: readonly string[] };

/** Entries are encoded so that their keys sort: kinds by index, numbers with all their digits. */
export const importEntryRecords = describeRecord('importEntries', {
  fields: {
    dataset: field.text(),
    kind: field.code<CatalogKind>((kind) => `${catalogKinds.indexOf(kind)}`, toImportKind),
    key: field.text(),
    part: field.text(),
    importNumber: field.code<number>((number) => `${number}`.padStart(DIGITS, '0'), Number),
    /** `seen` marks an unchanged part during an import. */
    state: field.text<'put' | 'removed' | 'seen'>(),
    /** SHA-256 of the body, base64url; empty without a body. */
    hash: field.text(),
    body: field.nullable(field.json<Readonly<Record<string, unknown>>>()),
  },
  impersonal: 'dataset kind key part importNumber state hash body',
  key: ['dataset', 'kind', 'key', 'part', 'importNumber'],
  derived: { part: { of: (entry) => toImportPartKey(entry.dataset, entry), in: 'mongo' } },
  indexes: [{ fields: ['derived.part'], in: 'mongo' }, ['importNumber', 'state']],
  loss: 'moments',
});

/** The change of one part by one import. The key is (dataset, kind, key, part, import number). */
export type ImportEntry = RecordOf<typeof importEntryRecords>;
export type EntryPlace = Pick<ImportEntry, 'kind' | 'key' | 'dataset' | 'part' | 'importNumber'>;
export type EntryPart = { readonly kind: CatalogKind; readonly key: string; readonly part: string };
export type ImportRepository = ReturnType<typeof createImportRepository>;
export type LiveImport = Pick<ImportRecord, 'id' | 'number' | 'dataset'>;
const DIGITS = 9;

export function toImportPartKey(dataset: string, { kind, key, part }: EntryPart): string {
  return toRecordKey([dataset, `${catalogKinds.indexOf(kind)}`, key, part]);
}

function toImportKind(stored: string): CatalogKind {
  const kind = catalogKinds[Number(stored)];
  if (kind === undefined) throw new Error(`no kind of record has the number ${stored}`);
  return kind;
}

/** Each store implements these itself, as there are very many entries. */
export interface ImportEntries {
  /** Adds or replaces at most 1,000 entries. After a failure, some of them may be stored. */
  putEntries(entries: readonly ImportEntry[]): Promise<void>;
  /** Finds the entries of these parts (at most 1,000) of all imports, in no order. */
  findEntries(
    dataset: string,
    parts: readonly EntryPart[],
    options?: { readonly withBodies: boolean },
  ): Promise<readonly ImportEntry[]>;
  /** Finds `put` and `removed` entries of one import, in no order, without bodies. */
  findEntriesOf(importNumber: number, limit: number): Promise<readonly ImportEntry[]>;
  /** Reads entries after `after`, in the order of kind (provider, object, concept), key, part and
   *  import number (as UTF-8 bytes). At most `limit` (1 to 1,000); fewer, but at least one, where
   *  more would be slow or exceed about `chars` characters. A body of more than 1 MB, stored by
   *  older versions, comes without its fields. */
  readEntries(options: {
    readonly dataset: string;
    readonly after: EntryPlace | null;
    readonly limit: number;
    /** 1,048,576 when absent. */
    readonly chars?: number;
    readonly withBodies: boolean;
  }): Promise<readonly ImportEntry[]>;
  /** Removes at most 1,000 entries. */
  removeEntries(places: readonly EntryPlace[]): Promise<void>;
  /** Removes entries of one import, of one state or all. @returns their number */
  removeEntriesOf(importNumber: number, limit: number, state?: ImportEntry['state']): Promise<number>;
}

const MAX_IMPORTS = 100;

export function createImportRepository(open: OpenRecords, entries: ImportEntries) {
  const records = open(importRecords);
  return {
    ...entries,
    /** Adds an import with the next number. Returns null if one of the data set is `running`. */
    async addImport(record: Omit<ImportRecord, 'number'>): Promise<ImportRecord | null> {
      for (;;) {
        const [newest] = await records.find({ order: ['-number'], limit: 1 });
        const numbered = { ...record, number: (newest?.number ?? 0) + 1 };
        if (await records.putIf(numbered, null)) return numbered;
        // If no import of the dataset is running, one of another dataset took the number.
        if ((await records.count({ dataset: record.dataset, state: 'running' })) > 0) return null;
      }
    },
    /** Replaces the previous version. Returns false when another version is stored, or the data set
     *  would have two `running` imports. */
    saveImport: (record: ImportRecord) => records.putIf(record, { version: record.version - 1 }),
    findImport: (id: string) => records.get({ id }),
    listImports: (page: PageRequest) => records.page({ order: ['-number'] }, page),
    listRhythmic: () => records.find({ where: { rhythm: is.not(null) }, order: ['number'] }),
    /** Lists the imports of a data set, newest first, at most `limit`. */
    listImportsOf: (dataset: string, limit = MAX_IMPORTS) =>
      records.find({ where: { dataset }, order: ['-number'], limit }),
    /** Lists the live imports by number. Cheap, as it is called every second. */
    async listLive(): Promise<readonly LiveImport[]> {
      // Uses only the index: reading whole records every second would be too much.
      const live = await records.summarize(['number', 'dataset', 'id'], { state: 'live' });
      return live.map(({ id, number, dataset }) => ({ id, number, dataset }));
    },
    /** Lists the live imports of a data set, newest first. */
    listLiveOf: (dataset: string, page: { readonly skip: number; readonly limit: number }) =>
      records.find({ where: { dataset, state: 'live' }, order: ['-number'], ...page }),
  };
}
