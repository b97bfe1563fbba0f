import type { LearningObject } from '#domain/learning-object';
import type { ObjectSearch } from '#engine/objects/object-view';
import type { OpenPhrase } from '#engine/terms/types';
import type { TenantLayer } from '#ports/object-catalog';
import type { LearningObjectRecord, ProviderRecord } from '../catalog/catalog-schema.ts';
import type { VersionObjects } from './versions/version-objects.ts';

/** An object of the catalogue as it is answered. */
export interface KnownObject {
  readonly object: LearningObject;
  readonly providerId: string;
  /** Texts in which matches can be marked, and the keywords, which are only searched. */
  readonly texts: Pick<LearningObjectRecord, 'title' | 'description' | 'lang' | 'keywords'>;
}

/** Objects by their addresses, in the same order; null where there is none, or where it cannot be read. */
export type FindObjects = (urls: readonly string[]) => Promise<readonly (KnownObject | null)[]>;

/** The catalogue as a tenant finds it. */
export interface CatalogView {
  readonly objects: Pick<ObjectSearch, 'search'>;
  readonly findObjects: FindObjects;
  /** By their ids. */
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  /** Codes of the languages that objects have. */
  readonly languages: ReadonlySet<string>;
  /** Titles and keywords of changed objects, which the index of terms does not have. */
  listPhrases(): readonly OpenPhrase[];
}

export type ViewOf = (layer: TenantLayer | undefined) => Promise<CatalogView>;

/** A version of the catalogue, without what was changed of it. */
export interface BaseCatalog extends CatalogView {
  readonly version: VersionObjects;
}
