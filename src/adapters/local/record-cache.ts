import { LRUCache } from 'lru-cache';
import type { LearningObject } from '../../domain/learning-object.ts';
import type { LearningObjectRecord } from '../catalog/catalog-schema.ts';
import type { RecordsFile } from './records-file.ts';

/** An object of the catalogue as it is answered. */
export interface KnownObject {
  readonly object: LearningObject;
  readonly providerId: string;
  /** Texts in which matches can be marked, and the keywords, which are only searched. */
  readonly texts: Pick<LearningObjectRecord, 'title' | 'description' | 'lang' | 'keywords'>;
}

/** Objects by their addresses; null where there is none, or where it cannot be read. */
export type FindObject = (url: string) => KnownObject | null;

/** About 1 kB each, and as much again once it was written. */
const MAX_RECORDS = 20_000;

export interface RecordCacheDeps {
  readonly file: Pick<RecordsFile, 'find'>;
  readonly nameOfProvider: (id: string) => string;
  /** Told when a record cannot be read. */
  onDamage(error: unknown): void;
}

/** Reads each record once while it is asked for, and makes the form in which it is answered once. */
export function createRecordCache({ file, nameOfProvider, onDamage }: RecordCacheDeps): FindObject {
  const known = new LRUCache<string, KnownObject>({ max: MAX_RECORDS });
  function read(url: string): KnownObject | null {
    const found = file.find(url);
    if (found === null) return null;
    const object = toKnownObject(found.record, nameOfProvider(found.record.provider));
    known.set(url, object);
    return object;
  }
  return (url) => {
    const found = known.get(url);
    if (found !== undefined) return found;
    try {
      return read(url);
    } catch (error) {
      onDamage(error);
      return null;
    }
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
