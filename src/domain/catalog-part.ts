/** Kinds of records that a catalogue is made of, in the order in which they need each other. */
export const catalogKinds = ['provider', 'object', 'concept'] as const;
export type CatalogKind = (typeof catalogKinds)[number];

/** What one row of a source says about one record. A source may say several things about the same record in different
 *  places (labels in one file a language, links in another): each is a part of its own, and all parts of a key make up
 *  the record. So a source is read row by row, whatever its size. */
export interface CatalogPart {
  readonly kind: CatalogKind;
  /** Of a provider its id, of an object its address, of a concept its id. */
  readonly key: string;
  /** Which of the record's parts, unique within its source: `labels:fr`, `links:essential:3`; empty where there is one only. */
  readonly part: string;
  /** Plain JSON: a record of its kind, or of a concept some of its fields. */
  readonly body: Readonly<Record<string, unknown>>;
}
