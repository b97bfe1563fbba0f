import { bloomObjectives, learningObjectTypes } from '#domain/learning-object';
import { type ObjectMark, objectMarks } from '#domain/object-facts';
import { languageCodes } from '#domain/query-intent/language-learning';
import type { NamedFilterKey, TypedFilter } from '#domain/query-intent/query-grammar';
import { countTypos, foldText } from '#domain/text';
import type { Clock } from '#ports/clock';
import type { Lists } from '#services/searching/discovery/results';
import { writeBloomFact, writeMark, writeTypeFact } from '../object-view/facts.ts';
import { type Languages, type Locale, locales, readLanguages } from '../words/i18n.ts';
import { findLanguageName } from '../words/language-names.ts';

export interface Named {
  readonly value: string;
  readonly names: readonly string[];
  /** The name that people read, by locale; absent: the value. */
  readonly shown?: Readonly<Record<string, string>>;
}

/** A shorter part of a name could mean too much, and is in too many. */
const MIN_PART_LENGTH = 3;

/** By the name, its beginning or a part, ignoring case, accents, blanks and plural; else null. */
export function matchFilterName(typed: string, choices: readonly Named[]): string | null {
  const squeezed = squeezeFilterName(typed);
  if (squeezed === '') return null;
  const having = (fits: (name: string) => boolean) =>
    choices.filter((choice) => listFilterNames(choice).some((name) => fits(squeezeFilterName(name))));
  const exact = [squeezed, toSingularName(squeezed)].flatMap((each) => having((name) => name === each));
  if (exact[0]) return exact[0].value;
  if (squeezed.length < MIN_PART_LENGTH) return null;
  const begun = having((name) => name.startsWith(squeezed));
  const fitting = begun.length > 0 ? begun : having((name) => name.includes(squeezed));
  const [only, ...others] = fitting;
  return only === undefined || others.length > 0 ? null : only.value;
}

export const findNearFilterNames = (typed: string, choices: readonly Named[]): Named[] =>
  findNearestFilterNames(squeezeFilterName(typed), choices, (choice) => listFilterNames(choice).map(squeezeFilterName));

const listFilterNames = ({ value, names, shown = {} }: Named) => [value, ...Object.values(shown), ...names];
const squeezeFilterName = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
const toSingularName = (text: string): string => text.replace(/[sx]$/, '');

/** Choices that contain the typed, folded text or differ in a letter or two, nearest first. */
export function findNearestFilterNames<T>(
  typed: string,
  choices: readonly T[],
  textsOf: (choice: T) => readonly string[],
): T[] {
  const distances = choices.map((choice) => ({
    choice,
    distance: Math.min(...textsOf(choice).map((text) => measureNameDistance(typed, text))),
  }));
  const near = distances.filter(({ distance }) => distance <= countFilterNameMistakes(typed));
  return near.sort((a, b) => a.distance - b.distance).map(({ choice }) => choice);
}

const countFilterNameMistakes = ({ length }: string): number => (length < 3 ? 0 : length < 5 ? 1 : 2);

function measureNameDistance(typed: string, text: string): number {
  if (typed.length >= MIN_PART_LENGTH && text.includes(typed)) return 0;
  return Math.abs(typed.length - text.length) > 2 ? Number.POSITIVE_INFINITY : countTypos(typed, text);
}

/** Names in every language of the host; of languages also their native names. */
export type ValueNames = Readonly<Record<NamedFilterKey, readonly Named[]>>;

export function nameFilterValues(
  lists: Omit<Lists, 'missing'>,
  { translatorOf }: Pick<Languages, 'translatorOf'>,
  clock: Clock,
): ValueNames {
  return {
    type: sortFilterNamesByUse(listNamedFilterValues(lists.types, learningObjectTypes)).map((value) =>
      named(value, (locale) => writeTypeFact(value, translatorOf(locale)), typeSynonyms[value]),
    ),
    bloom: listNamedFilterValues(lists.blooms, bloomObjectives).map((value) =>
      named(value, (locale) => writeBloomFact(value, translatorOf(locale))),
    ),
    lang: listNamedFilterValues(lists.languages, locales).map((value) =>
      named(value, (locale) => findLanguageName(value, locale), [nameLanguageNatively(value)]),
    ),
    provider: lists.providers.map(({ id, name }) => named(id, () => name)),
    level: levelNames,
    has: objectMarks.map((mark) => named(mark, (locale) => writeMark(mark, translatorOf(locale)), markSynonyms[mark])),
    since: yearNames(clock),
    price: priceNames,
    sort: sortNames,
  };
}

let usualValues: ValueNames | undefined;

/** The values of the specification, and the providers of a list. */
export function nameUsualFilterValues(providers: Lists['providers'], clock: Clock): ValueNames {
  usualValues ??= nameFilterValues(
    { types: [], blooms: [], languages: languageCodes.map((value) => ({ value, description: '' })), providers: [] },
    readLanguages(),
    clock,
  );
  return { ...usualValues, provider: providers.map(({ id, name }) => named(id, () => name)), since: yearNames(clock) };
}

/** Folded, in the languages of the host. */
const anyWords: ReadonlySet<string> = new Set(
  'any all tous toutes alle jede beliebig todos todas cualquiera'.split(' '),
);

/** Whether a filter is taken back: `lang:any`. */
export const isAnyFilterValue = ({ values }: TypedFilter): boolean =>
  values.every((value) => anyWords.has(foldText(value)));

/** The values of a list; where it cannot be read now, those of the specification. */
export const listNamedFilterValues = (list: Lists['types'], usual: readonly string[]): readonly string[] =>
  list.length > 0 ? list.map(({ value }) => value) : usual;

function named(value: string, nameIn: (locale: Locale) => string, others: readonly string[] = []): Named {
  const shown = Object.fromEntries(locales.map((locale) => [locale, nameIn(locale)]));
  return { value, shown, names: others };
}

/** Frequent types first, as hints name the first ones. */
const sortFilterNamesByUse = (types: readonly string[]): string[] => [
  ...new Set([...typesByUse.filter((type) => types.includes(type)), ...types]),
];

const typesByUse = ['video', 'article', 'mooc', 'book', 'podcast', 'tutorial', 'training'];

/** A service may send malformed codes. */
const nameLanguageNatively = (code: string): string =>
  /^[a-z]{2,3}$/i.test(code) ? findLanguageName(code, code) : code;

/** What people call a type, in each language of the host. */
const typeSynonyms: Readonly<Record<string, readonly string[]>> = {
  app: ['application', 'software', 'logiciel', 'anwendung', 'aplicación'],
  article: ['text', 'texte', 'paper', 'post', 'blog', 'read', 'reading', 'lecture', 'aufsatz', 'beitrag', 'texto'],
  book: ['manual', 'textbook', 'handbook', 'manuel', 'ouvrage', 'lehrbuch', 'handbuch'],
  'career profile': ['job', 'occupation', 'career', 'métier', 'beruf', 'profession', 'oficio', 'fiche métier'],
  'distance learning': ['online course', 'elearning', 'e-learning', 'fernkurs', 'cours en ligne', 'curso en línea'],
  ebook: ['epub', 'pdf', 'kindle'],
  mooc: ['course', 'cours', 'kurs', 'curso', 'class'],
  podcast: ['audio', 'radio', 'episode', 'hörbuch', 'son'],
  'serious game': ['quiz', 'simulation', 'simulación', 'lab', 'interactive', 'interactif', 'interaktiv'],
  training: ['workshop', 'seminar', 'séminaire', 'atelier', 'formation', 'schulung', 'taller', 'bootcamp'],
  tutorial: ['how-to', 'howto', 'guide', 'lesson', 'leçon', 'tuto', 'anleitung', 'lektion', 'guía', 'lección'],
  video: 'movie film clip documentary documentaire dokumentarfilm película screencast webcast talk'.split(' '),
  website: ['site', 'web', 'page', 'webpage', 'portal', 'portail', 'webseite', 'seite', 'página', 'sitio'],
};

/** Folded, in each language of the host. */
const levelNames: readonly Named[] = [
  {
    value: 'beginner',
    names: ['beginners', 'basic', 'basics', 'easy', 'introductory', 'facile', 'einfach', 'leicht', 'facil'],
    shown: { fr: 'débutant', de: 'Anfänger', es: 'principiante' },
  },
  {
    value: 'intermediate',
    names: ['medium', 'moyen', 'medio'],
    shown: { fr: 'intermédiaire', de: 'Mittel', es: 'intermedio' },
  },
  {
    value: 'advanced',
    names: ['expert', 'difficult', 'difficile', 'experten', 'dificil', 'experto'],
    shown: { fr: 'avancé', de: 'Fortgeschrittene', es: 'avanzado' },
  },
];

/** Also the values of `free:`. */
const priceNames: readonly Named[] = [
  {
    value: 'free',
    names: ['gratuite', 'yes', 'oui', 'true', 'gratis', 'ja', 'si'],
    shown: { fr: 'gratuit', de: 'kostenlos', es: 'gratuito' },
  },
  {
    value: 'paid',
    names: ['payante', 'pago', 'no', 'non', 'false', 'bezahlt', 'nein'],
    shown: { fr: 'payant', de: 'kostenpflichtig', es: 'de pago' },
  },
];

const FIRST_YEAR = 1900;

/** The latest first, as hints name the first ones. */
function yearNames(clock: Clock): readonly Named[] {
  const year = clock.now().getFullYear();
  return Array.from({ length: year - FIRST_YEAR + 1 }, (_, ago) => ({ value: `${year - ago}`, names: [] }));
}

const markSynonyms: Readonly<Record<ObjectMark, readonly string[]>> = {
  mayShare: ['share', 'partage', 'teilen', 'compartir'],
  mayAdapt: ['adapt', 'edit', 'open', 'adaptation', 'bearbeiten', 'adaptar'],
  captions: ['subtitles', 'transcript', 'sous-titres', 'untertitel', 'subtitulos'],
};

const sortNames: readonly Named[] = [
  {
    value: 'popularity',
    names: ['popular', 'best', 'meilleur', 'beliebt'],
    shown: { fr: 'popularité', de: 'Beliebtheit', es: 'popularidad' },
  },
  {
    value: 'shortest',
    names: ['short', 'length', 'duration', 'durée', 'dauer', 'duracion'],
    shown: { fr: 'court', de: 'kürzeste', es: 'corto' },
  },
  { value: 'random', names: ['aléatoire'], shown: { fr: 'hasard', de: 'Zufall', es: 'azar' } },
  { value: 'newest', names: ['new', 'date'], shown: { fr: 'récent', de: 'neueste', es: 'reciente' } },
];
