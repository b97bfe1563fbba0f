import { getOrAdd } from '../maps.ts';
import { readString } from '../string-table.ts';
import { createVectorRows, type TextEncoding, type VectorRows } from '../vectors/vector-rows.ts';
import { type LabelTable, labelRoles, type MeaningTable, NONE, type TermData } from './term-data.ts';

export interface TermMeaning {
  readonly encoder: TextEncoding;
  readonly rows: VectorRows;
  readonly rowOf: Uint32Array;
  readonly langs: ReadonlySet<string>;
  /** Opens the scope of these options, which is cached. */
  scopeOf(options: ScopeOptions): LabelScope;
}

interface ScopeOptions {
  /** The ordinal of the only language; all languages if absent. */
  readonly lang?: number;
  /** The ordinal of the only taxonomy; all taxonomies if absent. */
  readonly source?: number;
  /** Whether only preferred labels are in the scope. */
  readonly isPreferred?: boolean;
  /** The ordinals of kinds of concepts; all kinds if absent. */
  readonly kinds?: readonly number[];
}

/** The labels that a search by meaning compares; labels with the same text share a row. */
export type LabelScope = { readonly rows: Uint32Array; labelsOf(row: number): ArrayLike<number> };

/** Encodes preferred and alternative labels in the encoder's languages. @param langs by ordinal */
export function encodeLabels(table: LabelTable, langs: readonly string[], encoder: TextEncoding): MeaningTable {
  const { texts, langOf, roleOf } = table;
  const isRead = langs.map((lang) => encoder.langs.includes(lang));
  const rowOf = new Uint32Array(roleOf.length).fill(NONE);
  const rows = createVectorRows(encoder.dimensions, roleOf.length);
  const rowOfText = new Map<string, number>();
  for (let label = 0; label < rowOf.length; label++) {
    if (roleOf[label]! > labelRoles.alternative || !isRead[langOf[label]!]) continue;
    const text = readString(texts, label);
    rowOf[label] = getOrAdd(rowOfText, text, () => rows.push(encoder.encode(text)));
  }
  return { ...rows.finish(), rowOf };
}

/** The table without an encoder. */
export const noMeaning: MeaningTable = {
  dimensions: 0,
  bytes: new Int8Array(),
  scales: new Float32Array(),
  rowOf: new Uint32Array(),
};

/** @returns null if no label has a vector */
export function openLabelMeaning(data: TermData, encoder: TextEncoding): TermMeaning | null {
  const { labels, vocabulary, meaning: rows } = data;
  const { rowOf } = rows;
  if (rows.scales.length === 0) return null;
  const scopes = new Map<string, LabelScope>();
  const langs = new Set<string>();
  for (let label = 0; label < rowOf.length; label++)
    if (rowOf[label] !== NONE) langs.add(vocabulary.langs[labels.langOf[label]!]!);
  return {
    encoder,
    rows,
    rowOf,
    langs,
    scopeOf: (options) => getOrAdd(scopes, JSON.stringify(options), () => openLabelScope(data, rows, options)),
  };
}

function openLabelScope(data: TermData, { scales }: VectorRows, options: ScopeOptions): LabelScope {
  const { rowOf } = data.meaning;
  const firstOf = new Uint32Array(scales.length).fill(NONE);
  const nextOf = new Uint32Array(rowOf.length).fill(NONE);
  // Backwards, so that the labels of a row are listed in ascending order.
  for (let label = rowOf.length - 1; label >= 0; label--) {
    const row = rowOf[label]!;
    if (row === NONE || !isInLabelScope(data, label, options)) continue;
    nextOf[label] = firstOf[row]!;
    firstOf[row] = label;
  }
  return {
    rows: Uint32Array.from(firstOf.keys()).filter((row) => firstOf[row] !== NONE),
    labelsOf(row) {
      const labels: number[] = [];
      for (let label = firstOf[row]!; label !== NONE; label = nextOf[label]!) labels.push(label);
      return labels;
    },
  };
}

function isInLabelScope(data: Pick<TermData, 'labels' | 'concepts'>, label: number, options: ScopeOptions): boolean {
  const { labels, concepts } = data;
  const { lang, source, isPreferred = false, kinds } = options;
  const role = labels.roleOf[label]!;
  if (role > (isPreferred ? labelRoles.preferred : labelRoles.alternative)) return false;
  const concept = labels.conceptOf[label]!;
  return (
    (lang === undefined || labels.langOf[label] === lang) &&
    (source === undefined || concepts.sourceOf[concept] === source) &&
    (kinds === undefined || kinds.includes(concepts.kindOf[concept]!))
  );
}
