import { LRUCache } from 'lru-cache';
import type { LearningObject } from '#domain/learning-object';
import { limitEntries } from '#domain/limit-entries';
import type { LearningObjectRecord } from '../catalog/catalog-schema.ts';
import type { BaseCatalog, FindObjects, KnownObject } from './catalog-view.ts';

/** About 1 kB each, and as much again once it was written. */
const MAX_RECORDS = 20_000;

/** Reads each record once while it is asked for, and makes the form in which it is answered once. */
export function createRecordCache({
  version,
  providers,
}: Pick<BaseCatalog, 'version' | 'providers'>): FindObjects {
  const cached = new LRUCache<string, KnownObject>(limitEntries(MAX_RECORDS));
  return async (urls) => {
    const found = urls.map((url) => cached.get(url) ?? null);
    const uncached = urls.filter((_, i) => found[i] === null);
    if (uncached.length === 0) return found;
    const records = await version.findRecords(uncached);
    return urls.map((url, i) => {
      const { record } = records.get(url) ?? {};
      if (found[i] !== null || record === undefined) return found[i] ?? null;
      const object = toKnownObject(record, providers.get(record.provider)?.name ?? record.provider);
      cached.set(url, object);
      return object;
    });
  };
}

/** @param provider its name */
export function toKnownObject(record: LearningObjectRecord, provider: string): KnownObject {
  const { provider: providerId, title, description, lang, keywords } = record;
  return {
    object: toLearningObject(record, provider),
    providerId,
    texts: { title, description, lang, keywords },
  };
}

function toLearningObject(record: LearningObjectRecord, provider: string): LearningObject {
  const { title, url, description, picture, embed, bloom, type, level, lang, learningTime, address } = record;
  return {
    title,
    url,
    description,
    provider,
    bloom,
    type,
    lang,
    publisher: record.publisher,
    author: record.author,
    ...(picture !== undefined && { picture }),
    ...(embed !== undefined && { embed }),
    ...(level !== undefined && { level }),
    ...(learningTime !== undefined && { learningTime }),
    ...(address !== undefined && { address }),
    ...(record.free !== undefined && { price: { free: record.free } }),
  };
}
