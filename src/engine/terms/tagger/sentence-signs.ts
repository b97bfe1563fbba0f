import { asksForLearning, isRequestWordOf, listRequestWords } from '#engine/text/request-words';
import { parseWordLists } from '#engine/text/stopwords';
import type { Lexicon } from '../lexicon.ts';
import { NONE } from '../term-data.ts';
import type { Place, ReadText, TextWindow, WindowContent } from './read-text.ts';
import { wordMarks } from './word-scanner.ts';

const splitSignWords = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Folded words with which a text requires a skill, or announces that it is taught. */
const REQUIRING = parseWordLists({
  en:
    'skill skills knowledge experience experienced proficient proficiency qualified competence able ability responsible required ' +
    'wanted needed hiring seeking workshop class classes expertise competent familiar confident essential desirable',
  fr:
    'competence competences connaissance connaissances maitrise maitrisant maitriser experience exige exigee requis requise capable ' +
    'responsable recherchons cherchons recrutons atelier stage besoin exigence missions assurez maitrisez difficulte difficultes',
  de:
    'kenntnisse kenntnissen erfahrung erfahrungen fahigkeiten kompetenzen beherrscht beherrschen gesucht suchen brauchen brauche ' +
    'schulung weiterbildung fortbildung seminar workshop lernziele unterricht verantwortlich',
  es:
    'conocimiento conocimientos experiencia manejo dominio habilidades competencias busca buscamos requiere requisitos taller ' +
    'responsable formacion',
});
/** Wishes to learn beyond those of a search: to be better at something, to find it hard. */
const WISHING = parseWordLists({
  en: 'improve improving practise practising master mastering struggle struggles struggling refresher',
  fr: 'ameliorer progresser perfectionner aimerait aimeraient voudraient faudrait sache sachent',
  de: 'lernen lernt lerne verbessern uben einsteiger anfanger',
  es: 'necesito mejorar aprendan practicar dominar',
});
/** Words that ask how something is done, with the words after them: `how to`, `comment gérer`. */
const HOW: ReadonlyMap<string, RegExp> = new Map([
  ['how', /^(?:to|do|does|can|should)$/],
  ['comment', /(?:er|ir|re)$|^(?:bien|mieux)$/],
  ['wie', /^(?:man|kann|funktionier\w*)$/],
  ['como', /[aei]r$/],
]);
const CONJUNCTIONS = splitSignWords('and or et ou und oder y e o');
const PERSON_WORDS = splitSignWords('i im ive id my me je j mon ma mes moi');
/** Words that are common in talk between people, and rare in lists of skills. */
const TALK_WORDS = splitSignWords(
  'he hes she shes it its they theyre his her today tomorrow tonight yesterday monday tuesday wednesday thursday friday saturday ' +
    'sunday weekend morning night lunch il elle ils elles ca c hier demain aujourd soir matin midi lundi mardi mercredi jeudi ' +
    'vendredi samedi dimanche',
);
/** Words of conversations by language: past tenses, contractions, pronouns, `here`, `now`. They are
 *  rare in texts that ask for skills. `isChat` counts them together with the talk words. */
const CHAT_WORDS = parseWordLists({
  en:
    'him them was were had did been got went gone weve youve theyve youre youll theyll itll isnt arent wasnt werent dont doesnt ' +
    'didnt couldnt wouldnt havent hasnt hadnt cant lets here there thanks thank please sorry hi hello someone somebody anyone ' +
    'anybody everyone everybody nobody whoever again back down till until since ago',
  fr:
    'on etait etaient avait avaient ai as avons est sont fait va vais vont dit se s me toi tu te chez merci pardon bonjour salut ' +
    'quelqu tout tellement encore pas n y depuis maintenant',
});
/** A text is chat if at least this share of its words are talk words or chat words. */
const MIN_CHAT_SHARE = 0.06;
/** English words that name nothing, and that the index does not treat as function words. */
const EMPTY_WORDS = splitSignWords(
  'about above across after again all also although always any because before below between both can could down during each ' +
    'every few here into it just less many may might more most much must never no not now off often once only onto or out over ' +
    'own per should since some soon still such than then though through today together tomorrow tonight too toward towards ' +
    'twice under until up upon very via well while whose will within without would yet best better correctly effectively ' +
    'efficiently faster properly quickly safely work works',
);
/** In French, the noun after one of these words belongs to the noun before it. */
const GENITIVES = splitSignWords('de d du des');
const ARTICLES = splitSignWords('le la l les');

/** The signs of a word, as bits; `determined` tells that the word has been looked up. */
const wordSigns = { determined: 1, wish: 2, requirement: 4, person: 8, talk: 16, chat: 32 } as const;
const ASKING = wordSigns.wish | wordSigns.requirement;
/** A level of the European framework for languages. */
const LEVEL = /^[abc][12]$/;
const NUMBER = /^\d{1,3}$/;
const BREAK = wordMarks.comma | wordMarks.clause;
/** The most content words between a word of asking and the skill. */
const MAX_DISTANCE = 4;

/** What is around a place. */
interface Surroundings {
  readonly window: TextWindow;
  /** The window as it is read in the label's language. */
  readonly content: WindowContent;
}

/** Marks the words that are a sign in some language with 1, by ordinal. */
export function markSignWords({ words, findWord }: Pick<Lexicon, 'words' | 'findWord'>): Uint8Array {
  const marks = new Uint8Array(words.length);
  const requiring = [...REQUIRING.values()].flatMap((list) => [...list]);
  const chat = [...CHAT_WORDS.values(), ...WISHING.values()].flatMap((list) => [...list]);
  for (const word of [...listRequestWords(), ...requiring, ...HOW.keys(), ...PERSON_WORDS, ...TALK_WORDS, ...chat]) {
    const ordinal = findWord(word);
    if (ordinal !== NONE) marks[ordinal] = 1;
  }
  return marks;
}

export type SentenceSigns = ReturnType<typeof openSigns>;

/** @param lang the two-letter code of the text's language @param signWords those of
 *  `markSignWords` */
export function openSigns(
  { words, wordAt, marks }: Pick<ReadText, 'words' | 'wordAt' | 'marks'>,
  lang: string,
  signWords: Uint8Array,
) {
  /** By place in the text: the signs of the word, or 0 before they are determined. */
  const cache = new Uint8Array(words.length);
  return { words, wordAt, marks, lang, requiring: REQUIRING.get(lang), signWords, cache };
}

function readSigns(signs: SentenceSigns, place: number): number {
  const { words, wordAt, lang, requiring, signWords, cache } = signs;
  const ordinal = words[place]!;
  if (ordinal < signWords.length && signWords[ordinal] === 0) return wordSigns.determined;
  if (cache[place] !== 0) return cache[place]!;
  const word = wordAt(place);
  let bits: number = wordSigns.determined;
  if (asksForLearning(word, lang) || WISHING.get(lang)?.has(word) === true || asksHow(signs, word, place))
    bits |= wordSigns.wish;
  if (requiring?.has(word) === true) bits |= wordSigns.requirement;
  if (PERSON_WORDS.has(word)) bits |= wordSigns.person;
  if (TALK_WORDS.has(word)) bits |= wordSigns.talk;
  if (CHAT_WORDS.get(lang)?.has(word) === true) bits |= wordSigns.chat;
  cache[place] = bits;
  return bits;
}

function asksHow({ words, wordAt }: SentenceSigns, word: string, place: number): boolean {
  return place + 1 < words.length && HOW.get(word)?.test(wordAt(place + 1)) === true;
}

const hasSign = (signs: SentenceSigns, place: number, sign: number): boolean => (readSigns(signs, place) & sign) !== 0;

function findSign(signs: SentenceSigns, { from, to }: Pick<TextWindow, 'from' | 'to'>, sign: number): number {
  for (let place = from; place < to; place++) if (hasSign(signs, place, sign)) return place;
  return -1;
}

export function hasAskingSign(signs: SentenceSigns, window: TextWindow): boolean {
  return findSign(signs, window, ASKING) >= 0;
}

export function hasTalkSign(signs: SentenceSigns, window: TextWindow): boolean {
  return findSign(signs, window, wordSigns.person | wordSigns.talk) >= 0;
}

/** Tells whether a text is chat, by the share of its talk words and chat words. */
export function isChat(signs: SentenceSigns): boolean {
  const { length } = signs.words;
  let count = 0;
  for (let place = 0; place < length; place++) if (hasSign(signs, place, wordSigns.talk | wordSigns.chat)) count++;
  return count >= MIN_CHAT_SHARE * length;
}

export function hasPersonSign(signs: SentenceSigns, window: TextWindow): boolean {
  return findSign(signs, window, wordSigns.person) >= 0;
}

/** Tells whether a person word is inside the place: `change my tyres`. */
export function hasPersonSignBetween(signs: SentenceSigns, { from, to }: Place): boolean {
  return findSign(signs, { from: from + 1, to }, wordSigns.person) >= 0;
}

export function isBeforeWish(signs: SentenceSigns, { to }: Place, window: TextWindow): boolean {
  return findSign(signs, window, wordSigns.wish) > to;
}

/** Tells whether a word of asking is shortly before the place or right behind it, or the
 *  sentence is a numbered heading. @param toLearn only wishes to learn count, not requirements */
export function isAskedFor(
  signs: SentenceSigns,
  place: Place,
  { window, content, toLearn }: Surroundings & { readonly toLearn: boolean },
): boolean {
  if (isHeading(signs, window) || (toLearn && hasLevelSign(signs, window))) return true;
  const sign = toLearn ? wordSigns.wish : ASKING;
  if (!endsClause(signs, place, window) && hasSign(signs, place.to + 1, sign)) return true;
  let distance = 0;
  for (let at = place.from - 1; at >= window.from && distance <= MAX_DISTANCE; at--) {
    if ((signs.marks[at + 1]! & wordMarks.clause) !== 0) return false;
    if (hasSign(signs, at, sign)) return true;
    if (content.places.includes(at)) distance++;
  }
  return false;
}

function hasLevelSign({ wordAt }: SentenceSigns, { from, to }: TextWindow): boolean {
  for (let place = from; place < to; place++) if (LEVEL.test(wordAt(place))) return true;
  return false;
}

/** Tells whether a sentence begins with a numbered heading: `Week 3: …`, `Jour 2 – …`. */
function isHeading({ marks, wordAt }: SentenceSigns, { from, to }: TextWindow): boolean {
  return from + 2 < to && (marks[from + 2]! & wordMarks.clause) !== 0 && NUMBER.test(wordAt(from + 1));
}

/** Tells whether the place is a whole item of a list, without an article. */
export function isListItem(signs: SentenceSigns, place: Place, window: TextWindow): boolean {
  const beginsClause = place.from === window.from || (signs.marks[place.from]! & BREAK) !== 0;
  return beginsClause && endsClause(signs, place, window);
}

/** Tells whether the place is a whole item of a list joined by words: `python and docker`. */
export function isJoinedItem(signs: SentenceSigns, place: Place, window: TextWindow): boolean {
  const { wordAt } = signs;
  const isJoint = (at: number) => CONJUNCTIONS.has(wordAt(at));
  const begins = place.from === window.from || (signs.marks[place.from]! & BREAK) !== 0 || isJoint(place.from - 1);
  const ends = endsClause(signs, place, window) || isJoint(place.to + 1);
  return begins && ends;
}

function endsClause({ marks }: SentenceSigns, { to }: Place, window: TextWindow): boolean {
  return to + 1 === window.to || (marks[to + 1]! & BREAK) !== 0;
}

/** Tells whether the place begins with a capital that is not that of the sentence. */
export function beginsWithCapital({ marks }: SentenceSigns, { from }: Place, window: TextWindow): boolean {
  return from > window.from && (marks[from]! & wordMarks.capital) !== 0;
}

/** Tells whether the place is only the first part of an English compound, as `first aid` is in
 *  `first aid kit`. */
export function isCompoundPart(signs: SentenceSigns, place: Place, { window, content }: Surroundings): boolean {
  const next = place.to + 1;
  if (endsClause(signs, place, window) || !content.places.includes(next)) return false;
  return !hasSign(signs, next, ASKING) && !EMPTY_WORDS.has(signs.wordAt(next));
}

/** Tells whether the place only specifies another noun in French, as `sécurité` does in
 *  `consignes de sécurité`. A noun of asking does not count: `cours du soir de couture`. */
export function isGenitive(signs: SentenceSigns, { from }: Place, { window, content }: Surroundings): boolean {
  const { wordAt, lang } = signs;
  let specified = from;
  for (;;) {
    const hasArticle = specified > window.from && ARTICLES.has(wordAt(specified - 1));
    const preposition = hasArticle ? specified - 2 : specified - 1;
    const noun = preposition - 1;
    if (noun < window.from || !GENITIVES.has(wordAt(preposition)) || !content.places.includes(noun)) break;
    if (hasSign(signs, noun, ASKING) || isRequestWordOf(wordAt(noun), lang)) return false;
    specified = noun;
  }
  return specified < from;
}
