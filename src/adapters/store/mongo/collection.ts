import { type Connection, type Model, Schema } from 'mongoose';
import { type Field, object } from './fields.ts';

/** A document as the driver gives it. The schema defines its fields: with `strict` and `strictQuery` set to throw, a filter or
 *  change that names another field is refused before it reaches the server. */
export interface Document {
  readonly _id: string;
  readonly [field: string]: unknown;
}

export interface Index {
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  /** For how long after this instant the server keeps the document. */
  readonly expireAfterSeconds?: number;
}

interface CollectionDefinition<R> {
  /** One for each field of the record except `id`, which is the document's `_id`. */
  readonly fields: { readonly [F in Exclude<keyof R, 'id'>]-?: Field };
  /** For a record without `id`: the fields by which it is found and ordered. */
  readonly key?: (record: R) => string;
  /** What is computed from the record for searching and sorting; kept as `derived`, never returned. */
  readonly derived?: Readonly<Record<string, { readonly field: Field; readonly of: (record: R) => unknown }>>;
  readonly indexes: readonly Index[];
}

/** The mapping of records of one kind to documents of one collection. */
export interface Collection<R> {
  readonly name: string;
  readonly schema: Schema;
  toDocument(record: R): Document;
  toRecord(document: Document): R;
  /** Null where nothing was found. */
  toRecordOrNull(document: Document | null): R | null;
}

/** How long the server keeps expired documents. The caller's clock, which may be behind the server's, decides what has expired;
 *  the server deletes it only after this time. */
export const EXPIRED_KEPT_SECONDS = 86_400;

export function defineCollection<R extends object>(
  name: string,
  { fields, key, derived = {}, indexes }: CollectionDefinition<R>,
): Collection<R> {
  const entries = Object.entries<Field>(fields);
  const keyOf = key ?? ((record: R) => (record as { id: string }).id);
  const toRecord = (document: Document) => {
    const values = fromStored(entries, document);
    return (key === undefined ? { id: document._id, ...values } : values) as R;
  };
  return {
    name,
    schema: createSchema(entries, derived, indexes),
    toDocument(record) {
      const document = { _id: keyOf(record), ...toStored(entries, record) };
      const computed = Object.entries(derived).map(([part, { of }]) => [part, of(record)]);
      return computed.length === 0 ? document : { ...document, derived: Object.fromEntries(computed) };
    },
    toRecord,
    toRecordOrNull: (document) => (document === null ? null : toRecord(document)),
  };
}

type Fields = readonly (readonly [string, Field])[];

/** Refuses fields without a value: they would not be kept, and be missed later. Types say nothing about records that are copied
 *  from elsewhere. */
function toStored(fields: Fields, record: object): object {
  const values = fields.map(([name, { toStored: convert }]) => {
    const value = (record as Record<string, unknown>)[name];
    if (value === undefined) throw new TypeError(`The field ${name} has no value`);
    return [name, convert === undefined || value === null ? value : convert(value as never)];
  });
  return Object.fromEntries(values);
}

function fromStored(fields: Fields, document: Document): object {
  const values = fields.map(([name, { fromStored: convert }]) => {
    const stored = document[name];
    return [name, convert === undefined || stored === null ? stored : convert(stored as never)];
  });
  return Object.fromEntries(values);
}

function createSchema(
  entries: Fields,
  derived: Readonly<Record<string, { readonly field: Field }>>,
  indexes: readonly Index[],
): Schema {
  const types = Object.fromEntries(entries.map(([field, { type }]) => [field, type]));
  const parts = Object.fromEntries(Object.entries(derived).map(([part, { field }]) => [part, field]));
  const schema = new Schema(
    { _id: String, ...types, derived: object(parts).type },
    { strict: 'throw', strictQuery: 'throw', versionKey: false, minimize: false, id: false },
  );
  for (const { key, ...options } of indexes) schema.index(key, options);
  return schema;
}

/** The collection on this connection. */
export function openCollection(
  connection: Connection,
  { name, schema }: Pick<Collection<never>, 'name' | 'schema'>,
): Model<Document> {
  const opened = connection.models[name] ?? connection.model(name, schema, name);
  return opened as unknown as Model<Document>;
}
