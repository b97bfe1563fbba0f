import { asksForLearning, isRequestWordOf, listRequestWords } from '#engine/text/request-words';
import type { Lexicon } from '../lexicon.ts';
import { NONE } from '../term-data.ts';
import type { Place, ReadText, TextWindow, WindowContent } from './read-text.ts';
import { wordMarks } from './word-scanner.ts';

const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Words with which a text requires something or announces that it is taught, folded, beside those that ask for learning. */
const REQUIRING: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'en',
    wordsOf(
      'skill skills knowledge experience experienced proficient proficiency qualified competence able ability responsible required ' +
        'wanted needed hiring seeking workshop class classes',
    ),
  ],
  [
    'fr',
    wordsOf(
      'competence competences connaissance connaissances maitrise maitrisant maitriser experience exige exigee requis requise capable ' +
        'responsable recherchons cherchons recrutons atelier stage',
    ),
  ],
]);
const PERSONAL = wordsOf('i im ive id my me je j mon ma mes moi');
/** Words that talk among people has, beside those of persons, and a list of what is taught or required seldom. */
const TALKING = wordsOf(
  'he hes she shes it its they theyre his her today tomorrow tonight yesterday monday tuesday wednesday thursday friday saturday ' +
    'sunday weekend morning night lunch il elle ils elles ca c hier demain aujourd soir matin midi lundi mardi mercredi jeudi ' +
    'vendredi samedi dimanche',
);
/** English words of closed classes that are not among the function words: none of them names a thing. */
const LOOSE = wordsOf(
  'about above across after again all also although always any because before below between both can could down during each ' +
    'every few here into it just less many may might more most much must never no not now off often once only onto or out over ' +
    'own per should since some soon still such than then though through today together tomorrow tonight too toward towards ' +
    'twice under until up upon very via well while whose will within without would yet',
);
/** What stands behind these belongs to what is before them, in French. */
const GENITIVES = wordsOf('de d du des');
const ARTICLES = wordsOf('le la l les');

/** What a word says, as bits; `none` is there in all that are known. */
const sayings = { none: 1, wish: 2, requirement: 4, person: 8, talk: 16 } as const;

const NUMBER = /^\d{1,3}$/;
const CUT = wordMarks.comma | wordMarks.clause;
/** Words that may stand between a word of asking and what is asked for. */
const FAR = 4;

/** Where a place is. */
export interface Around {
  readonly window: TextWindow;
  /** The window as the label's language reads it. */
  readonly content: WindowContent;
}

/** By ordinal: 1 for words that say something in some language; nearly all say nothing, and are not read. */
export function markSayings({ words, findWord }: Pick<Lexicon, 'words' | 'findWord'>): Uint8Array {
  const marks = new Uint8Array(words.length);
  for (const word of [
    ...listRequestWords(),
    ...[...REQUIRING.values()].flatMap((own) => [...own]),
    ...PERSONAL,
    ...TALKING,
  ]) {
    const ordinal = findWord(word);
    if (ordinal !== NONE) marks[ordinal] = 1;
  }
  return marks;
}

/** What the words around a label tell of whether it is meant.
 *  @param lang of the text, a two-letter code
 *  @param saysSomething of `markSayings` */
export function createSentenceSigns(
  { words, wordAt, marks }: Pick<ReadText, 'words' | 'wordAt' | 'marks'>,
  lang: string,
  saysSomething: Uint8Array,
) {
  const requiring = REQUIRING.get(lang);
  const known = new Uint8Array(words.length);

  /** What a word says whatever it stands beside; found out once. */
  function sayingOf(place: number): number {
    const ordinal = words[place]!;
    if (ordinal < saysSomething.length && saysSomething[ordinal] === 0) return sayings.none;
    let saying = known[place]!;
    if (saying === 0) {
      const word = wordAt(place);
      saying = sayings.none;
      if (asksForLearning(word, lang)) saying |= sayings.wish;
      if (requiring?.has(word) === true) saying |= sayings.requirement;
      if (PERSONAL.has(word)) saying |= sayings.person;
      if (TALKING.has(word)) saying |= sayings.talk;
      known[place] = saying;
    }
    return saying;
  }

  const asks = (place: number) => (sayingOf(place) & (sayings.wish | sayings.requirement)) !== 0;

  function findFirst({ from, to }: TextWindow, saying: number): number {
    for (let place = from; place < to; place++) if ((sayingOf(place) & saying) !== 0) return place;
    return -1;
  }

  function beginsClause({ from }: Place, window: TextWindow): boolean {
    return from === window.from || (marks[from]! & CUT) !== 0;
  }

  function endsClause({ to }: Place, window: TextWindow): boolean {
    return to + 1 === window.to || (marks[to + 1]! & CUT) !== 0;
  }

  /** `Week 3: …`, `Jour 2 – …` */
  function isHeading({ from, to }: TextWindow): boolean {
    return from + 2 < to && (marks[from + 2]! & wordMarks.clause) !== 0 && NUMBER.test(wordAt(from + 1));
  }

  return {
    /** Whether any word asks for learning, or requires something. */
    isAsking: (window: TextWindow) => findFirst(window, sayings.wish | sayings.requirement) >= 0,
    /** Whether any word is one of talk among people. */
    isTalk: (window: TextWindow) => findFirst(window, sayings.person | sayings.talk) >= 0,
    /** Whether a word of asking stands shortly before or right behind, or the sentence is a numbered heading.
     *  @param toLearn only what asks for learning counts, not what requires */
    isAskedFor(place: Place, { window, content, toLearn }: Around & { readonly toLearn: boolean }): boolean {
      if (isHeading(window)) return true;
      const wanted = toLearn ? sayings.wish : sayings.wish | sayings.requirement;
      if (!endsClause(place, window) && (sayingOf(place.to + 1) & wanted) !== 0) return true;
      let others = 0;
      for (let at = place.from - 1; at >= window.from && others <= FAR; at--) {
        if ((marks[at + 1]! & wordMarks.clause) !== 0) return false;
        if ((sayingOf(at) & wanted) !== 0) return true;
        if (content.places.includes(at)) others++;
      }
      return false;
    },
    /** Whether somebody only then says what they want to learn. */
    isBeforeWish: ({ to }: Place, window: TextWindow) => findFirst(window, sayings.wish) > to,
    isPersonal: (window: TextWindow) => findFirst(window, sayings.person) >= 0,
    /** Whether it is somebody's own thing: `change my tyres`. */
    isOwned({ from, to }: Place): boolean {
      for (let at = from + 1; at < to; at++) if ((sayingOf(at) & sayings.person) !== 0) return true;
      return false;
    },
    /** An item of a list, without so much as an article. */
    isAlone: (place: Place, window: TextWindow) => beginsClause(place, window) && endsClause(place, window),
    /** Written with a capital that no beginning of a sentence asks for. */
    hasOwnCapital: ({ from }: Place, window: TextWindow) =>
      from > window.from && (marks[from]! & wordMarks.capital) !== 0,
    /** English: whether this is only the first part of a name, as `first aid` of `first aid kit`. */
    isFollowed(place: Place, { window, content }: Around): boolean {
      if (endsClause(place, window) || !content.places.includes(place.to + 1)) return false;
      return !asks(place.to + 1) && !LOOSE.has(wordAt(place.to + 1));
    },
    /** French: whether this only tells what another thing is of, as `sécurité` in `consignes de sécurité`. */
    isOfAnother({ from }: Place, { window, content }: Around): boolean {
      let held = from;
      for (;;) {
        const genitive = held > window.from && ARTICLES.has(wordAt(held - 1)) ? held - 2 : held - 1;
        const holder = genitive - 1;
        if (holder < window.from || !GENITIVES.has(wordAt(genitive)) || !content.places.includes(holder))
          break;
        // `cours du soir de couture`
        if (asks(holder) || isRequestWordOf(wordAt(holder), lang)) return false;
        held = holder;
      }
      return held < from;
    },
  };
}
