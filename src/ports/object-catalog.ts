import type { LearningObject } from '#domain/learning-object';
import type { ObjectEdits, PlainObjectSource } from '#domain/object-fields';
import type { ObjectChange } from './store/object-layers.ts';
import type { Page } from './store/record.ts';

export interface ObjectLayer {
  readonly tenantId: string;
  /** Differs after every change; empty if there are no changes. */
  readonly version: string;
  /** Changes by address, without suggestions that wait for approval. */
  readonly changes: ReadonlyMap<string, ObjectChange>;
}

export interface TenantLayer {
  /** Differs after a change of either layer; empty if both are empty. */
  readonly stamp: string;
  readonly all: ObjectLayer;
  /** Applied on top of `all`. */
  readonly tenant: ObjectLayer;
}

type ObjectOrigin = 'starter' | 'import' | 'added';

export interface CatalogObject extends PlainObjectSource {
  readonly providerId: string;
  readonly origin: ObjectOrigin;
  readonly isEdited: boolean;
  /** Who does not see the object; null if everybody does. */
  readonly hiddenFor: 'all' | 'tenant' | null;
}

/** The public data of an object. */
export interface PublishedObject {
  readonly object: LearningObject;
  readonly providerId: string;
  readonly keywords: readonly string[];
  readonly age?: { readonly min?: number; readonly max?: number };
  readonly location?: { readonly lat: number; readonly lon: number };
}

export interface CatalogListRequest {
  /** Words of a search; empty for all objects. */
  readonly search: string;
  readonly provider: string | null;
  readonly type: string | null;
  readonly lang: string | null;
  readonly origin: ObjectOrigin | 'edited' | 'hidden' | null;
  /** Returns only these addresses, or all others; null for no restriction. */
  readonly among: { readonly urls: readonly string[]; readonly how: 'only' | 'without' } | null;
  /** `best` is by relevance or popularity. All other orders need at most MAX_TO_SORT hits. */
  readonly sort: 'best' | 'title' | 'shortest' | 'longest';
  readonly page: number;
  readonly pageSize: number;
}

export const MAX_TO_SORT = 5_000;

/** The embedded catalogue for administrators, including hidden objects. */
export interface ObjectCatalog {
  listObjects(layer: TenantLayer, request: CatalogListRequest): Promise<Page<CatalogObject>>;
  /** Finds an object by any spelling of its address. */
  findObject(layer: TenantLayer, url: string): Promise<CatalogObject | null>;
  /** Returns objects by the given addresses, without those that are hidden or missing. */
  readObjects(layer: TenantLayer, urls: readonly string[]): Promise<ReadonlyMap<string, PublishedObject>>;
}

type ConceptLabel = { readonly text: string; readonly lang: string };

export interface PublishedConcept {
  /** Taxonomy and code: `digcomp:1.1`. */
  readonly id: string;
  /** The publisher's address, or else the id. */
  readonly uri: string;
  readonly source: string;
  readonly kind: 'skill' | 'topic' | 'occupation' | 'domain';
  /** One for each language. */
  readonly labels: readonly ConceptLabel[];
  readonly alternativeLabels: readonly ConceptLabel[];
  /** Links to other concepts: `broader`, `essential`, `essentialFor` … */
  readonly links: readonly { readonly name: string; readonly id: string; readonly uri: string }[];
}

/** A skill that nobody stated, but that is evident from the texts of an object. */
export interface DerivedSkill {
  readonly label: string;
  readonly uri: string;
  /** The words that name it. */
  readonly evidence: string;
}

export interface ConceptCatalog {
  /** Finds a concept by its id, or by the address of its publisher. */
  findConcept(id: string): PublishedConcept | null;
  /** Lists all concepts of a taxonomy. */
  listConcepts(source: string): Iterable<PublishedConcept>;
  /** Returns no skills where `teaches` is stated, even as an empty list. */
  deriveSkills(
    object: Pick<ObjectEdits, 'title' | 'description' | 'keywords' | 'lang' | 'teaches'>,
  ): readonly DerivedSkill[];
  /** Returns the number of concepts by the name of the taxonomy. */
  listTaxonomies(): ReadonlyMap<string, number>;
}
