import type { LearningObject } from '../domain/learning-object.ts';
import type { ObjectFields } from '../domain/object-fields.ts';
import type { ObjectChange } from './store/object-layers.ts';
import type { Page } from './store/record.ts';

/** What was changed for one tenant, or for every tenant. */
export interface ObjectLayer {
  readonly tenantId: string;
  /** Changes with everything in it; empty where there is nothing. */
  readonly version: string;
  /** By address, without those that wait. */
  readonly changes: ReadonlyMap<string, ObjectChange>;
}

/** All that was changed of what a tenant finds. */
export interface TenantLayer {
  /** Changes with everything in it; empty where there is nothing. */
  readonly stamp: string;
  /** For every tenant. */
  readonly all: ObjectLayer;
  /** For this one; it lies over `all`. */
  readonly tenant: ObjectLayer;
}

type ObjectOrigin = 'starter' | 'import' | 'added';

/** An object of the catalogue as a tenant has it. */
export interface CatalogObject {
  readonly url: string;
  readonly fields: ObjectFields;
  readonly providerId: string;
  readonly origin: ObjectOrigin;
  readonly isEdited: boolean;
  /** For whom; null for nobody. */
  readonly hiddenFor: 'all' | 'tenant' | null;
}

/** Everything of an object that others may have. */
export interface PublishedObject {
  readonly object: LearningObject;
  readonly providerId: string;
  readonly keywords: readonly string[];
  readonly age?: { readonly min?: number; readonly max?: number };
  readonly location?: { readonly lat: number; readonly lon: number };
}

export interface CatalogListRequest {
  /** Words, as people search for them; empty for everything. */
  readonly search: string;
  readonly provider: string | null;
  readonly type: string | null;
  readonly lang: string | null;
  readonly origin: ObjectOrigin | 'edited' | 'hidden' | null;
  /** Addresses that alone are wanted, or that are not; null for all. */
  readonly among: { readonly urls: readonly string[]; readonly how: 'only' | 'without' } | null;
  /** `best` by relevance, without words by popularity. By title only where at most MOST_TO_SORT are
   *  found. */
  readonly sort: 'best' | 'title' | 'shortest' | 'longest';
  readonly page: number;
  readonly pageSize: number;
}

export const MOST_TO_SORT = 5_000;

/** Our own catalogue, for those who look after it: what is hidden is found as well. */
export interface ObjectCatalog {
  listObjects(layer: TenantLayer, request: CatalogListRequest): Promise<Page<CatalogObject>>;
  /** However its address is spelt. Null where there is none. */
  findObject(layer: TenantLayer, url: string): Promise<CatalogObject | null>;
  /** By the given addresses, without those that are hidden or missing. */
  readObjects(layer: TenantLayer, urls: readonly string[]): Promise<ReadonlyMap<string, PublishedObject>>;
}

/** A label and its two-letter language. */
interface ConceptLabel {
  readonly text: string;
  readonly lang: string;
}

interface PublishedConcept {
  /** Its URI, as its publisher has it, or the taxonomy and its code: `digcomp:1.1`. */
  readonly id: string;
  /** Name of the taxonomy. */
  readonly source: string;
  readonly kind: 'skill' | 'topic' | 'occupation' | 'domain';
  /** The preferred label of each language. */
  readonly labels: readonly ConceptLabel[];
  readonly others: readonly ConceptLabel[];
  /** Links to other concepts: `broader`, `essential` … */
  readonly links: readonly { readonly name: string; readonly id: string }[];
}

/** The taxonomies of the embedded engine. */
export interface ConceptCatalog {
  /** Null where there is none. */
  findConcept(id: string): PublishedConcept | null;
  /** Number of concepts by the name of the taxonomy. */
  listTaxonomies(): ReadonlyMap<string, number>;
}
