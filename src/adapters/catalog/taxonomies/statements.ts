/** The statements of a file about one resource: terms by field. The fields of a concept are
 *  those of `ConceptLink`, and `label`, `altLabel`, `code`, `description`, `type`, `uri`,
 *  `deprecated`, `replaced`. A concept without a type is one of another taxonomy. */
export type Statements = Partial<Record<string, Term[]>>;

export interface Term {
  /** A text, or the key of a resource. */
  readonly value: string;
  /** The two-letter code of the language of a text. */
  readonly lang?: string;
}

export interface PublishedTaxonomy {
  /** Empty if the file names none. */
  readonly title: string;
  /** Concepts by the key with which links name them: an address, or a code. */
  readonly concepts: ReadonlyMap<string, Statements>;
}

export type ReadOptions = { readonly langs: readonly string[]; readonly signal: AbortSignal };

export function addToList<V>(lists: Partial<Record<string, V[]>>, name: string, value: V): void {
  const list = lists[name];
  if (list === undefined) lists[name] = [value];
  else list.push(value);
}
