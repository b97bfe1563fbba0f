import type { Model } from 'mongoose';
import type { TenantScope } from '../../../domain/admin.ts';
import { foldText } from '../../../domain/text.ts';
import type { Page, PageRequest, Period } from '../../../ports/store/store.ts';
import type { Collection, Document, Index } from './collection.ts';

/** A part of a filter. */
export type Condition = Readonly<Record<string, unknown>>;

/** Documents of these tenants; every document where the scope is null. */
export function matchListScope(scope: TenantScope, field = 'tenantId'): Condition[] {
  return scope === null ? [] : [{ [field]: { $in: [...scope] } }];
}

/** Documents with this value; every document where it is null. */
export function matchListValue(field: string, value: string | null): Condition[] {
  return value === null ? [] : [{ [field]: value }];
}

export function matchListPeriod(field: string, { from, until }: Period): Condition[] {
  const begin = from === null ? [] : [{ [field]: { $gte: from } }];
  return until === null ? begin : [...begin, { [field]: { $lt: until } }];
}

/** Documents whose folded field contains the text as it stands. */
export function matchListText(field: string, search: string): Condition[] {
  return search === '' ? [] : [{ [field]: { $regex: escapePattern(foldText(search)) } }];
}

/** Documents whose field begins with the text exactly as it stands. */
export function matchListBeginning(field: string, prefix: string): Condition {
  return { [field]: { $regex: `^${escapePattern(prefix)}` } };
}

/** The server treats patterns as C strings, which end at a NUL. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}

/** All conditions together; a server refuses an empty list of them. */
export function joinListConditions(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? {} : { $and: [...conditions] };
}

/** The fields by which a list can be sorted. The last one takes the direction; those before it put missing values last in both
 *  directions, as servers put them first. */
export type SortFields = Readonly<Record<string, readonly string[]>>;

/** Ties in the order of the ids. */
export function orderListBy(fields: readonly string[], descending: boolean): Record<string, 1 | -1> {
  const directions = fields.map((field, number) => [
    field,
    descending && number === fields.length - 1 ? -1 : 1,
  ]);
  return { ...Object.fromEntries(directions), _id: 1 };
}

/** Indexes for lists in these orders. Each direction needs its own, as ties keep their order in both. */
export function listOrderIndexes(sorts: SortFields): Index[] {
  return Object.values(sorts).flatMap((fields) => [
    { key: orderListBy(fields, false) },
    { key: orderListBy(fields, true) },
  ]);
}

interface List {
  readonly conditions: readonly Condition[];
  /** As `orderListBy` makes it. */
  readonly order: Record<string, 1 | -1>;
  readonly page: PageRequest;
}

export async function listPage<R>(
  model: Model<Document>,
  { toRecord }: Collection<R>,
  { conditions, order, page: { page, pageSize } }: List,
): Promise<Page<R>> {
  const filter = joinListConditions(conditions);
  const [documents, total] = await Promise.all([
    model
      .find(filter)
      .sort(order)
      .skip(page * pageSize)
      .limit(pageSize)
      .lean<Document[]>(),
    model.countDocuments(filter),
  ]);
  return { items: documents.map(toRecord), total };
}

/** Counts how many of the wanted documents have each value in a field, all at one moment. */
export async function countListValues(
  model: Model<Document>,
  wanted: Condition,
  field: string,
): Promise<(value: string) => number> {
  const groups = await model.aggregate<{ readonly _id: string; readonly count: number }>([
    { $match: wanted },
    { $group: { _id: `$${field}`, count: { $sum: 1 } } },
  ]);
  return (value) => groups.find(({ _id }) => _id === value)?.count ?? 0;
}
