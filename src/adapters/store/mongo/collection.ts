import { type Connection, type Model, Schema } from 'mongoose';
import { toRecordKey } from '#domain/record-key';
import type { Derived, Field, Index, RecordDescription } from '#ports/store/store';
import { fieldsOfRecord, hasRecordTies, KEY } from '#ports/store/store';

/** A stored record. Fields outside the schema are refused before they reach the server. */
export type Document = { readonly _id: string; readonly [field: string]: unknown };

export type Collection<R> = ReturnType<typeof defineModel<R>>;

/** How long expired documents stay: the caller's clock decides, and the server's may be ahead. */
const EXPIRED_KEPT_SECONDS = 86_400;
const collections = new WeakMap<object, Collection<never>>();

/** The collection of a description, made once. */
export function collectionOf<R>(description: RecordDescription<R>): Collection<R> {
  const collection = collections.get(description) ?? (defineModel(description) as unknown as Collection<never>);
  collections.set(description, collection);
  return collection as unknown as Collection<R>;
}

/** Describes documents. A key of one field is the `_id`; one of several is joined to one text. */
function defineModel<R>(description: RecordDescription<R>) {
  const { name, key, derived } = description;
  const fields = new Map(fieldsOfRecord(description));
  const [id] = key.length === 1 ? key : [];
  const storedFields = [...fields].filter(([field]) => field !== id);
  const missing = findMissingMarks(description);
  const toStored = (field: string, value: unknown) => {
    const { type, encode } = fields.get(field) ?? {};
    if (value === null || value === undefined) return value;
    if (encode !== undefined) return encode(value);
    return type === 'bytes' ? toMongoBuffer(value as Uint8Array) : value;
  };
  const toId = (record: Partial<R>) =>
    id === undefined ? toRecordKey(key.map((field) => `${toStored(field, record[field])}`)) : `${record[id]}`;
  const toRecord = (document: Document) => {
    const values = storedFields.map(([field, options]) => [field, decodeStored(options, document[field])]);
    return { ...(id !== undefined && { [id]: document._id }), ...Object.fromEntries(values) } as R;
  };
  return {
    name,
    description,
    schema: createCollectionSchema(description, storedFields, missing),
    derivedParts: [...Object.keys(derived), ...missing.map(markOf)],
    toDocument(record: R): Document {
      const values = storedFields.map(([field]) => {
        const value = (record as Record<string, unknown>)[field];
        // The server would drop it, and it would be missed later, also in copied records.
        if (value === undefined) throw new TypeError(`The field ${field} has no value`);
        return [field, toStored(field, value)];
      });
      const parts = Object.entries<Derived<R>>(derived).map(([part, { of }]) => [part, of(record)]);
      const marks = missing.map((field) => [markOf(field), (record as Record<string, unknown>)[field] === null]);
      const computed = [...parts, ...marks];
      return {
        _id: toId(record),
        ...Object.fromEntries(values),
        ...(computed.length > 0 && { derived: Object.fromEntries(computed) }),
      };
    },
    toRecord,
    toRecordOrNull: (document: Document | null): R | null => (document === null ? null : toRecord(document)),
    /** Makes the `_id` of a record, or of the fields of its key. */
    toId,
    pathOf: (field: string): string => (field === id ? '_id' : field),
    toStored,
  };
}

function decodeStored({ type, decode }: Pick<Field<unknown>, 'type' | 'decode'>, stored: unknown): unknown {
  if (stored === null) return null;
  if (decode !== undefined) return decode(stored as string);
  // The server wraps them in an object.
  return type === 'bytes' ? (stored as { readonly buffer: Uint8Array }).buffer : stored;
}

const toMongoBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Lists fields with a mark that sorts missing values last: servers sort them first. */
function findMissingMarks<R>(description: RecordDescription<R>): readonly string[] {
  const sorted = Object.values<string>(description.sorts);
  return fieldsOfRecord(description).flatMap(([field, { isNullable }]) =>
    isNullable && sorted.includes(field) ? [field] : [],
  );
}

export const markOf = (field: string): string => `no_${field}`;

export const hasMark = <R>(description: RecordDescription<R>, field: string): boolean =>
  findMissingMarks(description).includes(field);

const types = {
  text: String,
  integer: Number,
  flag: Boolean,
  instant: Date,
  json: String,
  texts: [String],
  tenants: [String],
  bytes: Buffer,
} as const;

function createCollectionSchema<R>(
  description: RecordDescription<R>,
  storedFields: readonly (readonly [string, Field<unknown>])[],
  missing: readonly string[],
): Schema {
  const strict = { strict: 'throw', strictQuery: 'throw', minimize: false, id: false } as const;
  const parts = [
    ...Object.keys(description.derived).map((part) => [part, String]),
    ...missing.map((field) => [markOf(field), Boolean]),
  ];
  const derived = new Schema(Object.fromEntries(parts), { ...strict, _id: false });
  const fields = storedFields.map(([field, { type }]) => [field, { type: types[type] }]);
  const definition = { _id: String, ...Object.fromEntries(fields), derived: { type: derived } };
  const schema = new Schema(definition, { ...strict, versionKey: false });
  for (const { fields, ...options } of listCollectionIndexes(description)) schema.index(fields, options);
  return schema;
}

interface ServerIndex {
  readonly fields: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  readonly expireAfterSeconds?: number;
}

function listCollectionIndexes<R>(description: RecordDescription<R>): readonly ServerIndex[] {
  const { indexes, expiry, isGoneAtOnce, sorts } = description;
  const all: ServerIndex[] = [
    ...indexes.filter((index) => index.in !== 'sqlite').map((index) => toServerIndex(description, index)),
    // Each direction needs its own, as ties keep their order in both.
    ...Object.values<string>(sorts).flatMap((field) => [
      { fields: toMongoSort(description, [field]) },
      { fields: toMongoSort(description, [`-${field}`]) },
    ]),
    ...fieldsOfRecord(description).flatMap(([field, { type }]) => (type === 'tenants' ? [indexField(field)] : [])),
  ];
  if (expiry !== null) all.push({ ...indexField(expiry), expireAfterSeconds: isGoneAtOnce ? 0 : EXPIRED_KEPT_SECONDS });
  if ('tenantId' in description.fields && !all.some(({ fields }) => Object.keys(fields)[0] === 'tenantId'))
    all.push(indexField('tenantId'));
  // The first of the same fields, as it may be unique.
  return all.filter(({ fields }, place) => place === all.findIndex((each) => isSame(each.fields, fields)));
}

const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);
const indexField = (field: string): ServerIndex => ({ fields: { [field]: 1 } });

/** Makes an index of all records, grouped by the condition: partial ones differ between servers. */
function toServerIndex<R>(description: RecordDescription<R>, { fields, only, isUnique }: Index<R>): ServerIndex {
  const first = only?.is === undefined ? [] : [only.field];
  return {
    fields: toMongoSort(description, [...first, ...fields], { isComplete: true }),
    ...(isUnique === true && { unique: true }),
  };
}

/** Makes a sort order, with ties in the order of the keys unless the fields are complete. */
export function toMongoSort<R>(
  description: RecordDescription<R>,
  order: readonly string[],
  { isComplete = false } = {},
): Record<string, 1 | -1> {
  const { key } = description;
  const [id] = key.length === 1 ? key : [];
  const pairs = order.flatMap((each): (readonly [string, 1 | -1])[] => {
    const field = each.replace(/^-/, '');
    const direction = each.startsWith('-') ? -1 : 1;
    const path = field === id || field === KEY ? '_id' : field;
    const pair = [path, direction] as const;
    return hasMark(description, field) ? [[`derived.${markOf(field)}`, 1], pair] : [pair];
  });
  const isTied = !isComplete && hasRecordTies(description, order);
  return { ...Object.fromEntries(pairs), ...(isTied && { _id: 1 }) };
}

export function openCollection<R>(connection: Connection, description: RecordDescription<R>): Model<Document> {
  const { name, schema } = collectionOf(description);
  const opened = connection.models[name] ?? connection.model(name, schema, name);
  return opened as unknown as Model<Document>;
}
