import MiniSearch from 'minisearch';
import type { LearningObjectRecord } from '../../src/adapters/catalog/catalog-schema.ts';
import { toLearningMinutes } from '../../src/domain/learning-object.ts';
import { fold } from '../../src/engine/text/fold.ts';
import { required } from '../required.ts';
import type { JudgedQuery } from './judgments.ts';
import type { Ranker } from './objects.ts';

/** MiniSearch as its own documentation sets it up; it has no filters but a function over the results. */
export function createPeer(objects: readonly LearningObjectRecord[]): Ranker {
  const index = new MiniSearch({
    idField: 'url',
    fields: ['title', 'keywords', 'description'],
    processTerm: fold,
    extractField: (record, field) => {
      const value: unknown = record[field];
      return Array.isArray(value) ? value.join(' ') : (value as string);
    },
    searchOptions: { boost: { title: 2 }, fuzzy: 0.2, prefix: true },
  });
  index.addAll(objects as readonly object[] as object[]);
  const records = new Map(objects.map((record) => [record.url, record]));
  return async (judged) =>
    index
      .search(judged.query, {
        filter: ({ id }) => meetsFilters(required(records.get(id as string), 'record'), judged),
      })
      .map(({ id }) => id as string);
}

function meetsFilters(record: LearningObjectRecord, { lang, filters = {} }: JudgedQuery): boolean {
  const minutes = toLearningMinutes(record.learningTime);
  const isWithin = (value: number | undefined, min: number | undefined, max: number | undefined) =>
    (min === undefined && max === undefined) ||
    (value !== undefined && value >= (min ?? -Infinity) && value <= (max ?? Infinity));
  return (
    (lang === undefined || record.lang === lang) &&
    (filters.providers?.includes(record.provider) ?? true) &&
    (filters.types?.some((type) => record.type.some((own) => own === type)) ?? true) &&
    (filters.blooms?.some((bloom) => record.bloom.some((own) => own === bloom)) ?? true) &&
    (filters.free === undefined || record.free === filters.free) &&
    isWithin(minutes, filters.learningTimeMin, filters.learningTimeMax) &&
    isWithin(record.level, filters.levelMin, filters.levelMax)
  );
}
