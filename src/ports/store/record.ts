import type { TenantScope } from '#domain/admin';
import { foldText } from '#domain/text';

/** How a field is stored: in a column, or in a field of a document. */
export interface Field<T> {
  /** `json`: a value that is read as a whole only; `tenants`: ids of tenants, from which the
   *  removal of a tenant takes its id. */
  readonly type: 'text' | 'integer' | 'flag' | 'instant' | 'json' | 'texts' | 'tenants' | 'bytes';
  readonly isNullable: boolean;
  /** The stored form of the value: a text. */
  encode?(value: T): unknown;
  decode?(stored: string): T;
  /** The record whose id it holds. Cascading: removed with that one, and not added without it. */
  readonly references?: { readonly record: string; readonly isCascading: boolean };
  /** Value of records that were stored before the field existed. */
  readonly initial?: T;
}

const plain = <T>(type: Field<T>['type']): Field<T> => ({ type, isNullable: false });

const references = (record: string, isCascading = false): Field<string> => ({
  ...plain('text'),
  references: { record, isCascading },
});

export const field = {
  /** A text, or one of a list of texts. */
  text: <T extends string = string>(): Field<T> => plain('text'),
  integer: plain<number>('integer'),
  flag: plain<boolean>('flag'),
  /** To the millisecond. */
  instant: plain<Date>('instant'),
  texts: <T extends string = string>(): Field<readonly T[]> => plain('texts'),
  /** Up to some megabytes. */
  bytes: plain<Uint8Array>('bytes'),
  /** The tenants that somebody may see; null for all. */
  tenantScope: { type: 'tenants', isNullable: true } as Field<TenantScope>,
  /** Stored as JSON, which has no dates: `revive` restores them. */
  json: <T>(revive: (parsed: T) => T = (parsed) => parsed): Field<T> => ({
    ...plain('json'),
    encode: (value) => JSON.stringify(value),
    decode: (stored) => revive(JSON.parse(stored) as T),
  }),
  /** Stored as a text that sorts like the values. */
  code: <T>(encode: (value: T) => string, decode: (stored: string) => T): Field<T> => ({
    ...plain('text'),
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
  /** With the value of records that were stored before the field existed. */
  initially: <T>(of: Field<T>, initial: T): Field<T> => ({ ...of, initial }),
};

/** A field of the record, or a derived one. */
type FieldName<R> = (keyof R & string) | `derived.${string}`;

/** The fields of the key that the index does not name itself. */
export const KEY = '#key';

/** Fields in order; with a minus, the greatest value first. */
type IndexFields<R> = readonly (FieldName<R> | `-${FieldName<R>}` | typeof KEY)[];

export interface Index<R> {
  readonly fields: IndexFields<R>;
  readonly isUnique?: boolean;
  /** Restricts the index to these records; in MongoDB it has all, as not all servers can. */
  readonly only?: { readonly field: keyof R & string; readonly is?: string; readonly isNot?: string };
  /** The only store that needs it; both when absent. */
  readonly in?: 'sqlite' | 'mongo';
}

/** A value computed from the record for searching, sorting and uniqueness; never returned. */
export interface Derived<R> {
  of(record: R): string | null;
  /** Where the other store does not need it. */
  readonly in?: 'mongo';
}

/** A kind of record. Tables, collections, copies and the removal of a tenant follow from it. */
export interface RecordDescription<R> {
  readonly name: string;
  readonly fields: { readonly [F in keyof R]-?: Field<R[F]> };
  readonly key: readonly (keyof R & string)[];
  readonly derived: Readonly<Record<string, Derived<R>>>;
  /** Fields that lists can be sorted by, in both directions. */
  readonly sorts: Readonly<Record<string, FieldName<R>>>;
  readonly indexes: readonly Index<R>[];
  /** Field with the instant of expiry. Expired records are removed some time later; in MongoDB
   *  after a day, as its clock may differ from that of a host. */
  readonly expiry: (keyof R & string) | null;
  /** Whether expired records are removed at once. */
  readonly isGoneAtOnce: boolean;
  /** What may be lost with the machine: nothing; the writes of the last moments, so that nobody
   *  waits for the disk; anything. Never lost with the process alone. */
  readonly loss: 'none' | 'moments' | 'any';
  /** Whether rows are short: SQLite then stores them in the index of the key. */
  readonly hasShortRows: boolean;
}

/** The type of the records of a description. */
export type RecordOf<D> = D extends RecordDescription<infer R> ? Readonly<R> : never;

export function fieldsOf<R>({ fields }: RecordDescription<R>): readonly (readonly [string, Field<unknown>])[] {
  return Object.entries(fields as unknown as Readonly<Record<string, Field<unknown>>>);
}

/** The record follows from the fields alone. */
type Definition<R> = Pick<RecordDescription<R>, 'fields'> &
  NoInfer<
    Partial<Omit<RecordDescription<R>, 'fields' | 'name' | 'indexes'>> & {
      readonly indexes?: readonly (Index<R> | IndexFields<R>)[];
      readonly unique?: readonly IndexFields<R>[];
    }
  >;

/** @param name as copies name it; the table has it in snake case */
export function describeRecord<R extends object>(
  name: string,
  { indexes = [], unique = [], ...definition }: Definition<R>,
): RecordDescription<R> {
  return {
    name,
    key: ['id' as keyof R & string],
    derived: {},
    sorts: {},
    expiry: null,
    isGoneAtOnce: false,
    loss: 'none',
    hasShortRows: false,
    ...definition,
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

export function isTest(wanted: unknown): wanted is Test {
  return typeof wanted === 'object' && wanted !== null && TEST in wanted;
}

const test = (is: Operator, value: unknown): Test => ({ [TEST]: true, is, value });

const atLeast = (value: Date | string): Test => test('>=', value);
const atMost = (value: Date | string): Test => test('<=', value);
const below = (value: Date | string): Test => test('<', value);
const oneOf = (values: readonly string[]): Test => test('in', values);
const both = (...value: readonly Test[]): Test => ({ [TEST]: true, is: 'and', value });

/** Conditions on a field.
 *  @example records.find({ where: { expiresAt: is.above(now) } }) */
export const is = {
  below,
  atMost,
  above: (value: Date | string): Test => test('>', value),
  /** Matches any other value, including a missing one unless `value` is null. */
  not: (value: string | null): Test => test('not', value),
  oneOf,
  noneOf: (values: readonly string[]): Test => test('not in', values),
  /** Compares the prefix byte by byte. */
  beginningWith: (prefix: string): Test => test('begins', prefix),
  notBeginningWith: (prefix: string): Test => test('begins not', prefix),
  orNull: (value: Test): Test => ({ [TEST]: true, is: 'or null', value }),
  /** Matches a folded field that contains the text, ignoring case; anything if the text is empty. */
  containing: (search: string): Test | undefined => (search === '' ? undefined : test('contains', foldText(search))),
  /** Matches anything if the scope is null. */
  inScope: (scope: TenantScope): Test | undefined => (scope === null ? undefined : oneOf(scope)),
  between: (first: string, last: string): Test => both(atLeast(first), atMost(last)),
  within({ from, until }: Period): Test | undefined {
    const tests = [...(from === null ? [] : [atLeast(from)]), ...(until === null ? [] : [below(until)])];
    return tests.length === 0 ? undefined : both(...tests);
  },
};

/** The conditions on records, all of which must hold. An undefined field matches anything. */
export type Where<R> = { readonly [F in keyof R]?: R[F] | Test | undefined } & {
  readonly [D in `derived.${string}`]?: string | Test | undefined;
};

const STEP = Symbol('step');

/** A change that depends on the stored value. */
export interface Step {
  readonly [STEP]: true;
  readonly by: 'plus' | 'latest';
  readonly value: number | Date;
}

export function isStep(change: unknown): change is Step {
  return typeof change === 'object' && change !== null && STEP in change;
}

export const plus = (value: number): Step => ({ [STEP]: true, by: 'plus', value });
/** The later of the two instants. */
export const latest = (value: Date): Step => ({ [STEP]: true, by: 'latest', value });

/** New values of fields, except those from which a field is derived. */
export type Change<R> = { readonly [F in keyof R]?: R[F] | Step };

/** Fields to sort by; with a minus, in descending order. Missing values come last in both
 *  directions; ties are in the order of the keys. */
export type Order<R> = readonly (FieldName<R> | `-${FieldName<R>}`)[];

/** Converts a sort of the description to an order. */
function sortBy<R>(
  { sorts }: RecordDescription<R>,
  { sort, descending }: { readonly sort: string; readonly descending: boolean },
): Order<R> {
  const field = sorts[sort] as FieldName<R>;
  return [descending ? `-${field}` : field];
}

/** Whether two records can be equal in the order, so that their keys decide. */
export function hasTies<R>({ key, indexes }: RecordDescription<R>, order: readonly string[]): boolean {
  const named = new Set(order.map((each) => each.replace(/^-/, '')));
  const unique = [key, ...indexes.flatMap(({ isUnique, fields }) => (isUnique === true ? [fields] : []))];
  return !unique.some((fields) => fields.every((field) => named.has(field)));
}

export interface Query<R> {
  readonly where?: Where<R>;
  /** By the key when absent. */
  readonly order?: Order<R>;
  /** Returns only the records after this one: the field of the order (at most one) and the key. */
  readonly after?: Partial<R> | null;
  readonly limit?: number;
  readonly skip?: number;
}

/** The requested part of a list. */
export interface PageRequest {
  /** From 0. */
  readonly page: number;
  /** 1 to 100. */
  readonly pageSize: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Number of items in the whole list. */
  readonly total: number;
}

/** A page of a list that people search and sort. */
export interface ListRequest<Sort extends string> extends PageRequest {
  readonly scope: TenantScope;
  /** Part of the name, or of the other texts that the list is searched by, in any case; empty finds
   *  all. */
  readonly search: string;
  /** Missing values come last, whichever way. */
  readonly sort: Sort;
  readonly descending: boolean;
}

/** The period from `from`, inclusive, to `until`, exclusive; null means no limit. */
export interface Period {
  readonly from: Date | null;
  readonly until: Date | null;
}

export interface Sum {
  readonly count: number;
  /** Sum of the field `sum`; 0 without one. */
  readonly sum: number;
  /** Latest value of the field `latest`; null without one. */
  readonly latest: Date | null;
}

/** The records of one kind. A call changes one record, or each of several, in one atomic step. */
export interface Records<R> {
  /** Returns a matching record; any of several. */
  get(where: Where<R>): Promise<R | null>;
  find(query?: Query<R>): Promise<readonly R[]>;
  page(query: Pick<Query<R>, 'where' | 'order'>, request: PageRequest): Promise<Page<R>>;
  count(where?: Where<R>): Promise<number>;
  /** Counts and sums records for each combination of values of the fields `by`, in their order. */
  summarize<B extends keyof R & string>(
    by: readonly B[],
    where?: Where<R>,
    fields?: { readonly sum?: keyof R & string; readonly latest?: keyof R & string },
  ): Promise<readonly (Pick<R, B> & Sum)[]>;
  /** Returns the distinct values of a field, in order; an index has to begin with the field. */
  distinct(field: keyof R & string, where?: Where<R>): Promise<readonly string[]>;
  /** Adds records. Rejects if a key or unique value is taken; some records may then be stored. */
  add(records: readonly R[]): Promise<void>;
  /** Adds records or replaces those with the same keys. */
  put(records: readonly R[]): Promise<void>;
  /** Replaces the record of the same key if it matches the condition; null adds the record. False
   *  if no record matches, or a key or unique value is taken. */
  putIf(record: R, before: Where<R> | null): Promise<boolean>;
  /** Adds a record, or changes that of the same key if it matches. False if neither happened. */
  addOrChange(record: R, change: Change<R>, where?: Where<R>): Promise<boolean>;
  /** @returns the number of matching records */
  changeIf(where: Where<R>, change: Change<R>): Promise<number>;
  /** Changes matching records, or removes them (null), and counts them by a field, in its order. */
  changeCounting(
    by: keyof R & string,
    where: Where<R>,
    change: Change<R> | null,
  ): Promise<readonly { readonly value: string; readonly count: number }[]>;
  /** Removes a matching record and returns it. */
  take(where: Where<R>): Promise<R | null>;
  /** @returns the number of removed records */
  remove(where: Where<R>, limit?: number): Promise<number>;
}

/** A page of the matching records, sorted as requested; ties are in the order of the keys. */
export const pageSorted = <R>(
  records: Records<R>,
  description: RecordDescription<R>,
  where: Where<R>,
  request: Omit<ListRequest<string>, 'scope' | 'search'>,
): Promise<Page<R>> => records.page({ where, order: sortBy(description, request) }, request);

export type OpenRecords = <R extends object>(description: RecordDescription<R>) => Records<R>;
