/** A label, and its two-letter language. */
export interface ConceptLabel {
  readonly text: string;
  readonly lang: string;
}

/** A concept of a published taxonomy. */
export interface PublishedConcept {
  /** Its URI, as its publisher has it, or the taxonomy and its code: `digcomp:1.1`. */
  readonly id: string;
  /** Name of the taxonomy. */
  readonly source: string;
  readonly kind: 'skill' | 'topic' | 'occupation' | 'domain';
  /** The preferred one of each language. */
  readonly labels: readonly ConceptLabel[];
  /** Other names. */
  readonly others: readonly ConceptLabel[];
  /** To other concepts: `broader`, `essential` … */
  readonly links: readonly { readonly name: string; readonly id: string }[];
}

/** The taxonomies of our own engine. */
export interface ConceptCatalog {
  /** Null where there is none. */
  findConcept(id: string): PublishedConcept | null;
  /** How many concepts each has, by its name. */
  listTaxonomies(): ReadonlyMap<string, number>;
}
