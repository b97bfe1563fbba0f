import type { LearningObject } from '../../../domain/learning-object.ts';
import { toLearningTime } from '../../../domain/object-fields.ts';
import type { CatalogObject } from '../../../ports/object-catalog.ts';

/** Path of the page of an object, below `/admin`. */
export function objectAddress(tenantId: string, url: string): string {
  return `/tenants/${tenantId}/objects?${new URLSearchParams({ url })}`;
}

/** As searches give it. */
export function toPlainObject({ url, fields }: Pick<CatalogObject, 'url' | 'fields'>): LearningObject {
  const { keywords: _, level, minutes, free, picture, ...texts } = fields;
  return {
    url,
    ...texts,
    ...(level !== null && { level }),
    ...(minutes !== null && { learningTime: toLearningTime(minutes) }),
    ...(free !== null && { price: { free } }),
    ...(picture !== null && { picture }),
  };
}
