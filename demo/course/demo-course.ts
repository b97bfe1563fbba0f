import type { Request } from 'express';
import { chooseLocale, type Languages, type Locale, type Translate } from '#faces/words/i18n';
import { getPresent } from '../get-present.ts';
import type { Course, Person } from '../platform/model.ts';

/** The reader of a page and their language: both are chosen on the page and are in its address. */
export interface Reader {
  readonly person: Person;
  readonly isInstructor: boolean;
  readonly locale: Locale;
  readonly t: Translate;
  /** A path below the course's address for the same reader, or with changes. */
  to(path: string, changes?: Readonly<Record<string, string>>): string;
}

const BASE = '/demo';

/** Who takes part. The instructor comes first. */
export const demoPeople: readonly Person[] = [
  ['ines', 'Inês', 'Duarte', 'instructor'],
  ['lea', 'Léa', 'Martin', 'learner'],
  ['noah', 'Noah', 'Weber', 'learner'],
  ['amara', 'Amara', 'Diallo', 'learner'],
].map(([id = '', givenName = '', familyName = '', role]) => ({
  id,
  givenName,
  familyName,
  email: `${id}@school.example`,
  role: role as Person['role'],
  isEnrolled: true,
}));

export const instructor = getPresent(demoPeople[0], 'an instructor');
/** The people that the pages let one be. */
export const learner = getPresent(demoPeople[1], 'a learner');

export const demoCourse: Course = {
  id: 'demo-course',
  label: 'DATA-101',
  title: 'Introduction to data analysis',
  titles: {
    fr: 'Introduction à l’analyse de données',
    de: 'Einführung in die Datenanalyse',
    es: 'Introducción al análisis de datos',
  },
  history: [],
};

/** Parts of the course, each with a text of its own in the catalogues. */
export const demoSections = ['spreadsheets', 'statistics', 'python'] as const;
export type DemoSection = (typeof demoSections)[number];

/** The first one for an unknown name. */
export const getSection = (name: string): DemoSection =>
  demoSections.find((section) => section === name) ?? demoSections[0];

/** As it is told to the tool, which searches for it: no number of a week is in the title. */
export const sectionWords = (section: DemoSection, t: Translate) => ({
  title: t(`demo.sections.${section}.title`),
  text: t(`demo.sections.${section}.text`),
});

/** Most objects in the course: everyone who tries it shares it. */
export const MAX_LINKS = 500;

export const queryOf = ({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams =>
  new URLSearchParams(originalUrl.split('?')[1] ?? '');

export function readReader(request: Request, languages: Languages): Reader {
  const query = queryOf(request);
  // On the way to the tool and back, the hints of the login say it instead.
  const personId = query.get('as') ?? query.get('login_hint');
  const lang = query.get('lang') ?? query.get('lti_message_hint')?.split('.')[1];
  const person = demoPeople.find(({ id }) => id === personId) ?? instructor;
  const locale = chooseLocale(lang, request.get('accept-language'));
  const own = { as: person.id, ...(lang !== undefined && { lang: locale }) };
  return {
    person,
    isInstructor: person.role === 'instructor',
    locale,
    t: languages.translatorOf(locale),
    to: (path, changes = {}) => `${BASE}${path}?${new URLSearchParams({ ...own, ...changes })}`,
  };
}
