import type { StringTable } from '../string-table.ts';
import type { TypoTable } from '../text/typo-table.ts';

/** Stands for "no such number" in an array of ordinals. */
export const NONE = 0xffffffff;
/** In place of a word's ordinal: a word that is a name only in capitals and is not written so. */
export const NO_NAME = NONE - 1;

/** A variant is cut out of a preferred or of an alternative label: it is found, but never shown or suggested. */
export const labelRoles = {
  preferred: 0,
  alternative: 1,
  variant: 2,
  phrase: 3,
  alternativeVariant: 4,
} as const;

/** Link kinds: the ordinals of `linkNames`, then the two that are derived by turning a link round. */
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
  /** Names of the taxonomies, by the ordinals in `sourceOf`. */
  readonly sources: readonly string[];
  readonly sourceOf: Uint8Array;
  /** Ordinals of `conceptKinds`. */
  readonly kindOf: Uint8Array;
  /** The labels of a concept have consecutive ordinals. */
  readonly labelStart: Uint32Array;
  readonly linkStart: Uint32Array;
  readonly linkTarget: Uint32Array;
  readonly linkKind: Uint8Array;
}

/** Labels of concepts in the order of the concepts, then the suggest phrases. */
export interface LabelTable {
  /** Natural spelling. */
  readonly texts: StringTable;
  /** NONE for a suggest phrase. */
  readonly conceptOf: Uint32Array;
  readonly langOf: Uint8Array;
  /** One of `labelRoles`. */
  readonly roleOf: Uint8Array;
  /** 0 to 255: how likely people want it; for suggest. */
  readonly weightOf: Uint8Array;
  /** Folded words in order. */
  readonly wordStart: Uint32Array;
  readonly words: Uint32Array;
  /** By word of `words`: 1 where an alternative label writes it in capitals, so that it is that name in capitals only. */
  readonly isAcronym: Uint8Array;
  /** Stems in order, without function words; none for a suggest phrase. */
  readonly termStart: Uint32Array;
  readonly terms: Uint32Array;
  /** Sum of the idf of the distinct terms. */
  readonly mass: Float32Array;
}

/** A term is a stem in one language: the same letters in two languages are two terms. */
export interface Vocabulary {
  readonly langs: readonly string[];
  /** Folded words of all labels and phrases, sorted; a word's ordinal is its place in the alphabet. */
  readonly words: StringTable;
  readonly stems: StringTable;
  readonly termLang: Uint8Array;
  readonly idf: Float32Array;
  /** By language: the weight of a word that no label has. */
  readonly maxIdf: Float32Array;
  /** `word * langs.length + lang` to the term, or NONE. */
  readonly termOfWord: Uint32Array;
}

/** From a term, a word or a hash to the labels that have it. */
export interface Postings {
  readonly start: Uint32Array;
  readonly labels: Uint32Array;
}

/** From a term to where the records of its labels begin. */
export interface RecordPostings {
  readonly start: Uint32Array;
  readonly records: Uint32Array;
}

/** From two terms to the labels whose rarest terms in a text they may be. */
export interface PairTable {
  /** CSR by place, the low bits of a `hashPair`; counts entries. */
  readonly start: Uint32Array;
  /** Two numbers for each entry, strongest first: where the label's record begins, and its `pairCheck`. */
  readonly entries: Uint32Array;
  /** By place: the highest bound of its entries, 0 where there is none. */
  readonly best: Uint8Array;
  /** A bit for more of the low bits: 0 when no label is under that hash. */
  readonly isKnown: Uint8Array;
}

/** Finds the labels that a text has enough of. */
export interface CoverageTable {
  /** CSR by label: its record. */
  readonly recordStart: Uint32Array;
  /** What the tagger asks of a label, side by side; the fields are `recordFields`. */
  readonly records: Uint32Array;
  /** From a term to the best of the labels for which it alone is enough, strongest first. */
  readonly singles: RecordPostings;
  readonly pairs: PairTable;
  /** By term: its idf, less for a term that a concept's labels exchange for others. */
  readonly steadyIdf: Float32Array;
}

/** Sequences sorted like the words of a dictionary; a range of them is a node of the trie they form. */
export interface SequenceTrie {
  readonly values: Uint32Array;
  /** By owner: where its values end is where those of the next owner begin. */
  readonly ownerStart: Uint32Array;
  /** By entry, sorted: where the sequence begins in `values`, and whose it is. */
  readonly begin: Uint32Array;
  readonly owner: Uint32Array;
  /** By value: the first entry that begins with it. */
  readonly first: Uint32Array;
}

/** Labels and words as vectors of character n-grams; a label's is the sum of those of its words, function words left out. */
export interface GramTable {
  /** CSR by n-gram: its words, as often as it is in them. */
  readonly gramStart: Uint32Array;
  readonly gramWords: Uint32Array;
  /** By n-gram: its idf over the labels, squared. */
  readonly weight: Float32Array;
  /** Lengths of the vectors. */
  readonly wordLength: Float32Array;
  readonly labelLength: Float32Array;
  /** Word to the labels that have it, as often as they have it. */
  readonly wordLabels: Postings;
}

/** Sequences of words that begin at any word of a label, and how good a suggestion each is. */
export interface CompletionTable {
  readonly trie: SequenceTrie;
  /** By entry, 0 to 255. */
  readonly rank: Uint8Array;
  /** The best rank of each block of entries. */
  readonly blockRank: Uint8Array;
}

/** Directions of terms; near ones mean like things. Bytes are signed, in two's complement; rows are of length 127, or of
 *  nothing. */
export interface VectorTable {
  readonly dim: number;
  /** `term * dim`. */
  readonly terms: Uint8Array;
  /** `concept * dim`: the sum of the directions of its labels' terms, by idf. */
  readonly concepts: Uint8Array;
}

/** Vectors of the labels that the encoder reads, as signed bytes in two's complement; of labels that are the same text there is one. */
export interface MeaningTable {
  /** `row * dimensions`; none where nothing was encoded. */
  readonly bytes: Uint8Array;
  /** By row. */
  readonly scales: Float32Array;
  /** By label: its row, or NONE. */
  readonly rowOf: Uint32Array;
}

/** Everything that is saved: plain arrays and string tables. Maps for looking up are made by `openLexicon`. */
export interface TermData {
  readonly concepts: ConceptTable;
  readonly labels: LabelTable;
  readonly vocabulary: Vocabulary;
  readonly coverage: CoverageTable;
  /** Term sequences of labels. */
  readonly phrases: SequenceTrie;
  readonly spelling: TypoTable;
  readonly grams: GramTable;
  readonly completions: CompletionTable;
  readonly vectors: VectorTable;
  readonly meaning: MeaningTable;
  readonly ownSource: string;
}
