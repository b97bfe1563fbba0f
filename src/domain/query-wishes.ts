import type { LearningObjectType } from './learning-object.ts';
import { type levels, MAX_WORDS_LENGTH, PLACED_TYPE, type WishKind } from './learning-object-query.ts';
import { findAudiences } from './query-intent/audience.ts';
import { findLearntLanguage, isForLanguageLearners, type LearntLanguage } from './query-intent/language-learning.ts';
import { type FindCity, type ReadPlace, readQueryPlace } from './query-intent/place.ts';
import { findRequest } from './query-intent/request.ts';
import { foldText, toOneLine } from './text.ts';

export type QueryWish =
  | { readonly kind: 'level'; readonly level: keyof typeof levels }
  | { readonly kind: 'type'; readonly types: readonly LearningObjectType[] }
  | { readonly kind: 'free' }
  /** The longest time. */
  | { readonly kind: 'length'; readonly minutes: number }
  /** Names as typed: `nurses`. */
  | { readonly kind: 'audience'; readonly names: readonly string[] }
  | ReadPlace['wish'];

export interface ReadQuery {
  /** The query without wishes; the whole query if it has only wishes. */
  readonly topic: string;
  /** Audience and clauses around a request. They add to the score, but need not match. */
  readonly context?: string;
  readonly learns?: LearntLanguage;
  /** At most one of each kind. Empty if the query has only wishes: they are then the topic. */
  readonly wishes: readonly QueryWish[];
}

interface Rule {
  /** Matches the folded text; its words are removed from the topic. */
  readonly pattern: RegExp;
  wish(match: RegExpMatchArray): QueryWish | null;
}

/** Makes a pattern for whole words. */
const createWordsPattern = (list: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})(?![\\p{L}\\p{N}])`, 'gu');

/** Excludes things to make, which are subjects: `how to make videos`, `écrire un livre`. */
const NOT_MADE =
  '(?<!(?:make|making|create|creating|start|starting|write|writing|produce|producing|record|recording|creer|faire|produire|ecrire|lancer|enregistrer|monter)(?: (?:an?|your|my|une?|des|son|sa|ses|mon|mes|vos))? )';

const levelWishRule = (list: string, name: keyof typeof levels): Rule => ({
  pattern: createWordsPattern(list),
  wish: () => ({ kind: 'level', level: name }),
});

const typeWishRule = (list: string, ...types: LearningObjectType[]): Rule => ({
  pattern: createWordsPattern(list),
  wish: () => ({ kind: 'type', types }),
});

const NUMBERS: Readonly<Record<string, string>> = {
  '0.5': 'half demi',
  '1': 'a an one un une ein eine einer una',
  '2': 'two deux zwei dos',
  '3': 'three trois drei tres',
  '5': 'five cinq funf cinco',
  '10': 'ten dix zehn diez',
  '15': 'fifteen quinze funfzehn quince',
  '20': 'twenty vingt zwanzig veinte',
  '30': 'thirty trente dreissig treinta',
};
const numberOf = new Map(
  Object.entries(NUMBERS).flatMap(([number, names]) => names.split(' ').map((name) => [name, Number(number)] as const)),
);

/** Minutes of a unit, by its first letter; a day is a day of learning. */
const UNITS: Readonly<Record<string, number>> = { m: 1, h: 60, s: 60, j: 420, d: 420, t: 420 };

/** Excludes times of day, such as `at 16h30`, and the `25 h` of `1.25 h`. */
const NO_LENGTH = String.raw`(?<!\d[.,])(?!(?<=(?:^|[^\p{L}])(?:a|at|vers|des) )(?:[7-9]|1\d|2[0-3]) ?h)`;

const LENGTH = createWordsPattern(
  [
    NO_LENGTH,
    "(?:(?:in|under|within|en|de|less than|at most|max(?:imum)?|moins (?:de|d)|(?:pas plus|maximum) (?:de|d)|up to|about|environ|weniger als|unter|hochstens|maximal|menos de|maximo)[ ’']*)*",
    '(?:une? (?=demi))?',
    `(\\d{1,3}(?:[.,]\\d{1,2})?|half an?|${[...numberOf.keys()].join('|')})( and a half)?`,
    '[ -]?(min(?:ut[eo])?[sn]?|mn|h(?:eure|our|ora|r)?s?|stunden?|std|journees?|jours?|dias?|tagen?|days?)(?! du mans|/\\d)',
    '( and a half| et demie?)?',
    // `1h30`; `2 h 50 euros` contains a price.
    '(?:(?<=\\d ?h(?:eures?)?) ?([0-5]\\d)(?: ?(?:min(?:ute)?s?|mn))?(?! ?(?:[€$%]|euros?|eur|dollars?|people|persons?|personnes?|ans?|years?)|\\d)',
    '|(?<=h\\w*) ?(?:(?:and|et) )?([0-5]?\\d) ?(?:min(?:ute)?s?|mn))?',
    '(?: (?:max(?:imum)?|or less|ou moins|long))?',
  ].join(''),
);

/** A longer time without a word such as `under` may be a subject: `24 hour urine`, `35 heures`. */
const LONGEST_ALONE = 2 * 420;
const AT_MOST =
  /^(?:in|under|within|en|less|at most|max|moins|pas plus|up to|about|environ|weniger|unter|hochstens|maximal|menos)(?![\p{L}\p{N}])/u;

/** Applied in order; later rules do not see words that were read. Lookarounds protect subjects with
 *  such words: `base de données`, `video editing`, `free software`. */
const rules: readonly Rule[] = [
  {
    pattern: LENGTH,
    wish([whole, number = '', half, unit = '', halfAfter, ...more]) {
      const [named = ''] = number.split(' ');
      const count = (Number(number.replace(',', '.')) || numberOf.get(named) || 0) + (half || halfAfter ? 0.5 : 0);
      const minutes = Math.round(count * (UNITS[unit.slice(0, 1)] ?? 0)) + Number(more.find(Boolean) ?? 0);
      const isLength = AT_MOST.test(whole) ? minutes > 0 : minutes >= 5 && minutes <= LONGEST_ALONE;
      return isLength ? { kind: 'length', minutes } : null;
    },
  },
  levelWishRule(
    'for (?:absolute |complete )?(?:beginners?|dummies)|(?:absolute |complete |total )?beginners?|beginner level|newbies?|introduction (?:to|a|au|aux|to the)|intro (?:to|a)|^ *introduction(?! (?:letters?|emails?|speech))|introduction *$|introductory|intro|initiation (?:a|au|aux)|initiation|pour (?:les nuls?|nuls)|(?:grande?s? )?debutante?s?|niveau debutant|premiers pas|from scratch|de zero|a partir de zero|getting started(?: with)?|basics(?: of)?|notions de base|les bases (?:de|du|des|en)(?= (?!donnees))|bases (?:de|du|des|en)(?= (?!donnees))|first steps|(?:fur )?(?:absolute )?(?:anfanger(?:innen)?|einsteiger(?:innen)?)|grundlagen (?:der|des|von)|grundkurs|einfuhrung in(?: (?:die|das|den))?|(?:para )?principiantes?|desde cero|introduccion (?:al?|a la)|iniciacion (?:al?|a la)|nivel (?:basico|inicial|principiante)|primeros pasos(?: (?:en|con))?',
    'beginner',
  ),
  levelWishRule(
    "(?:for |in |at )?(?:primary|elementary) school(?! (?:teach\\w*|educat\\w*|manage\\w*|leader\\w*))|(?:(?:a|en|pour) )?(?:l['’])?ecole (?:primaire|elementaire)|(?<!\\b(?:care|caring|soins?) )(?:for |pour (?:les )?)(?:kids|children|enfants)(?! (?:with|avec|in need|who|qui|autistes?|malades?))",
    'beginner',
  ),
  levelWishRule(
    'intermediate|intermediaires?|niveau moyen|fur fortgeschrittene anfanger|mittelstufe|(?:nivel )?intermedi[oa]s?',
    'intermediate',
  ),
  levelWishRule(
    'advanced|graduate(?: level)?(?! (?:jobs?|schools?|schemes?|program\\w*|recruit\\w*))|postgraduate|master level|niveau master|avancee?s?|perfectionnement|niveau expert|expert level|approfondie?s?|(?:fur )?fortgeschrittene[rn]?|vertiefung|(?:nivel )?avanzad[oa]s?',
    'advanced',
  ),
  {
    pattern: createWordsPattern(
      'free of charge|for free|(?<!-|(?:gluten|sugar|dairy|lactose|smoke|stress|tax|duty) )free(?!-| (?:software|will|speech|time|body|trade|market|culture|hand|style|lance))|gratuite?s?|gratuitement|sans payer|gratis|kostenlos(?:e[rns]?)?|kostenfrei(?:e[rns]?)?|umsonst|gratuit[oa]s?|sin coste',
    ),
    wish: () => ({ kind: 'free' }),
  },
  typeWishRule(
    `${NOT_MADE}(?<!(?:jeux?|montage|edition|production) )videos?(?! (?:editing|games?|gaming|montage|production|marketing|surveillance|design|calls?|conferenc\\w*|en ligne))(?: (?:on|about|sur|pour))?`,
    'video',
  ),
  typeWishRule(`${NOT_MADE}podcasts?(?! production)(?: (?:on|about|sur|pour))?`, 'podcast'),
  typeWishRule('moocs?(?: (?:on|about|sur|pour|en|de))?', 'mooc'),
  typeWishRule('e-?books?|livres? numeriques?|libros? electronicos?', 'ebook', 'book'),
  typeWishRule(
    `${NOT_MADE}(?:(?:text)?books?(?![ -]?(?:keeping|covers?|design|clubs?|publishing|binding|trade))(?: (?:on|about))?|livres?(?: sur)?|manuels? (?:de|sur)|(?:lehr|fach)?buch(?: (?:uber|zu|zum))?|(?:lehr|fach)bucher|libros?(?: (?:de|sobre))?)`,
    'book',
    'ebook',
  ),
  typeWishRule('serious games?|jeux? serieux|lernspiele?|juegos? serios?', 'serious game', 'app'),
  typeWishRule(
    '(?:interactive )?simulations?(?! (?:software|numerique))(?: (?:of|de|des|du))?|simulateurs?(?: (?:de|des|du))?|interactive (?:activit(?:y|ies)|simulations?|labs?|lessons?)(?: (?:on|about))?|interactifs?|simulation(?:en)?(?: (?:zu|zur|von))?|simulacion(?:es)?(?: (?:de|sobre))?',
    'app',
    'serious game',
  ),
  typeWishRule('fiches? metiers?(?: (?:de|du))?|job profiles?|career profiles?', 'career profile'),
  typeWishRule('(?:material )?safety (?:data )?sheets?|fiches? de (?:donnees de )?securite|sds', 'safety sheet'),
  typeWishRule(
    '(?<!physical )exercises?(?! (?:physiology|science|therapy|psychology|nutrition|medicine))(?: (?:on|in|for))?|exercices?(?: corriges?)?(?! physiques?)(?: (?:de|sur|en))?|worksheets?|ubungen(?: (?:zu|zur|zum))?|ubungsaufgaben|arbeitsblatt(?:er)?|ejercicios?(?: resueltos)?(?! fisicos?)(?: (?:de|sobre))?',
    'tutorial',
    'app',
    'website',
  ),
  typeWishRule(
    'tutorials?(?: (?:on|for))?|tutos?(?: (?:de|sur))?|tutoriels?(?: (?:de|sur))?|tutorial(?:es)? (?:de|sobre)',
    'tutorial',
    'video',
    'mooc',
  ),
  typeWishRule('articles?(?! (?:\\d|of (?:association|incorporation)))(?: (?:on|about|sur))?', 'article'),
  typeWishRule(
    'online (?:course|class|training)(?:e?s)?|cours en ligne|formations? en ligne|e-?learning|online-?kurse?|kurse? online|cursos? (?:online|en linea)',
    'mooc',
    'distance learning',
  ),
  typeWishRule(
    'face to face|in person|en presentiel|presentielle?s?|prasenz(?:kurs|seminar|unterricht)|vor ort|presencial(?:es)?',
    'training',
  ),
  // In person, without a place.
  typeWishRule(
    "near me|close to me|(?:pres|proche|autour) de (?:chez )?moi|pres d['’]ici|in meiner nahe|cerca de mi",
    PLACED_TYPE,
  ),
];

/** Words about which the catalogue has no data, and which are not a topic. */
const OTHER_WORDS = createWordsPattern(
  'with (?:a )?certificates?|certificates?|mit zertifikat|con certificado|avec (?:un )?certificat|certifiante?s?|cheap|pas cher|please|svp|s il vous plait|undergraduate|(?:with|and) (?:answers?|solutions?)(?: key)?|(?:avec|et) (?:corrections?|corriges?|solutions?)|(?:mit|und) (?:musterlosung(?:en)?|losung(?:en)?)|(?:con|y) (?:soluciones|respuestas)|licence [123]|[lm][123](?! (?:cache|mac\\w*|chips?|support|visa))',
);

/** Things that somebody does without, which are not a subject: `machine learning ohne Mathe`. In
 *  some names they are: `cuisine sans gluten`. */
const LACKED =
  /(?<![\p{L}\p{N}])(?:without|sans|ohne|sin)(?<=\p{L}.*\s\w+)\s(?!\s*(?:abri|alcool|alcohol|contact|driver|fil|fronti\w+|gluten\w*|lactose|laktose|lactosa|papiers?|stress|sucre|azucar|zucker)(?!\p{L}))[^,.;:!?]+/gu;

/** A course and the theme of one of its lessons: `Français A2 : la santé`. */
const LESSON = /^([^:]{2,100}?)\s?:\s+(?=\S)/u;

/** Reads the topic and the wishes of a query. Wishes are preferences, which never exclude.
 *  @param without kinds of wishes to ignore; their words are not in the topic either
 *  @param findCity absent reads no places
 *  @example readQueryWishes('excel pour débutants')
 *  // { topic: 'excel', wishes: [{ kind: 'level', level: 'beginner' }] } */
export function readQueryWishes(query: string, without: readonly WishKind[] = [], findCity?: FindCity): ReadQuery {
  const lesson = readLanguageLesson(query, without, findCity);
  if (lesson !== null) return lesson;
  if (query.length > MAX_WORDS_LENGTH) return readWishAsTopic(query);
  // Letter by letter, so that offsets are the same in both texts.
  const folded = query.split('').map(foldLetter).join('');
  if (folded.length !== query.length) return readWishAsTopic(query);
  const reading: QueryReading = { query, remaining: folded, wishes: [] };
  const levelNames = readRuleWishes(reading);
  for (const pattern of [OTHER_WORDS, LACKED])
    for (const { 0: words, index } of reading.remaining.matchAll(pattern))
      blankRange(reading, index, index + words.length);
  const request = findRequest(reading.remaining);
  const audienceNames = readAudienceWish(reading, request !== null);
  if (findCity !== undefined) readPlaceWish(reading, findCity);
  const show = (from = 0, to = query.length) => toOneLine(showRange(reading, from, to));
  const { from, start, end } = request ?? { from: 0, start: 0, end: query.length };
  const topic = show(start, end).replace(LEADING, '').replace(TRAILING, '');
  if (isFiller(topic))
    return request === null ? readWishAsTopic(query) : readWishAsTopic(show().replace(LEADING, '') || query);
  const context = [
    ...(without.includes('audience') ? [] : audienceNames),
    ...(without.includes('level') ? [] : levelNames),
    ...(request === null ? [] : [show(0, from), show(end)].filter((words) => !isFiller(words))),
  ].join(' ');
  const learns = findLearntLanguage(foldText(topic));
  return {
    topic,
    ...(context !== '' && { context }),
    ...(learns !== null && { learns }),
    wishes: reading.wishes.filter(({ kind }) => !without.includes(kind)),
  };
}

interface QueryReading {
  readonly query: string;
  /** The folded query, of the same length, with spaces instead of words that were read. */
  remaining: string;
  readonly wishes: QueryWish[];
}

/** Reads the wishes of the rules. @returns words for a higher level: titles of advanced objects
 *  have such words, those for beginners mostly do not */
function readRuleWishes(reading: QueryReading): readonly string[] {
  const { query, wishes } = reading;
  const levelNames: string[] = [];
  for (const { pattern, wish } of rules) {
    for (const match of reading.remaining.matchAll(pattern)) {
      const result = wish(match);
      if (result === null) continue;
      const end = match.index + match[0].length;
      // Denied wishes (`not free`) are neither wishes nor topic.
      const denied = DENIAL.exec(reading.remaining.slice(0, match.index));
      if (denied === null && !wishes.some(({ kind }) => kind === result.kind)) {
        wishes.push(result);
        if (result.kind === 'level' && result.level !== 'beginner') levelNames.push(query.slice(match.index, end));
      }
      blankRange(reading, denied?.index ?? match.index, end);
    }
  }
  return levelNames;
}

/** @returns the names of audiences */
function readAudienceWish(reading: QueryReading, isRequest: boolean): readonly string[] {
  const names: string[] = [];
  for (const { start, end, nameStart, nameEnd } of findAudiences(reading.remaining, isRequest)) {
    names.push(toOneLine(showRange(reading, nameStart, nameEnd)));
    blankRange(reading, start, end);
  }
  if (names.length > 0) reading.wishes.push({ kind: 'audience', names });
  return names;
}

function readPlaceWish(reading: QueryReading, findCity: FindCity): void {
  const { query, remaining, wishes } = reading;
  const place = readQueryPlace(showRange(reading, 0, query.length), remaining, findCity);
  if (place === null) return;
  wishes.push(place.wish);
  blankRange(reading, place.start, place.end);
}

/** Reads a language course with the theme of a lesson, `English B1: at work`; null for others. */
function readLanguageLesson(query: string, ...options: [readonly WishKind[], FindCity?]): ReadQuery | null {
  const [beginning = '', course] = LESSON.exec(query) ?? [];
  if (course === undefined) return null;
  const read = readQueryWishes(course, ...options);
  const context = `${read.context ?? ''} ${query.slice(beginning.length)}`.trim();
  return isLanguageCourse(course, read) ? { ...read, context } : null;
}

/** Returns whether a title is that of a course for people who do not speak the language. */
export const isLanguageCourse = (title: string, { learns, wishes }: ReadQuery): boolean =>
  learns !== undefined && isForLanguageLearners(foldText(title), wishes.map(({ kind }) => kind).includes('audience'));

/** Reads a query that has only a topic. */
function readWishAsTopic(topic: string): ReadQuery {
  const learns = findLearntLanguage(foldText(topic));
  return { topic, ...(learns !== null && { learns }), wishes: [] };
}

/** Returns a part of the query, with spaces instead of words that were read. */
const showRange = ({ query, remaining }: QueryReading, from: number, to: number) =>
  query.slice(from, to).replace(/[\s\S]/g, (letter, at: number) => (remaining[from + at] === ' ' ? ' ' : letter));

const isFiller = (text: string) => !/[\p{L}\p{N}]{2}/u.test(text.replace(FILLERS, ''));

const DENIAL =
  /(?<![\p{L}\p{N}])(?:without|sans|not|no|non|pas (?:de|d|pour|en))[ ’'](?:any |an? |les? |des? |une? )?$/u;

const LEADING = /^(?:[,;:.]|(?:about|on|of|for|to|sur|de|du|des|pour|en)(?=\s))\s+(?=\S)/i;

const TRAILING =
  /(?:\s+(?:for|about|on|in|with|to|and|pour|sur|en|et|avec|für|über|mit|und|para|sobre|con|y)|[\s,;:])+$/i;

const FILLERS =
  /(?<![\p{L}\p{N}])(?:a|an|the|of|for|in|on|to|with|how|make|learn|comment|faire|apprendre|de|du|des|d|l|la|le|les|un|une|en|pour|sur|au|aux|avec)(?![\p{L}\p{N}])/giu;

const foldLetter = (letter: string): string => {
  const folded = foldText(letter);
  return folded.length === letter.length ? folded : letter.toLowerCase();
};

function blankRange(reading: QueryReading, start: number, end: number): void {
  const { remaining } = reading;
  reading.remaining = remaining.slice(0, start) + ' '.repeat(end - start) + remaining.slice(end);
}
