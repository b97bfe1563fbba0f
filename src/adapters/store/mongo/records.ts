import type { Connection, Model } from 'mongoose';
import type { Change, RecordDescription, Records, Sum, Where } from '#ports/store/store';
import { fieldsOfRecord, isRecordStep, storeRecords } from '#ports/store/store';
import { type Collection, collectionOf, type Document, openCollection, toMongoSort } from './collection.ts';
import { quickWrites, writeUnlessTaken } from './connection.ts';
import { type Filter, findFilteredId, toFilter, toFilterAfter, toMongoUpdate } from './filter.ts';

export function createRecords<R extends object>(connection: Connection, description: RecordDescription<R>): Records<R> {
  const model = openCollection(connection, description);
  const access = { connection, model, collection: collectionOf(description) };
  return { ...createReads(access), ...createInsertions(access), ...createChanges(access) };
}

interface Access<R> {
  readonly connection: Connection;
  readonly model: Model<Document>;
  readonly collection: Collection<R>;
}

type Reads = 'get' | 'find' | 'page' | 'count' | 'summarize' | 'distinct';

function createReads<R extends object>({ model, collection }: Access<R>): Pick<Records<R>, Reads> {
  const { description, toRecord, toRecordOrNull } = collection;
  const filter = (where?: Where<R>, further?: readonly Filter[]) => toFilter(collection, where, further);
  return {
    get: async (where) => toRecordOrNull(await model.findOne(filter(where)).lean<Document | null>()),
    async find({ where, order = [], after = null, limit = 0, skip = 0 } = {}) {
      const later = after === null ? [] : toFilterAfter(collection, after, order);
      const query = model.find(filter(where, later)).sort(toMongoSort(description, order));
      return (await query.skip(skip).limit(limit).lean<Document[]>()).map(toRecord);
    },
    async page({ where, order = [] }, { page, pageSize }) {
      const sorted = model.find(filter(where)).sort(toMongoSort(description, order));
      const query = sorted.skip(page * pageSize).limit(pageSize);
      const [documents, total] = await Promise.all([query.lean<Document[]>(), model.countDocuments(filter(where))]);
      return { items: documents.map(toRecord), total };
    },
    count: (where) => model.countDocuments(filter(where)),
    async summarize(by, where, { sum, latest } = {}) {
      const sums = {
        count: { $sum: 1 },
        sum: { $sum: sum === undefined ? 0 : `$${sum}` },
        latest: { $max: latest === undefined ? null : `$${latest}` },
      };
      // By number, as names of derived fields have a dot.
      const values = by.map((field, number) => [`by${number}`, `$${collection.pathOf(field)}`]);
      const groups = await model.aggregate<Sum & { readonly _id: Readonly<Record<string, unknown>> }>([
        { $match: filter(where) },
        { $group: { _id: Object.fromEntries(values), ...sums } },
        { $sort: Object.fromEntries(values.map(([name]) => [`_id.${name}`, 1])) },
      ]);
      const toGroup = (_id: Readonly<Record<string, unknown>>) =>
        Object.fromEntries(by.map((field, number) => [field, _id[`by${number}`]]));
      return groups.map(({ _id, ...summed }) => ({ ...toGroup(_id), ...summed }) as never);
    },
    async distinct(field, where) {
      const named = filter(where, [{ [field]: { $ne: null } }]);
      return ((await model.distinct(field, named)) as string[]).toSorted();
    },
  };
}

type Insertions = 'add' | 'put' | 'putIf' | 'addOrChange';

function createInsertions<R extends object>(access: Access<R>): Pick<Records<R>, Insertions> {
  const { connection, model, collection } = access;
  const { description, toDocument } = collection;
  const options = description.loss === 'any' ? quickWrites : {};
  const insert = async (document: Document) => {
    await model.insertOne(document);
    return true;
  };
  return {
    async add(records) {
      const documents = records.map(toDocument);
      const [first] = documents;
      if (first !== undefined && documents.length === 1) return void (await insert(first));
      const writes = documents.map((document) => ({ insertOne: { document } }));
      await writeAllRecords(model, writes);
    },
    async put(records) {
      const documents = records.map(toDocument);
      const [document] = documents;
      if (document === undefined || documents.length > 1)
        return writeAllRecords(model, documents.map(toRecordReplacement));
      const replace = async () => {
        await model.replaceOne({ _id: document._id }, document, { ...options, upsert: true });
        return true;
      };
      // The first attempt also fails if another host adds the same record at this moment.
      if (!(await writeUnlessTaken(replace))) await replace();
    },
    async putIf(record, before) {
      const document = toDocument(record);
      const { _id } = document;
      const replaceIf = async (same: Filter) => (await model.replaceOne(same, document)).matchedCount === 1;
      if (before !== null) return writeUnlessTaken(() => replaceIf(toFilter(collection, before, [{ _id }])));
      const isAdded = await writeUnlessTaken(() => insert(document));
      // Checked afterwards: one of the two sides then removes what has lost its parent.
      if (!isAdded || (await hasParents(connection, description, record))) return isAdded;
      await model.deleteOne({ _id });
      return false;
    },
    async addOrChange(record, change, where) {
      const { _id, ...fields } = toDocument(record);
      const fitting = toFilter(collection, where, [{ _id }]);
      const update = toMongoUpdate(collection, change);
      const changeExisting = async () => (await model.updateOne(fitting, update, options)).matchedCount === 1;
      const add = () => writeUnlessTaken(() => insert({ _id, ...fields }));
      // Each further step is needed if another call was faster.
      if (!hasChangedRecordValues(record, change))
        return (await changeExisting()) || (await add()) || (await changeExisting());
      const unchanged = Object.entries(fields).filter(([field]) => !(field in change));
      const whole = { ...update, $setOnInsert: Object.fromEntries(unchanged) };
      const isDone = await writeUnlessTaken(async () => {
        // If one exists that does not match, the unique id refuses a second one.
        await model.updateOne(fitting, whole, { ...options, upsert: true });
        return true;
      });
      return isDone || changeExisting();
    },
  };
}

/** Whether the record already has the values of the change, which can then be part of adding it. */
function hasChangedRecordValues<R>(record: R, change: Change<R>): boolean {
  return Object.entries(change).every(([field, value]) => {
    const current = record[field as keyof R];
    return isRecordStep(value) ? value.by === 'latest' && value.value === current : value === current;
  });
}

type Writes = Parameters<Model<Document>['bulkWrite']>[0];

export async function writeAllRecords(model: Model<Document>, writes: Writes): Promise<void> {
  if (writes.length > 0) await model.bulkWrite(writes, { ordered: false, throwOnValidationError: true });
}

export const toRecordReplacement = (replacement: Document) => ({
  replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
});

async function hasParents<R>(connection: Connection, description: RecordDescription<R>, record: R): Promise<boolean> {
  for (const [field, { references }] of fieldsOfRecord(description)) {
    const parent = storeRecords.find(({ name }) => references?.isCascading && name === references.record);
    const _id = record[field as keyof R] as string | null;
    if (_id !== null && parent !== undefined && (await openCollection(connection, parent).exists({ _id })) === null)
      return false;
  }
  return true;
}

function createChanges<R extends object>(access: Access<R>): Omit<Records<R>, Reads | Insertions> {
  const { connection, model, collection } = access;
  const { toRecordOrNull, description } = collection;
  const filter = (where: Where<R>, further?: readonly Filter[]) => toFilter(collection, where, further);
  const apply = async (selection: Filter, change: Change<R> | null) =>
    change === null
      ? (await model.deleteMany(selection)).deletedCount
      : (await model.updateMany(selection, toMongoUpdate(collection, change))).modifiedCount;
  return {
    async changeIf(where, change) {
      const update = toMongoUpdate(collection, change);
      const isOne = findFilteredId(collection, where) !== null;
      const { matchedCount } = await (isOne
        ? model.updateOne(filter(where), update)
        : model.updateMany(filter(where), update));
      return matchedCount;
    },
    async changeCounting(by, where, change) {
      const values = ((await model.distinct(by, filter(where))) as string[]).sort();
      const counts: { readonly value: string; readonly count: number }[] = [];
      for (const value of values)
        counts.push({ value, count: await apply({ $and: [filter(where), { [by]: value }] }, change) });
      // Records that another call changed meanwhile are not counted.
      return counts.filter(({ count }) => count > 0);
    },
    take: async (where) => toRecordOrNull(await model.findOneAndDelete(filter(where)).lean<Document | null>()),
    async remove(where, limit) {
      if (limit !== undefined) {
        const documents = await model.find(filter(where), { _id: 1 }).limit(limit).lean<Document[]>();
        // Filtered again, as another call may have changed some of them.
        await model.deleteMany(filter(where, [{ _id: { $in: documents.map(({ _id }) => _id) } }]));
        return documents.length;
      }
      const { deletedCount } = await model.deleteMany(filter(where));
      // Also if there was none: repeating an interrupted removal finishes it.
      const id = findFilteredId(collection, where);
      if (id !== null) await removeChildRecords(connection, description.name, id);
      return deletedCount;
    },
  };
}

async function removeChildRecords(connection: Connection, parent: string, id: string): Promise<void> {
  for (const description of storeRecords)
    for (const [field, { references }] of fieldsOfRecord(description))
      if (references?.isCascading && references.record === parent)
        await openCollection(connection, description).deleteMany({ [field]: id });
}
