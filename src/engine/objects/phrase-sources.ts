import { intersectSources } from './intersect-sources.ts';
import type { Source } from './posting-sources.ts';
import type { Alternative, Phrases } from './query-plan.ts';
import type { Segment } from './segment.ts';
import { findTerm, termSource } from './term-source.ts';

/** By segment, where any of the phrases is. */
type FindPhrases = (lists: readonly Phrases[], isExact: boolean) => readonly (readonly Source[])[];

export function createPhraseFinder(segments: readonly Segment[]): FindPhrases {
  return (lists, isExact) =>
    segments.map((segment) => lists.flatMap((phrases) => rememberedSources(segment, phrases, isExact)));
}

/** Postings that are remembered of each segment, 5 bytes each; beyond, all is forgotten together. */
const MAX_POSTINGS = 2 ** 20;

/** What was found in a segment, which never changes; as long as somebody has the phrases. */
interface Remembered {
  readonly exact: WeakMap<Phrases, readonly Source[]>;
  readonly guessed: WeakMap<Phrases, readonly Source[]>;
  postings: number;
}

const remembered = new WeakMap<Segment, Remembered>();

/** The phrases of taxonomies come again with every query that has their word, in every language, and most are nowhere. */
function rememberedSources(segment: Segment, phrases: Phrases, isExact: boolean): readonly Source[] {
  const room = roomOf(segment);
  const known = isExact ? room.exact : room.guessed;
  let sources = known.get(phrases);
  if (sources === undefined) {
    sources = phrases.flatMap((phrase) => {
      const found = phraseSources(segment, phrase, isExact);
      // Those of one word are the segment's own.
      if (phrase.words.length > 1) for (const { docs } of found) room.postings += docs.length;
      return found;
    });
    known.set(phrases, sources);
  }
  return sources;
}

function roomOf(segment: Segment): Remembered {
  let room = remembered.get(segment);
  if (room === undefined || room.postings >= MAX_POSTINGS) {
    room = { exact: new WeakMap(), guessed: new WeakMap(), postings: 0 };
    remembered.set(segment, room);
  }
  return room;
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
