import type { Translate } from '../../src/faces/words/i18n.ts';
import type { Course, Person } from '../platform/model.ts';

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

export const instructor = demoPeople[0]!;
/** Whom the pages propose to be. */
export const learner = demoPeople[1]!;

export const demoCourse: Course = {
  id: 'demo-course',
  label: 'DATA-101',
  title: 'Introduction to data analysis',
  titles: { fr: 'Introduction à l’analyse de données' },
  history: [],
};

/** Parts of the course, each with a text of its own in the catalogues. */
export const demoSections = ['spreadsheets', 'statistics', 'python'] as const;
export type DemoSection = (typeof demoSections)[number];

/** The first one for a name that is none's. */
export const getSection = (name: string): DemoSection =>
  demoSections.find((section) => section === name) ?? demoSections[0];

/** As it is told to the tool, which searches for it: no number of a week is in the title. */
export const sectionWords = (section: DemoSection, t: Translate) => ({
  title: t(`demo.sections.${section}.title`),
  text: t(`demo.sections.${section}.text`),
});

/** Objects that stand in the course at most: everyone who tries it shares it. */
export const MAX_LINKS = 500;
