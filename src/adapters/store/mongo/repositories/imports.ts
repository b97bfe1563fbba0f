import type { Connection, Model } from 'mongoose';
import type { Actor } from '../../../../domain/admin.ts';
import { type ImportCounts, importRhythms } from '../../../../domain/catalog.ts';
import { AppError } from '../../../../errors.ts';
import type {
  ImportChange,
  ImportOrigin,
  ImportRecord,
  ImportRemark,
  ImportRepository,
  LiveImport,
} from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { writeUnlessTaken } from '../failures.ts';
import { flag, instant, integer, object, objects, text, texts } from '../fields.ts';
import { listPage } from '../list-page.ts';
import { createEntryRepository } from './import-entries.ts';

export const imports = defineCollection<ImportRecord>('imports', {
  fields: {
    number: integer,
    format: text,
    dataset: text,
    title: text,
    state: text,
    actor: object<Actor>({ kind: text, id: text, name: text, address: text }),
    startedAt: instant,
    endedAt: instant,
    aliveUntil: instant,
    fingerprint: text,
    position: text,
    done: integer,
    total: integer,
    unit: text,
    counts: object<ImportCounts>({
      rows: integer,
      rejected: integer,
      warned: integer,
      added: integer,
      changed: integer,
      unchanged: integer,
      removed: integer,
    }),
    rejected: objects<ImportRemark>({ place: text, reason: text, isUsed: flag }),
    changes: objects<ImportChange>({ fate: text, kind: text, key: text }),
    comparedWith: integer,
    origin: object<ImportOrigin>({ address: text, langs: texts }),
    rhythm: text,
    problem: text,
    isUndoable: flag,
    version: integer,
  },
  derived: {
    // Unique: the name of the dataset while the import runs, else a value that nothing else has.
    runningOf: {
      field: text,
      of: ({ state, dataset, id }) => (state === 'running' ? `running ${dataset}` : `over ${id}`),
    },
  },
  indexes: [
    { key: { number: 1 }, unique: true },
    { key: { 'derived.runningOf': 1 }, unique: true },
    { key: { dataset: 1, number: -1 } },
    { key: { state: 1, number: 1, dataset: 1 } },
    { key: { rhythm: 1, number: 1 } },
  ],
});

const MOST = 100;

export function createImportRepository(connection: Connection): ImportRepository {
  const model = openCollection(connection, imports);
  return {
    addImport: (record) => addImport(model, record),
    saveImport: (record) =>
      writeUnlessTaken(async () => {
        const before = { _id: record.id, version: record.version - 1 };
        return (await model.replaceOne(before, imports.toDocument(record))).matchedCount === 1;
      }),
    findImport: async (id) =>
      imports.toRecordOrNull(await model.findOne({ _id: id }).lean<Document | null>()),
    listImports: (page) => listPage(model, imports, { conditions: [], order: { number: -1 }, page }),
    async listRhythmic() {
      const found = model.find({ rhythm: { $in: importRhythms } }).sort({ number: 1 });
      return (await found.lean<Document[]>()).map(imports.toRecord);
    },
    async listImportsOf(dataset, limit = MOST) {
      const found = model.find({ dataset }).sort({ number: -1 }).limit(limit);
      return (await found.lean<Document[]>()).map(imports.toRecord);
    },
    async listLive() {
      const found = model.find({ state: 'live' }, { number: 1, dataset: 1 }).sort({ number: 1 });
      const documents = await found.lean<(Omit<LiveImport, 'id'> & { _id: string })[]>();
      return documents.map(({ _id: id, number, dataset }) => ({ id, number, dataset }));
    },
    async listLiveOf(dataset, { skip, limit }) {
      const found = model.find({ dataset, state: 'live' }).sort({ number: -1 }).skip(skip).limit(limit);
      return (await found.lean<Document[]>()).map(imports.toRecord);
    },
    ...createEntryRepository(connection),
  };
}

/** A further try means that an import of another dataset was quicker. */
const TRIES = 50;

async function addImport(
  model: Model<Document>,
  record: Omit<ImportRecord, 'number'>,
): Promise<ImportRecord | null> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const [newest] = await model.find({}, { number: 1 }).sort({ number: -1 }).limit(1).lean<Document[]>();
    const numbered = { ...record, number: ((newest?.number as number | undefined) ?? 0) + 1 };
    const isAdded = await writeUnlessTaken(async () => {
      await model.insertOne(imports.toDocument(numbered));
      return true;
    });
    if (isAdded) return numbered;
    if ((await model.exists({ dataset: record.dataset, state: 'running' })) !== null) return null;
  }
  throw new AppError('STORE_UNAVAILABLE', 'Too many imports begin at once. Try again.');
}
