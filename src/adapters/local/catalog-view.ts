import { LRUCache } from 'lru-cache';
import type { LearningObject } from '#domain/learning-object';
import { limitEntries } from '#domain/limit-entries';
import { pickFacts } from '#domain/object-facts';
import { omitUndefined } from '#domain/omit-undefined';
import type { ObjectSearch } from '#engine/objects/object-view';
import type { OpenPhrase } from '#engine/terms/types';
import type { TenantLayer } from '#ports/object-catalog';
import type { LearningObjectRecord, ProviderRecord } from '../catalog/catalog-schema.ts';
import type { VersionObject, VersionObjects } from './versions/version-objects.ts';

export interface AnswerObject {
  readonly object: LearningObject;
  readonly providerId: string;
  /** Texts in which matches are highlighted. Keywords are searched, but not shown. */
  readonly texts: Pick<LearningObjectRecord, 'title' | 'description' | 'lang' | 'keywords'>;
}

/** Returns an entry for each address, in order: null if it is missing, hidden or unreadable. */
type FindObjects = (urls: readonly string[]) => Promise<readonly (AnswerObject | null)[]>;

export interface CatalogView {
  /** All objects, with the hidden ones. */
  readonly objects: VersionObjects;
  readonly visible: Pick<ObjectSearch, 'search' | 'prepare'>;
  readonly findObjects: FindObjects;
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  readonly languages: ReadonlySet<string>;
  /** Titles and keywords in overlays; the index of terms has those of the version. */
  listPhrases(): readonly OpenPhrase[];
}

/** Opens the catalogue with the edits of a layer; without a layer, as the imports left it. */
export type ViewOf = (layer: TenantLayer | undefined) => Promise<CatalogView>;

/** An object takes about 1 kB, and as much again once it is serialized. */
const MAX_CACHED_OBJECTS = 20_000;

/** Caches the objects in the form in which answers show them. */
export function createObjectFinder({ objects, providers }: Pick<CatalogView, 'objects' | 'providers'>): FindObjects {
  const cache = new LRUCache<string, AnswerObject>(limitEntries(MAX_CACHED_OBJECTS));
  return async (urls) => {
    const cached = urls.map((url) => cache.get(url) ?? null);
    const uncached = urls.filter((_, i) => cached[i] === null);
    if (uncached.length === 0) return cached;
    const objectsByUrl = await objects.find(uncached);
    return urls.map((url, i) => {
      const object = objectsByUrl.get(url);
      if (object === undefined) return cached[i] ?? null;
      const answer = toAnswerObject(object.record, nameProvider(object, providers), object.findField());
      cache.set(url, answer);
      return answer;
    });
  };
}

/** Returns the name of an object's provider, or its id if the catalogue has no name for it. */
export function nameProvider({ typedProvider, record }: VersionObject, providers: CatalogView['providers']): string {
  return typedProvider?.name ?? providers.get(record.provider)?.name ?? record.provider;
}

export function toAnswerObject(record: LearningObjectRecord, provider: string, field?: string): AnswerObject {
  const { title, url, description, bloom, type, lang, publisher, author, keywords } = record;
  const { picture, embed, level, learningTime, address, free } = record;
  const stated = { title, url, description, provider, bloom, type, lang, publisher, author };
  const price = free === undefined ? undefined : { free };
  const optional = omitUndefined({ picture, embed, level, learningTime, address, price, field });
  return {
    object: { ...stated, ...optional, ...pickFacts(record) },
    providerId: record.provider,
    texts: { title, description, lang, keywords },
  };
}
