import type { StringTable } from '../string-table.ts';
import type { TypoTable } from '../text/typo-table.ts';

/** Stands for "no such number" in an array of ordinals. */
export const NONE = 0xffffffff;

export const labelRoles = { preferred: 0, alternative: 1, variant: 2, phrase: 3 } as const;

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

/** Term to the labels that have it. */
export interface Postings {
  readonly start: Uint32Array;
  readonly labels: Uint32Array;
}

/** By which the labels are found of which a text has enough. */
export interface CoverageTable {
  /** CSR by label: its distinct terms, rarest first. */
  readonly rareStart: Uint32Array;
  readonly rareTerms: Uint32Array;
  /** By label: idf mass that may be missing in a text that is still about it; not above 0: it is found as a phrase only. */
  readonly mayMiss: Float32Array;
  /** Labels under the rarest terms, of which a text must have at least one. */
  readonly postings: Postings;
  /** By posting: two further terms of the label, of which a text must have at least one. */
  readonly eitherTerm: Uint32Array;
  readonly orTerm: Uint32Array;
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

/** Words by hashes of what a mistyped word shares with them. */
export interface SpellingTable extends TypoTable {
  /** CSR by a 16-bit hash of a trigram. */
  readonly gramStart: Uint32Array;
  readonly gramWords: Uint32Array;
}

/** Sequences of words that begin at any word of a label, and how good a suggestion each is. */
export interface CompletionTable {
  readonly trie: SequenceTrie;
  /** By entry, 0 to 255. */
  readonly rank: Uint8Array;
  /** The best rank of each block of entries. */
  readonly blockRank: Uint8Array;
}

/** Everything that is saved: plain arrays and string tables. Maps for looking up are made by `openLexicon`. */
export interface TermData {
  readonly concepts: ConceptTable;
  readonly labels: LabelTable;
  readonly vocabulary: Vocabulary;
  readonly postings: Postings;
  readonly coverage: CoverageTable;
  /** Term sequences of labels. */
  readonly phrases: SequenceTrie;
  readonly spelling: SpellingTable;
  readonly completions: CompletionTable;
  readonly ownSource: string;
}
