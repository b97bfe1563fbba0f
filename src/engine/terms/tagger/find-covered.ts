import type { OpenTerms } from '../concept-view.ts';
import { NONE } from '../term-data.ts';
import { createRecordMatcher, recordFields, viewAsFloats } from './label-records.ts';
import { createPairGatherer, type GatheredPairs, MAX_STEP, toStrengthStep } from './pair-table.ts';
import { MAX_WINDOW_WORDS, type WindowContent } from './read-text.ts';
import type { AddHit, LabelHit } from './tag-collector.ts';
import { weighLabelMatch } from './tag-weights.ts';

/** Returns the strength below which labels are useless, which rises as labels are found. */
type Floor = () => number;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Finds the labels of whose idf mass a window has enough, in any order. The strength of a label is
 *  the share of its mass that the window has, cubed, times the mass; a label whose stems are in a
 *  row has the whole mass and a bonus. A label can be found more than once. Each step is a closure
 *  over its arrays, which takes two thirds of the time of a function that is passed them. */
export function createCoveredLabelFinder(terms: OpenTerms) {
  const gatherPairs = createPairGatherer(terms.coverage.pairs);
  const marks = createWindowMarks(terms);
  const reportHit = createHitReport(terms);
  const findCoveredByTerm = createFinderByTerm(terms, marks, reportHit);
  const findCoveredByPairs = createFinderByPairs(terms, marks, reportHit);
  return (content: WindowContent, add: AddHit, floor: Floor): void => {
    const count = enterWindow(marks, content);
    const gathered = gatherPairs(marks.distinct, count, stepBelow(floor()));
    let next = 0;
    for (let turn = 0; turn < count; turn++) {
      const min = floor();
      findCoveredByTerm(marks.distinct[turn]!, { content, add, min });
      next = findCoveredByPairs(next, { turn, gathered, content, add, minStep: stepBelow(min) });
    }
    leaveWindow(marks, content, count);
  };
}

type WindowMarks = ReturnType<typeof createWindowMarks>;

function createWindowMarks({ vocabulary, lexicon }: OpenTerms) {
  return {
    /** By term and by word: 1 while it is in the window. */
    isInWindow: new Uint8Array(vocabulary.idf.length),
    isWordInWindow: new Uint8Array(lexicon.words.length),
    /** The distinct terms of the window; only the first are valid. */
    distinct: new Uint32Array(MAX_WINDOW_WORDS),
  };
}

/** @returns the number of distinct terms */
function enterWindow(marks: WindowMarks, { words, terms: sequence }: WindowContent): number {
  const { isInWindow, isWordInWindow, distinct } = marks;
  let count = 0;
  for (let at = 0; at < sequence.length; at++) {
    const term = sequence[at]!;
    if (words[at] !== NONE) isWordInWindow[words[at]!] = 1;
    if (term === NONE || isInWindow[term] === 1) continue;
    isInWindow[term] = 1;
    distinct[count++] = term;
  }
  return count;
}

function leaveWindow({ isInWindow, isWordInWindow, distinct }: WindowMarks, content: WindowContent, count: number) {
  for (let i = 0; i < count; i++) isInWindow[distinct[i]!] = 0;
  for (const word of content.words) if (word !== NONE) isWordInWindow[word] = 0;
}

type ReportHit = (record: number, how: Pick<LabelHit, 'strength' | 'whole' | 'isOneWord'>, add: AddHit) => void;

/** Creates a function that reports a hit. One object serves all: `add` must read it at once. */
function createHitReport({ coverage: { records } }: OpenTerms): ReportHit {
  const hit: Writable<LabelHit> = {
    label: 0,
    concept: 0,
    role: 0,
    strength: 0,
    factor: 1,
    whole: false,
    isOneWord: false,
  };
  return (record, { strength, whole, isOneWord }, add) => {
    hit.label = records[record + recordFields.label]!;
    hit.concept = records[record + recordFields.concept]!;
    hit.role = records[record + recordFields.role]!;
    hit.strength = strength;
    hit.whole = whole;
    hit.isOneWord = isOneWord;
    add(hit);
  };
}

/** Finds the labels of a single term, and those of whose mass it is enough. */
function createFinderByTerm(terms: OpenTerms, { isWordInWindow }: WindowMarks, reportHit: ReportHit) {
  const { labels, lexicon, vocabulary, coverage } = terms;
  const { records, singles } = coverage;
  const floats = viewAsFloats(records);

  /** Tells whether the only word that a window has of a label names it: it must be the word itself,
   *  not only its stem (`milk` is not milking), and an acronym must be in capitals. */
  function isNamedByWord(label: number, inCapitals: ReadonlySet<string>): boolean {
    for (let at = labels.wordStart[label]!; at < labels.wordStart[label + 1]!; at++) {
      const word = labels.words[at]!;
      const isNamed = labels.isAcronym[at] === 1 ? inCapitals.has(lexicon.words[word]!) : isWordInWindow[word] === 1;
      if (isNamed) return true;
    }
    return false;
  }

  /** @param min the least strength to find */
  return (term: number, { content, add, min }: { content: WindowContent; add: AddHit; min: number }): void => {
    const weight = vocabulary.idf[term]! / vocabulary.maxIdf[content.lang]!;
    for (let at = singles.start[term]!, end = singles.start[term + 1]!; at < end; at++) {
      const record = singles.records[at]!;
      const mass = floats[record + recordFields.mass]!;
      const whole = records[record + recordFields.termCount] === 1;
      const strength = weighLabelMatch({ share: whole ? 1 : weight / mass, mass, whole, phraseMass: mass });
      // The labels of a term are sorted by strength.
      if (strength < min) return;
      if (isNamedByWord(records[record + recordFields.label]!, content.inCapitals))
        reportHit(record, { strength, whole, isOneWord: true }, add);
    }
  };
}

interface PairSearch {
  readonly turn: number;
  readonly gathered: GatheredPairs;
  readonly content: WindowContent;
  readonly add: AddHit;
  /** The least strength to find, as a step. */
  readonly minStep: number;
}

/** Finds the labels under the pairs of a term with those before it. */
function createFinderByPairs({ coverage }: OpenTerms, { isInWindow }: WindowMarks, reportHit: ReportHit) {
  const { records } = coverage;
  const floats = viewAsFloats(records);
  const { findShareInWindow, isLabelInRow } = createRecordMatcher(records, isInWindow);
  /** @param from the first pair of the term @returns the first pair of the next term */
  return (from: number, { turn, gathered, content, add, minStep }: PairSearch): number => {
    let at = from;
    for (; at < gathered.count && gathered.turns[at] === turn; at++) {
      if (gathered.bounds[at]! <= minStep) continue;
      const record = gathered.records[at]!;
      const share = findShareInWindow(record);
      if (share === 0) continue;
      const mass = floats[record + recordFields.mass]!;
      const whole = share === 1 && isLabelInRow(content.terms, record);
      const strength = weighLabelMatch({ share, mass, whole, phraseMass: mass });
      reportHit(record, { strength, whole, isOneWord: false }, add);
    }
    return at;
  };
}

const stepBelow = (strength: number): number => Math.min(MAX_STEP, toStrengthStep(strength));
