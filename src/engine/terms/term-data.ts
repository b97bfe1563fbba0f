import type { StringTable } from '../string-table.ts';
import type { TypoTable } from '../text/typo-table.ts';
import type { VectorRows } from '../vectors/vector-rows.ts';

/** Means "none" in an array of ordinals. */
export const NONE = 0xffffffff;
/** The ordinal of a word that is a name only in capitals, and is written in lower case. */
export const NO_NAME = NONE - 1;

/** Roles of labels. A variant is a part of a label that is searched, but not shown or suggested. */
export const labelRoles = {
  preferred: 0,
  alternative: 1,
  variant: 2,
  phrase: 3,
  alternativeVariant: 4,
} as const;

/** Kinds of links: the ordinals of `linkNames`, then the inverses of the last two. */
export const linkKinds = {
  broader: 0,
  narrower: 1,
  related: 2,
  sameAs: 3,
  essential: 4,
  optional: 5,
  essentialFor: 6,
  optionalFor: 7,
} as const;

/** Concepts have ordinals from 0. `…Start` arrays are CSR: one longer than what they index. */
export interface ConceptTable {
  readonly ids: StringTable;
  /** The addresses that their publishers gave them; empty if there is none. */
  readonly uris: StringTable;
  /** Names of the taxonomies, by the ordinals in `sourceOf`. */
  readonly sources: readonly string[];
  readonly sourceOf: Uint8Array;
  readonly kindOf: Uint8Array;
  /** The labels of a concept have consecutive ordinals. */
  readonly labelStart: Uint32Array;
  readonly linkStart: Uint32Array;
  readonly linkTarget: Uint32Array;
  readonly linkKind: Uint8Array;
}

/** The labels of all concepts, in the order of the concepts, then the suggested phrases. */
export interface LabelTable {
  /** The labels as they are written. */
  readonly texts: StringTable;
  /** NONE for a suggested phrase. */
  readonly conceptOf: Uint32Array;
  readonly langOf: Uint8Array;
  readonly roleOf: Uint8Array;
  /** 0 to 255: how likely people want it as a suggestion. */
  readonly weightOf: Uint8Array;
  /** The folded words of each label, in order. */
  readonly wordStart: Uint32Array;
  readonly words: Uint32Array;
  /** By word of `words`: 1 if it is a name only in capitals. */
  readonly isAcronym: Uint8Array;
  /** The stems of each label in order, without function words; none for a suggested phrase. */
  readonly termStart: Uint32Array;
  readonly terms: Uint32Array;
  /** The sum of the idf of the distinct terms of each label. */
  readonly mass: Float32Array;
}

/** A term is a stem in one language; the same stem in two languages is two terms. */
export interface Vocabulary {
  readonly langs: readonly string[];
  /** Folded words of all labels and phrases, sorted; the index of a word is its ordinal. */
  readonly words: StringTable;
  readonly stems: StringTable;
  readonly termLang: Uint8Array;
  readonly idf: Float32Array;
  /** By language: the weight of a word that no label has. */
  readonly maxIdf: Float32Array;
  /** By `word * langs.length + lang`: the term, or NONE. */
  readonly termOfWord: Uint32Array;
}

/** CSR by term, word or hash: the labels that have it. */
export type Postings = { readonly start: Uint32Array; readonly labels: Uint32Array };

/** Finds the labels whose two rarest terms in a text may be a given pair. */
export interface PairTable {
  /** CSR of the entries by place, which is the low bits of a `hashPair`. */
  readonly start: Uint32Array;
  /** Two numbers for each entry, strongest first: the place of a record, and its pair check. */
  readonly entries: Uint32Array;
  /** By place: the highest bound of its entries, or 0 without entries. */
  readonly best: Uint8Array;
  /** A bit for more of the low bits of the hash: 0 if no label has such a pair. */
  readonly filter: Uint8Array;
}

export interface CoverageTable {
  /** CSR by label: its record. */
  readonly recordStart: Uint32Array;
  /** Facts about labels; the fields are `recordFields`. */
  readonly records: Uint32Array;
  /** CSR by term: the records of the best labels for which it alone is enough, strongest first. */
  readonly singles: { readonly start: Uint32Array; readonly records: Uint32Array };
  readonly pairs: PairTable;
  /** By term: its idf, reduced for a term that the labels of a concept replace by others. */
  readonly steadyIdf: Float32Array;
}

/** Sequences in lexicographic order; a range of them is a node of the trie that they form. */
export interface SequenceTrie {
  readonly values: Uint32Array;
  /** CSR by owner: its values. */
  readonly ownerStart: Uint32Array;
  /** By entry, in order: where the sequence begins in `values`, and its owner. */
  readonly begin: Uint32Array;
  readonly owner: Uint32Array;
  /** By value: the first entry that begins with it. */
  readonly first: Uint32Array;
}

/** Words and labels as vectors of character n-grams. The vector of a label is the sum of those of
 *  its words, without function words. */
export interface GramTable {
  /** CSR by n-gram: the words that have it, as often as they have it. */
  readonly gramStart: Uint32Array;
  readonly gramWords: Uint32Array;
  /** By n-gram: its idf over the labels, squared. */
  readonly weight: Float32Array;
  readonly wordLength: Float32Array;
  readonly labelLength: Float32Array;
  /** By word: the labels that have it, as often as they have it. */
  readonly wordLabels: Postings;
}

/** The sequences of words that begin at a word of a label, with their rank as a suggestion. */
export interface CompletionTable {
  readonly trie: SequenceTrie;
  /** The rank of each entry, 0 to 255. */
  readonly rank: Uint8Array;
  /** The best rank of each block of entries. */
  readonly blockRank: Uint8Array;
}

/** Vectors of terms and concepts, of the length 127 or 0; near ones have a similar meaning. */
export interface VectorTable {
  readonly dim: number;
  /** The vector of a term begins at `term * dim`. */
  readonly terms: Int8Array;
  /** The vector of a concept begins at `concept * dim`; it is the sum of the vectors of its labels'
   *  terms, weighted by idf. */
  readonly concepts: Int8Array;
}

/** Vectors of the labels in the encoder's languages; none without an encoder. Labels with the same
 *  text share a row. */
export interface MeaningTable extends VectorRows {
  /** By label: its row, or NONE. */
  readonly rowOf: Uint32Array;
}

/** Everything that is saved of an index: plain arrays and string tables. */
export interface TermData {
  readonly concepts: ConceptTable;
  readonly labels: LabelTable;
  readonly vocabulary: Vocabulary;
  readonly coverage: CoverageTable;
  /** The sequences of terms of the labels. */
  readonly phrases: SequenceTrie;
  readonly spelling: TypoTable;
  readonly grams: GramTable;
  readonly completions: CompletionTable;
  readonly vectors: VectorTable;
  readonly meaning: MeaningTable;
  readonly mainSource: string;
}
