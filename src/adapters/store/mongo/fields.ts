import { Schema } from 'mongoose';

/** How a field of a record is kept in a document. */
export interface Field {
  /** The type by which mongoose casts and checks it. Null is always allowed; `undefined` never gets here. */
  readonly type: object;
  /** For fields that are kept in another form. Null is kept as it is. */
  readonly toStored?: (value: never) => unknown;
  readonly fromStored?: (stored: never) => unknown;
}

/** A string, or one of a list of strings. */
export const text: Field = { type: { type: String } };
export const integer: Field = { type: { type: Number } };
export const flag: Field = { type: { type: Boolean } };
export const instant: Field = { type: { type: Date } };
/** Up to some megabytes. The server gives them as an object of its own. */
export const bytes: Field = {
  type: { type: Buffer },
  toStored: (value: Uint8Array) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
  fromStored: (stored: { readonly buffer: Uint8Array }) => stored.buffer,
};
export const texts: Field = { type: { type: [String] } };

/** Objects that are always read as a whole, kept exactly as they are given. */
export const json: Field = {
  type: { type: String },
  toStored: (value: unknown) => JSON.stringify(value),
  fromStored: (stored: string) => JSON.parse(stored) as unknown,
};

/** An object with these fields; for a union, with those of all its members. */
export function object<T>(fields: FieldsOf<T>): Field {
  return { type: { type: schemaOf(fields) } };
}

/** A list of objects with these fields. */
export function objects<T>(fields: FieldsOf<T>): Field {
  return { type: { type: [schemaOf(fields)] } };
}

type FieldsOf<T> = { readonly [F in T extends unknown ? keyof T : never]: Field };

function schemaOf(fields: Readonly<Record<string, Field>>): Schema {
  const types = Object.entries(fields).map(([name, { type }]) => [name, type]);
  return new Schema(Object.fromEntries(types), inner);
}

const inner = { _id: false, strict: 'throw', strictQuery: 'throw', minimize: false } as const;

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Texts by name, kept as a list of pairs, as names may contain what has a meaning for servers: `with.dot`, `$set`. */
export const namedTexts: Field = {
  type: { type: [new Schema({ name: String, value: String }, inner)] },
  toStored: (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]): Pair => ({ name, value })),
  fromStored: (pairs: readonly Pair[]) => Object.fromEntries(pairs.map(({ name, value }) => [name, value])),
};
