/** How much a catalogue has of each kind, the most first; ties in the order of the names. */
export interface CatalogCounts {
  /** Learning objects by provider id. */
  readonly providers: CountOf;
  /** Learning objects by type; one may have several. */
  readonly types: CountOf;
  /** Learning objects by two-letter code. */
  readonly languages: CountOf;
  /** Concepts by the name of their taxonomy. */
  readonly taxonomies: CountOf;
}

export type CountOf = ReadonlyMap<string, number>;
