import { intersectSources } from './intersect-sources.ts';
import type { Source } from './posting-sources.ts';
import type { Alternative } from './query-plan.ts';
import type { Segment } from './segment.ts';
import { findTerm, termSource } from './term-source.ts';

/** By segment, where any of the phrases is. */
type FindPhrases = (phrases: readonly Alternative[], isExact: boolean) => readonly (readonly Source[])[];

/** Finds the phrases of one search. A phrase stands for each word of its span, and is looked for once. */
export function createPhraseFinder(segments: readonly Segment[]): FindPhrases {
  const known = new Map<Alternative, readonly (readonly Source[])[]>();
  const find = (phrase: Alternative, isExact: boolean) => {
    let found = known.get(phrase);
    if (found === undefined) {
      const key = keyOf(phrase, isExact);
      found = segments.map((segment) => rememberedSources(segment, phrase, { isExact, key }));
      known.set(phrase, found);
    }
    return found;
  };
  return (phrases, isExact) => {
    const found = phrases.map((phrase) => find(phrase, isExact));
    return segments.map((_, s) => found.flatMap((own) => own[s]!));
  };
}

/** What is remembered for each segment, which never changes; beyond either it is forgotten together. */
const MAX_PHRASES = 10_000;
/** 5 bytes each. */
const MAX_POSTINGS = 2 ** 20;

interface Remembered {
  readonly phrases: Map<string, readonly Source[]>;
  postings: number;
}

const remembered = new WeakMap<Segment, Remembered>();

interface PhraseOptions {
  readonly isExact: boolean;
  /** Of the phrase and of `isExact`. */
  readonly key: string;
}

/** The phrases of taxonomies come again with every query that has their word, and most of them are nowhere. Those of one
 *  word, as people's own are, need no intersecting. */
function rememberedSources(
  segment: Segment,
  phrase: Alternative,
  { isExact, key }: PhraseOptions,
): readonly Source[] {
  if (phrase.words.length === 1) return phraseSources(segment, phrase, isExact);
  const known = roomOf(segment);
  let sources = known.phrases.get(key);
  if (sources === undefined) {
    sources = phraseSources(segment, phrase, isExact);
    known.phrases.set(key, sources);
    for (const { docs } of sources) known.postings += docs.length;
  }
  return sources;
}

function roomOf(segment: Segment): Remembered {
  let room = remembered.get(segment);
  if (room === undefined || room.phrases.size >= MAX_PHRASES || room.postings >= MAX_POSTINGS) {
    room = { phrases: new Map(), postings: 0 };
    remembered.set(segment, room);
  }
  return room;
}

/** No term has a space or the end of a line. */
function keyOf({ words, weight }: Alternative, isExact: boolean): string {
  let key = isExact ? `${weight}` : `~${weight}`;
  for (const named of words) {
    key += '\n';
    for (const text of named) key += ` ${text}`;
  }
  return key;
}

/** Documents that have every word of a phrase; a phrase of one word is its posting lists as they are. */
function phraseSources(
  segment: Segment,
  { words, weight }: Alternative,
  isExact: boolean,
): readonly Source[] {
  const lists: Source[][] = [];
  for (const named of words) {
    const terms = named.map((text) => findTerm(segment, text)).filter((term) => term >= 0);
    // Most phrases have a word that is nowhere: their other words need not be looked for.
    if (terms.length === 0) return [];
    lists.push(terms.map((term) => termSource(segment, term, { weight, isExact })));
  }
  return intersectSources(lists);
}
