import type { Model } from 'mongoose';
import type { Document } from './collection.ts';
import type { Condition } from './list-page.ts';

/** Tells how many of the wanted documents have a value in a field, all of one moment. */
export async function countValues(
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
