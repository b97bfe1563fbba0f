import { toMinutes } from '../../domain/learning-object.ts';
import type { ObjectDocument } from '../../engine/objects/types.ts';
import type { LearningObjectRecord } from '../catalog/catalog-schema.ts';

/** A record as the engine indexes it.
 *  @param isDead whether its address no longer answers */
export function toObjectDocument(record: LearningObjectRecord, isDead = false): ObjectDocument {
  const minutes = toMinutes(record.learningTime);
  return {
    id: record.url,
    title: record.title,
    keywords: record.keywords,
    description: record.description,
    publishers: record.publisher,
    authors: record.author,
    lang: record.lang,
    provider: record.provider,
    types: record.type,
    blooms: record.bloom,
    popularity: record.popularity,
    ...(isDead && { isDead }),
    ...(record.level !== undefined && { level: record.level }),
    ...(minutes !== undefined && { minutes }),
    ...(record.age?.min !== undefined && { ageMin: record.age.min }),
    ...(record.age?.max !== undefined && { ageMax: record.age.max }),
    ...(record.location && { lat: record.location.lat, lon: record.location.lon }),
    ...(record.free !== undefined && { free: record.free }),
  };
}
