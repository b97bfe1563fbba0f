import type { TenantScope } from '#domain/admin';
import { foldText } from '#domain/text';
import { type PersonalKind, type Privacy, personalKinds, type Retention } from './personal/privacy.ts';

export * from './personal/privacy.ts';

export interface Field<T> {
  /** `json` is read as a whole only; `tenants` holds ids, without removed tenants. */
  readonly type: 'text' | 'integer' | 'flag' | 'instant' | 'json' | 'texts' | 'tenants' | 'bytes';
  readonly isNullable: boolean;
  encode?(value: T): unknown;
  decode?(stored: string): T;
  /** The record whose id it holds. Cascading: removed with that one, and not added without it. */
  readonly references?: { readonly record: string; readonly isCascading: boolean };
  /** Value in records that were stored before the field existed. */
  readonly initial?: T;
}

const plainRecordField = <T>(type: Field<T>['type']): Field<T> => ({ type, isNullable: false });

const references = (record: string, isCascading = false): Field<string> => ({
  ...plainRecordField('text'),
  references: { record, isCascading },
});

export const field = {
  text: <T extends string = string>(): Field<T> => plainRecordField('text'),
  integer: plainRecordField<number>('integer'),
  flag: plainRecordField<boolean>('flag'),
  /** Exact to the millisecond. */
  instant: plainRecordField<Date>('instant'),
  texts: <T extends string = string>(): Field<readonly T[]> => plainRecordField('texts'),
  /** Content of up to some megabytes. */
  bytes: plainRecordField<Uint8Array>('bytes'),
  /** The tenants that somebody may see; null for all. */
  tenantScope: { type: 'tenants', isNullable: true } as Field<TenantScope>,
  /** @param revive restores dates, which JSON does not have */
  json: <T>(revive: (parsed: T) => T = (parsed) => parsed): Field<T> => ({
    ...plainRecordField('json'),
    encode: (value) => JSON.stringify(value),
    decode: (stored) => revive(JSON.parse(stored) as T),
  }),
  /** @param encode writes a text that sorts like the values */
  code: <T>(encode: (value: T) => string, decode: (stored: string) => T): Field<T> => ({
    ...plainRecordField('text'),
    encode,
    decode,
  }),
  references,
  /** The tenant of the record, which is removed with it. */
  ofTenant: references('tenants'),
  nullable: <T>({ encode, decode, ...rest }: Field<T>): Field<T | null> => ({
    ...(rest as Field<T | null>),
    isNullable: true,
    ...(encode !== undefined && { encode: (value) => (value === null ? null : encode(value)) }),
    ...(decode !== undefined && { decode }),
  }),
  initially: <T>(of: Field<T>, initial: T): Field<T> => ({ ...of, initial }),
};

type FieldName<R> = (keyof R & string) | `derived.${string}`;

/** In an index: the fields of the key that the index does not list. */
export const KEY = '#key';

/** A minus means descending order. */
type IndexFields<R> = readonly (FieldName<R> | `-${FieldName<R>}` | typeof KEY)[];

export interface Index<R> {
  readonly fields: IndexFields<R>;
  readonly isUnique?: boolean;
  /** Restricts the index to these records, except in MongoDB: not all servers support it. */
  readonly only?: { readonly field: keyof R & string; readonly is?: string; readonly isNot?: string };
  /** The only store that needs the index; both when absent. */
  readonly in?: 'sqlite' | 'mongo';
}

/** A value that is computed for searching, sorting and uniqueness, and never returned. */
export interface Derived<R> {
  of(record: R): string | null;
  /** The only store that needs the value; both when absent. */
  readonly in?: 'mongo';
}

/** A stored record: tables, collections, copies and the removal of a tenant follow from it. */
export interface RecordDescription<R> {
  readonly name: string;
  readonly fields: { readonly [F in keyof R]-?: Field<R[F]> };
  readonly key: readonly (keyof R & string)[];
  readonly derived: Readonly<Record<string, Derived<R>>>;
  readonly sorts: Readonly<Record<string, FieldName<R>>>;
  readonly indexes: readonly Index<R>[];
  /** Field with the instant of expiry. Expired records are removed later; in MongoDB after a day,
   *  as its clock may differ from that of a host. */
  readonly expiry: (keyof R & string) | null;
  /** Whether the store removes expired records as soon as possible. */
  readonly isGoneAtOnce: boolean;
  /** What may be lost with the machine (never with the process): nothing, the last moments, so that
   *  writes need not wait for the disk, or anything. */
  readonly loss: 'none' | 'moments' | 'any';
  /** Whether rows are short, so that SQLite stores them in the index of the key. */
  readonly hasShortRows: boolean;
  /** How each personal field relates to a person. */
  readonly personal: Readonly<Record<string, PersonalKind>>;
  /** Null if no field is personal. */
  readonly privacy: Privacy | null;
  readonly retention: Retention | null;
}

export type RecordOf<D> = D extends RecordDescription<infer R> ? Readonly<R> : never;

export function fieldsOfRecord<R>({ fields }: RecordDescription<R>): readonly (readonly [string, Field<unknown>])[] {
  return Object.entries(fields as unknown as Readonly<Record<string, Field<unknown>>>);
}

type Definition<R> = Pick<RecordDescription<R>, 'fields'> &
  NoInfer<
    Partial<Omit<RecordDescription<R>, 'fields' | 'name' | 'indexes' | 'personal'>> & {
      readonly indexes?: readonly (Index<R> | IndexFields<R>)[];
      readonly unique?: readonly IndexFields<R>[];
    }
  >;

/** Names of fields, separated by spaces; personal ones by kind. */
interface Marks<Personal, Impersonal> {
  readonly personal?: Personal;
  readonly impersonal: Impersonal | readonly Impersonal[];
}

type Words<S> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

type Unmarked<R, Personal, Impersonal> = Exclude<keyof R, Words<Impersonal | Personal[keyof Personal]>>;

/** Requires a mark for each field of the record, and `privacy` where one is personal. */
type Complete<R, Personal, Impersonal> = ([Unmarked<R, Personal, Impersonal>] extends [never]
  ? unknown
  : { readonly unmarked: Unmarked<R, Personal, Impersonal> }) &
  (keyof Personal extends never ? unknown : { readonly privacy: Privacy });

/** Describes a record. @param name names it in copies; the name of the table is in snake case */
export function describeRecord<
  R extends object,
  const Impersonal extends string,
  const Personal extends { readonly [K in PersonalKind]?: string } = Record<never, never>,
>(
  name: string,
  {
    indexes = [],
    unique = [],
    ...definition
  }: Definition<R> & Marks<Personal, Impersonal> & Complete<R, Personal, Impersonal>,
): RecordDescription<R> {
  const { impersonal: _, personal = {} as Personal, ...rest } = definition;
  return {
    name,
    key: ['id' as keyof R & string],
    derived: {},
    sorts: {},
    expiry: null,
    isGoneAtOnce: false,
    loss: 'none',
    hasShortRows: false,
    privacy: null,
    retention: null,
    ...rest,
    personal: Object.fromEntries(
      personalKinds.flatMap((kind) => (personal[kind]?.split(' ') ?? []).map((field) => [field, kind])),
    ),
    indexes: [
      ...unique.map((fields) => ({ fields, isUnique: true })),
      ...indexes.map((index) => ('fields' in index ? index : { fields: index })),
    ],
  };
}

const TEST = Symbol('test');
type Operator = '<' | '<=' | '>' | '>=' | 'not' | 'in' | 'not in' | 'begins' | 'begins not' | 'contains';

/** A condition on a field, other than a certain value. */
export type Test = { readonly [TEST]: true } & (
  | { readonly is: Operator; readonly value: unknown }
  | { readonly is: 'or null'; readonly value: Test }
  | { readonly is: 'and'; readonly value: readonly Test[] }
);

export const isRecordTest = (value: unknown): value is Test =>
  typeof value === 'object' && value !== null && TEST in value;

const recordTest = (is: Operator, value: unknown): Test => ({ [TEST]: true, is, value });
const atLeast = (value: Date | string): Test => recordTest('>=', value);
const atMost = (value: Date | string): Test => recordTest('<=', value);
const below = (value: Date | string): Test => recordTest('<', value);
const oneOf = (values: readonly string[]): Test => recordTest('in', values);
const allOf = (...value: readonly Test[]): Test => ({ [TEST]: true, is: 'and', value });

/** Conditions on a field.
 *  @example records.find({ where: { expiresAt: is.above(now) } }) */
export const is = {
  below,
  atMost,
  above: (value: Date | string): Test => recordTest('>', value),
  /** Matches a missing value, too, unless `value` is null. */
  not: (value: string | null): Test => recordTest('not', value),
  oneOf,
  noneOf: (values: readonly string[]): Test => recordTest('not in', values),
  /** Compares byte by byte. */
  beginningWith: (prefix: string): Test => recordTest('begins', prefix),
  notBeginningWith: (prefix: string): Test => recordTest('begins not', prefix),
  orNull: (value: Test): Test => ({ [TEST]: true, is: 'or null', value }),
  /** Ignores case, on a folded field; an empty text matches anything. */
  containing: (search: string): Test | undefined =>
    search === '' ? undefined : recordTest('contains', foldText(search)),
  /** Matches anything for a null scope. */
  inScope: (scope: TenantScope): Test | undefined => (scope === null ? undefined : oneOf(scope)),
  between: (first: string, last: string): Test => allOf(atLeast(first), atMost(last)),
  within({ from, until }: Period): Test | undefined {
    const tests = [...(from === null ? [] : [atLeast(from)]), ...(until === null ? [] : [below(until)])];
    return tests.length === 0 ? undefined : allOf(...tests);
  },
};

/** All conditions must hold. An undefined field matches anything. */
export type Where<R> = { readonly [F in keyof R]?: R[F] | Test | undefined } & {
  readonly [D in `derived.${string}`]?: string | Test | undefined;
};

const STEP = Symbol('step');

/** A change that depends on the stored value: adding to a number, or keeping the later instant. */
export interface Step {
  readonly [STEP]: true;
  readonly by: 'plus' | 'latest';
  readonly value: number | Date;
}

export function isRecordStep(change: unknown): change is Step {
  return typeof change === 'object' && change !== null && STEP in change;
}

export const plus = (value: number): Step => ({ [STEP]: true, by: 'plus', value });
export const latest = (value: Date): Step => ({ [STEP]: true, by: 'latest', value });

/** New values of fields. A change has no fields from which another one is derived. */
export type Change<R> = { readonly [F in keyof R]?: R[F] | Step };
/** A minus means descending order. Missing values come last in both directions; ties are by key. */
export type Order<R> = readonly (FieldName<R> | `-${FieldName<R>}`)[];

/** Tells whether records can be equal in the order, so that their keys decide. */
export function hasRecordTies<R>({ key, indexes }: RecordDescription<R>, order: readonly string[]): boolean {
  const named = new Set(order.map((name) => name.replace(/^-/, '')));
  const unique = [key, ...indexes.flatMap(({ isUnique, fields }) => (isUnique === true ? [fields] : []))];
  return !unique.some((fields) => fields.every((field) => named.has(field)));
}

export interface Query<R> {
  readonly where?: Where<R>;
  /** Order by the key when absent. */
  readonly order?: Order<R>;
  /** Only records after this one: the field of the order (at most one) and the key. */
  readonly after?: Partial<R> | null;
  readonly limit?: number;
  readonly skip?: number;
}

export interface PageRequest {
  /** Number of the page, from 0. */
  readonly page: number;
  /** Number of items of a page, at least 1. */
  readonly pageSize: number;
}

export type Page<T> = { readonly items: readonly T[]; readonly total: number };

export interface ListRequest<Sort extends string> extends PageRequest {
  readonly scope: TenantScope;
  /** Part of the name or the other searched texts, ignoring case; empty matches all. */
  readonly search: string;
  /** Missing values come last in both directions. */
  readonly sort: Sort;
  readonly descending: boolean;
}

/** From `from`, inclusive, to `until`, exclusive; null means no limit. */
export type Period = { readonly from: Date | null; readonly until: Date | null };

export interface Sum {
  readonly count: number;
  /** Sum of the field `sum`; 0 without one. */
  readonly sum: number;
  /** Latest instant in the field `latest`; null without one. */
  readonly latest: Date | null;
}

/** Each call is one atomic step for each record. */
export interface Records<R> {
  /** Returns a matching record, any of several; null if there is none. */
  get(where: Where<R>): Promise<R | null>;
  find(query?: Query<R>): Promise<readonly R[]>;
  page(query: Pick<Query<R>, 'where' | 'order'>, request: PageRequest): Promise<Page<R>>;
  count(where?: Where<R>): Promise<number>;
  /** Counts and sums records for each combination of values of the fields `by`, in their order. */
  summarize<B extends FieldName<R>>(
    by: readonly B[],
    where?: Where<R>,
    fields?: { readonly sum?: keyof R & string; readonly latest?: keyof R & string },
  ): Promise<readonly ({ readonly [F in B]: F extends keyof R ? R[F] : string } & Sum)[]>;
  /** Lists the different values of a field, in order. An index has to begin with the field. */
  distinct(field: keyof R & string, where?: Where<R>): Promise<readonly string[]>;
  /** Adds records. Rejects if a key or unique value is taken; some records may then be stored. */
  add(records: readonly R[]): Promise<void>;
  /** Adds or replaces by key. */
  put(records: readonly R[]): Promise<void>;
  /** Replaces the record of the same key if it matches `before`; null adds the record. Returns
   *  false if none matches, or a key or unique value is taken. */
  putIf(record: R, before: Where<R> | null): Promise<boolean>;
  /** Adds a record, or changes that of the same key if it matches; else returns false. */
  addOrChange(record: R, change: Change<R>, where?: Where<R>): Promise<boolean>;
  /** Changes matching records. @returns their number */
  changeIf(where: Where<R>, change: Change<R>): Promise<number>;
  /** Changes or removes (null) matching records, and counts them by a field, in its order. */
  changeCounting(
    by: keyof R & string,
    where: Where<R>,
    change: Change<R> | null,
  ): Promise<readonly { readonly value: string; readonly count: number }[]>;
  /** Removes a matching record and returns it; null if there is none. */
  take(where: Where<R>): Promise<R | null>;
  /** Removes matching records, at most `limit`. @returns their number */
  remove(where: Where<R>, limit?: number): Promise<number>;
}

/** Reads a page of a sorted list. Ties are in the order of the keys. */
export const pageSorted = <R>(
  records: Records<R>,
  { sorts }: RecordDescription<R>,
  where: Where<R>,
  request: Omit<ListRequest<string>, 'scope' | 'search'>,
): Promise<Page<R>> => {
  const field = sorts[request.sort] as FieldName<R>;
  return records.page({ where, order: [request.descending ? `-${field}` : field] }, request);
};

export type OpenRecords = <R extends object>(description: RecordDescription<R>) => Records<R>;
