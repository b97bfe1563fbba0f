import { growableUint32 } from '../growable.ts';
import { distinctTerms } from './build-terms.ts';
import type { CoverageTable, LabelTable, Postings, Vocabulary } from './term-data.ts';
import { leastShare } from './weights.ts';

/** Each term's labels, ascending. */
export function buildPostings(labels: LabelTable, termCount: number): Postings {
  return collectPostings(labels, termCount, (label) => distinctTermsOf(labels, label));
}

/** Each label's distinct terms, rarest first: to see early that too little of a label can be in a text. */
function sortByRarity(labels: LabelTable, idf: Float32Array): Pick<CoverageTable, 'rareStart' | 'rareTerms'> {
  const count = labels.conceptOf.length;
  const rareStart = new Uint32Array(count + 1);
  const rareTerms = growableUint32();
  for (let label = 0; label < count; label++) {
    for (const term of distinctTermsOf(labels, label).sort((a, b) => idf[b]! - idf[a]!)) rareTerms.push(term);
    rareStart[label + 1] = rareTerms.length;
  }
  return { rareStart, rareTerms: rareTerms.finish() };
}

/** Each label under its rarest terms only: as few as weigh more than the label may miss. A text that has none of them
 *  cannot have enough of the label. So frequent words, whose lists are long, find next to nothing here.
 *  Source: prefix filtering, Chaudhuri, Ganti & Kaushik 2006, section 4. */
export function buildCoverage(labels: LabelTable, { idf, maxIdf }: Vocabulary): CoverageTable {
  const { rareStart, rareTerms } = sortByRarity(labels, idf);
  const mayMiss = labels.mass.map(
    (mass, label) => mass * (1 - leastShare(mass / maxIdf[labels.langOf[label]!]!)),
  );
  const postings = collectPostings(labels, idf.length, (label) => {
    if (mayMiss[label]! <= 0) return [];
    const terms = rareTerms.subarray(rareStart[label], rareStart[label + 1]);
    let weight = 0;
    const last = terms.findIndex((term) => {
      weight += idf[term]!;
      return weight > mayMiss[label]!;
    });
    return last < 0 ? terms : terms.subarray(0, last + 1);
  });
  return {
    rareStart,
    rareTerms,
    mayMiss,
    postings,
    ...findWitnesses({ rareStart, rareTerms, mayMiss, postings }, idf),
  };
}

/** The two rarest other terms of each posting's label, when a text without both of them cannot have enough of it. Twice
 *  the same term when that one alone is needed; the posting's own term, which is there, when there are no such two. */
function findWitnesses(
  { rareStart, rareTerms, mayMiss, postings }: Omit<CoverageTable, 'eitherTerm' | 'orTerm'>,
  idf: Float32Array,
): Pick<CoverageTable, 'eitherTerm' | 'orTerm'> {
  const eitherTerm = new Uint32Array(postings.labels.length);
  const orTerm = new Uint32Array(postings.labels.length);
  for (let term = 0; term < idf.length; term++) {
    for (let at = postings.start[term]!; at < postings.start[term + 1]!; at++) {
      const label = postings.labels[at]!;
      const others = rareTerms
        .subarray(rareStart[label], rareStart[label + 1])
        .filter((other) => other !== term);
      const [first = term, second = first] = others;
      const limit = mayMiss[label]!;
      const isFirstNeeded = first !== term && idf[first]! > limit;
      const isOneNeeded = first !== second && idf[first]! + idf[second]! > limit;
      eitherTerm[at] = isFirstNeeded || isOneNeeded ? first : term;
      orTerm[at] = isFirstNeeded ? first : isOneNeeded ? second : term;
    }
  }
  return { eitherTerm, orTerm };
}

function distinctTermsOf({ terms, termStart }: LabelTable, label: number): number[] {
  return distinctTerms(terms.subarray(termStart[label], termStart[label + 1]));
}

function collectPostings(
  labels: LabelTable,
  termCount: number,
  termsOf: (label: number) => Iterable<number>,
): Postings {
  const count = labels.conceptOf.length;
  const start = new Uint32Array(termCount + 1);
  for (let label = 0; label < count; label++) for (const term of termsOf(label)) start[term + 1]!++;
  for (let term = 0; term < termCount; term++) start[term + 1]! += start[term]!;
  const next = start.slice();
  const postings = new Uint32Array(start[termCount]!);
  for (let label = 0; label < count; label++) {
    for (const term of termsOf(label)) postings[next[term]!++] = label;
  }
  return { start, labels: postings };
}
