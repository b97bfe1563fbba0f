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

export interface NamedValue {
  readonly value: string;
  /** Synonyms, which are recognised but not shown. */
  readonly names: readonly string[];
  /** Names to show, by locale; the value is shown if they are absent. */
  readonly shown?: Readonly<Record<string, string>>;
}

/** Shorter parts are in too many names. */
const MIN_PART_LENGTH = 3;

/** Finds the value with the typed name, or the only one whose name begins with or contains it. */
export function matchFilterName(typed: string, choices: readonly NamedValue[]): string | null {
  const squeezed = squeezeFilterName(typed);
  if (squeezed === '') return null;
  const selectNamed = (fits: (name: string) => boolean) =>
    choices.filter((choice) => listFilterNames(choice).some((name) => fits(squeezeFilterName(name))));
  const spellings = [squeezed, toSingularName(squeezed)];
  const [exact] = spellings.flatMap((spelling) => selectNamed((name) => name === spelling));
  if (exact !== undefined) return exact.value;
  if (squeezed.length < MIN_PART_LENGTH) return null;
  const beginning = selectNamed((name) => name.startsWith(squeezed));
  const fitting = beginning.length > 0 ? beginning : selectNamed((name) => name.includes(squeezed));
  return fitting.length === 1 ? (fitting[0]?.value ?? null) : null;
}

/** Like `findNearestFilterNames`, for values by all of their names. */
export const findNearFilterNames = (typed: string, choices: readonly NamedValue[]): NamedValue[] =>
  findNearestFilterNames(squeezeFilterName(typed), choices, (choice) => listFilterNames(choice).map(squeezeFilterName));

const listFilterNames = ({ value, names, shown = {} }: NamedValue) => [value, ...Object.values(shown), ...names];
const squeezeFilterName = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
const toSingularName = (text: string): string => text.replace(/[sx]$/, '');

/** Lists choices that contain a folded text or almost do, the nearest first. */
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

function countFilterNameMistakes({ length }: string): number {
  if (length < 3) return 0;
  return length < 5 ? 1 : 2;
}

function measureNameDistance(typed: string, text: string): number {
  if (typed.length >= MIN_PART_LENGTH && text.includes(typed)) return 0;
  return Math.abs(typed.length - text.length) > 2 ? Number.POSITIVE_INFINITY : countTypos(typed, text);
}

/** The values of each filter with their names. */
export type ValueNames = Readonly<Record<NamedFilterKey, readonly NamedValue[]>>;

/** Names values in every language of the host, and languages also in their own language. */
export function nameFilterValues(
  lists: Omit<Lists, 'missing'>,
  { translatorOf }: Pick<Languages, 'translatorOf'>,
  clock: Clock,
): ValueNames {
  return {
    type: sortFilterNamesByUse(listNamedFilterValues(lists.types, learningObjectTypes)).map((value) =>
      nameFilterValue(value, (locale) => writeTypeFact(value, translatorOf(locale)), typeSynonyms[value]),
    ),
    bloom: listNamedFilterValues(lists.blooms, bloomObjectives).map((value) =>
      nameFilterValue(value, (locale) => writeBloomFact(value, translatorOf(locale))),
    ),
    lang: listNamedFilterValues(lists.languages, locales).map((value) =>
      nameFilterValue(value, (locale) => findLanguageName(value, locale), [nameLanguageNatively(value)]),
    ),
    provider: lists.providers.map(({ id, name }) => nameFilterValue(id, () => name)),
    level: levelNames,
    has: objectMarks.map((mark) =>
      nameFilterValue(mark, (locale) => writeMark(mark, translatorOf(locale)), markSynonyms[mark]),
    ),
    since: listYearNames(clock),
    price: priceNames,
    sort: sortNames,
  };
}

let usualValues: ValueNames | undefined;

/** Names the values of the specification, and the providers of a list. */
export function nameUsualFilterValues(providers: Lists['providers'], clock: Clock): ValueNames {
  usualValues ??= nameFilterValues(
    { types: [], blooms: [], languages: languageCodes.map((value) => ({ value, description: '' })), providers: [] },
    readLanguages(),
    clock,
  );
  const provider = providers.map(({ id, name }) => nameFilterValue(id, () => name));
  return { ...usualValues, provider, since: listYearNames(clock) };
}

/** Folded words for any value, in the languages of the host. */
const anyWords: ReadonlySet<string> = new Set(
  'any all tous toutes alle jede beliebig todos todas cualquiera'.split(' '),
);

/** Tells whether a filter stands for any value: `lang:any`. */
export const isAnyFilterValue = ({ values }: TypedFilter): boolean =>
  values.every((value) => anyWords.has(foldText(value)));

/** Returns the values of a list; if the list could not be read, those of the specification. */
export const listNamedFilterValues = (list: Lists['types'], usual: readonly string[]): readonly string[] =>
  list.length > 0 ? list.map(({ value }) => value) : usual;

function nameFilterValue(value: string, nameIn: (locale: Locale) => string, names: readonly string[] = []): NamedValue {
  const shown = Object.fromEntries(locales.map((locale) => [locale, nameIn(locale)]));
  return { value, shown, names };
}

/** Puts frequent types first, as hints name the first ones. */
const sortFilterNamesByUse = (types: readonly string[]): string[] => [
  ...new Set([...typesByUse.filter((type) => types.includes(type)), ...types]),
];

const typesByUse = ['video', 'article', 'mooc', 'book', 'podcast', 'tutorial', 'training'];

/** Names a language in that language, or returns a malformed code of an upstream as it is. */
const nameLanguageNatively = (code: string): string =>
  /^[a-z]{2,3}$/i.test(code) ? findLanguageName(code, code) : code;

/** Other words for types, in the languages of the host. */
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

/** Synonyms are folded, and in all languages of the host. */
const levelNames: readonly NamedValue[] = [
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

/** Synonyms include the values of the filter `free:`. */
const priceNames: readonly NamedValue[] = [
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

/** Lists years, the latest first, as hints name the first ones. */
function listYearNames(clock: Clock): readonly NamedValue[] {
  const year = clock.now().getFullYear();
  return Array.from({ length: year - FIRST_YEAR + 1 }, (_, ago) => ({ value: `${year - ago}`, names: [] }));
}

const markSynonyms: Readonly<Record<ObjectMark, readonly string[]>> = {
  mayShare: ['share', 'partage', 'teilen', 'compartir'],
  mayAdapt: ['adapt', 'edit', 'open', 'adaptation', 'bearbeiten', 'adaptar'],
  captions: ['subtitles', 'transcript', 'sous-titres', 'untertitel', 'subtitulos'],
};

const sortNames: readonly NamedValue[] = [
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
