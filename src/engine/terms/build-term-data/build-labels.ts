import { createGrowableUint8, createGrowableUint32 } from '#engine/arrays';
import { getOrAdd } from '#engine/maps';
import { buildStringTable, sortStringsByBytes } from '#engine/string-table';
import { findCapitalTokens, tokenize } from '#engine/text/tokenize';
import { listLabelVariants } from '../label-variants.ts';
import { labelRoles, NONE } from '../term-data.ts';
import type { Concept, SuggestPhrase } from '../types.ts';

export type LabelWords = ReturnType<typeof buildLabels>;

interface LabelDraft {
  readonly text: string;
  readonly lang: string;
  readonly role: number;
  readonly weight: number;
  /** Whether its words in capitals are names only in capitals. */
  readonly hasAcronyms: boolean;
}

/** Weights of labels as suggestions, 0 to 1. */
const PREFERRED_WEIGHT = 1;
const ALTERNATIVE_WEIGHT = 0.85;
const NO_WORDS: ReadonlySet<string> = new Set();

/** Writes the labels of all concepts, then the phrases, as sequences of words. */
export function buildLabels(concepts: readonly Concept[], phrases: readonly SuggestPhrase[]) {
  const writer = createLabelWriter();
  const labelStart = new Uint32Array(concepts.length + 1);
  for (const [ordinal, concept] of concepts.entries()) {
    const keys = new Set<string>();
    for (const draft of listLabelDrafts(concept)) writer.write(draft, ordinal, keys);
    labelStart[ordinal + 1] = writer.count();
  }
  for (const { text, lang, weight } of phrases) {
    const draft = { text, lang, role: labelRoles.phrase, weight: Math.min(Math.max(weight, 0), 1) };
    writer.write({ ...draft, hasAcronyms: false }, NONE, new Set());
  }
  return { ...writer.finish(), labelStart };
}

function* listLabelDrafts({ labels, altLabels, kind }: Concept): Generator<LabelDraft> {
  for (const [lang, text] of Object.entries(labels)) {
    yield { text, lang, role: labelRoles.preferred, weight: PREFERRED_WEIGHT, hasAcronyms: false };
  }
  for (const [lang, label] of Object.entries(labels)) {
    for (const text of listLabelVariants(label, kind)) {
      yield { text, lang, role: labelRoles.variant, weight: 0, hasAcronyms: false };
    }
  }
  const alternatives = Object.entries(altLabels).flatMap(([lang, texts]) => texts.map((text) => ({ lang, text })));
  for (const { lang, text } of alternatives) {
    yield { text, lang, role: labelRoles.alternative, weight: ALTERNATIVE_WEIGHT, hasAcronyms: true };
  }
  for (const { lang, text: label } of alternatives) {
    for (const text of listLabelVariants(label, kind)) {
      yield { text, lang, role: labelRoles.alternativeVariant, weight: 0, hasAcronyms: true };
    }
  }
}

function createLabelWriter() {
  const texts: string[] = [];
  const conceptOf = createGrowableUint32();
  const langOf = createGrowableUint8();
  const roleOf = createGrowableUint8();
  const weightOf = createGrowableUint8();
  const wordStart = createGrowableUint32();
  const words = createGrowableUint32();
  const isAcronym = createGrowableUint8();
  const langIds = new Map<string, number>();
  const wordIds = new Map<string, number>();
  wordStart.push(0);
  return {
    count: () => texts.length,
    /** Skips a label with the same words as another one of its concept and language. */
    write({ text, lang, role, weight, hasAcronyms }: LabelDraft, concept: number, keys: Set<string>) {
      const folded = tokenize(text);
      const key = `${lang} ${folded.join(' ')}`;
      if (role !== labelRoles.preferred && (folded.length === 0 || keys.has(key))) return;
      // A variant leaves room for an equal alternative label, which weighs more.
      if (role !== labelRoles.variant) keys.add(key);
      texts.push(text.trim());
      conceptOf.push(concept);
      langOf.push(assignOrdinal(langIds, lang));
      roleOf.push(role);
      weightOf.push(Math.round(weight * 255));
      const acronyms = hasAcronyms ? findLabelAcronyms(text, folded) : NO_WORDS;
      for (const word of folded) {
        words.push(assignOrdinal(wordIds, word));
        isAcronym.push(acronyms.has(word) ? 1 : 0);
      }
      wordStart.push(words.length);
    },
    finish() {
      const sorted = sortStringsByBytes([...wordIds.keys()]);
      const renumbered = new Uint32Array(sorted.length);
      for (const [ordinal, word] of sorted.entries()) renumbered[wordIds.get(word)!] = ordinal;
      return {
        /** The columns of the label table that do not depend on stems. */
        labels: {
          texts: buildStringTable(texts),
          conceptOf: conceptOf.finish(),
          langOf: langOf.finish(),
          roleOf: roleOf.finish(),
          weightOf: weightOf.finish(),
          wordStart: wordStart.finish(),
          words: words.finish().map((word) => renumbered[word]!),
          isAcronym: isAcronym.finish(),
        },
        langs: [...langIds.keys()],
        wordTable: buildStringTable(sorted),
        /** The texts of `labels.words`, which has their ordinals. */
        words: sorted,
      };
    },
  };
}

/** Finds the words in capitals; none if all words of a longer label are in capitals. */
function findLabelAcronyms(text: string, words: readonly string[]): ReadonlySet<string> {
  const acronyms = findCapitalTokens(text);
  return words.length > 1 && words.every((word) => acronyms.has(word)) ? NO_WORDS : acronyms;
}

const assignOrdinal = (ids: Map<string, number>, key: string) => getOrAdd(ids, key, () => ids.size);
