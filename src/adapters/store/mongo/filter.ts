import { escapePattern } from '#domain/text';
import { type Change, isRecordStep, isRecordTest, type Order, type Test, type Where } from '#ports/store/store';
import { type Collection, hasMark, markOf } from './collection.ts';

export type Filter = Readonly<Record<string, unknown>>;

/** Makes the filter of a query. @param further conditions that have to be met as well */
export function toFilter<R>(collection: Collection<R>, where: Where<R> = {}, further: readonly Filter[] = []): Filter {
  const conditions = [...listConditions(collection, where), ...further];
  const paths = conditions.flatMap((condition) => Object.keys(condition));
  // Not always `$and`, as a server refuses an empty list.
  if (new Set(paths).size === paths.length) return Object.assign({}, ...conditions) as Filter;
  return { $and: conditions };
}

function listConditions<R>(collection: Collection<R>, where: Where<R>): Filter[] {
  const conditionsByField = Object.entries(where).filter(([, value]) => value !== undefined);
  const id = findFilteredId(collection, where);
  const { key } = collection.description;
  const isOfKey = (field: string) => id !== null && key.some((part) => part === field);
  const conditions = conditionsByField.flatMap(([field, value]) => {
    if (isOfKey(field)) return [];
    const path = collection.pathOf(field);
    if (!isRecordTest(value)) return [{ [path]: collection.toStored(field, value) }];
    return toFilterConditions(path, value, (operand) => collection.toStored(field, operand));
  });
  return id === null ? conditions : [{ _id: id }, ...conditions];
}

/** Finds the `_id` of the only document that can match. Null if there may be several. */
export function findFilteredId<R>({ description, toId }: Collection<R>, where: Where<R>): string | null {
  const isFixed = description.key.every((field) => {
    const value = (where as Readonly<Record<string, unknown>>)[field];
    return value !== undefined && !isRecordTest(value);
  });
  return isFixed ? toId(where as Partial<R>) : null;
}

const operators = {
  '<': '$lt',
  '<=': '$lte',
  '>': '$gt',
  '>=': '$gte',
  not: '$ne',
  in: '$in',
  'not in': '$nin',
};

function toFilterConditions(path: string, test: Test, toStored: (operand: unknown) => unknown): Filter[] {
  const { is, value } = test;
  switch (is) {
    case 'and':
      return value.flatMap((each) => toFilterConditions(path, each, toStored));
    case 'or null':
      return [{ $or: [{ [path]: null }, ...toFilterConditions(path, value, toStored)] }];
    case 'begins':
      return value === '' ? [] : [{ [path]: { $regex: `^${toFilterPattern(value as string)}` } }];
    case 'begins not':
      return [{ $nor: [{ [path]: { $regex: `^${toFilterPattern(value as string)}` } }] }];
    case 'contains':
      return [{ [path]: { $regex: toFilterPattern(value as string) } }];
    case 'in':
    case 'not in':
      return [{ [path]: { [operators[is]]: (value as readonly unknown[]).map(toStored) } }];
    default:
      return [{ [path]: { [operators[is]]: toStored(value) } }];
  }
}

/** Escapes a text. The server takes patterns as C strings, which end at a NUL. */
const toFilterPattern = (text: string): string => escapePattern(text).replaceAll('\0', '\\x00');

/** Makes conditions for the records after a record in the order. */
export function toFilterAfter<R>(collection: Collection<R>, after: Partial<R>, [first]: Order<R> = []): Filter[] {
  const { toId, toStored, description } = collection;
  const later = { _id: { $gt: toId(after) } };
  if (first === undefined) return [later];
  const field = first.replace(/^-/, '') as keyof R & string;
  const value = toStored(field, after[field]);
  const operator = first.startsWith('-') ? '$lt' : '$gt';
  if (hasMark(description, field)) throw new Error(`${field} may be missing, so nothing can be after it`);
  // The first condition is redundant, but lets the server begin at the right place in its index.
  return [{ [field]: { [`${operator}e`]: value } }, { $or: [{ [field]: { [operator]: value } }, later] }];
}

const steps = { plus: '$inc', latest: '$max' } as const;

/** Makes an update. @returns fields and values by the name of the operator */
export function toMongoUpdate<R>({ toStored, description }: Collection<R>, change: Change<R>) {
  const update: Record<string, Record<string, unknown>> = {};
  for (const [field, value] of Object.entries(change)) {
    const operator = isRecordStep(value) ? steps[value.by] : '$set';
    const mark = hasMark(description, field) && { [`derived.${markOf(field)}`]: value === null };
    update[operator] = { ...update[operator], [field]: toStored(field, isRecordStep(value) ? value.value : value) };
    if (mark) update.$set = { ...update.$set, ...mark };
  }
  return update;
}
