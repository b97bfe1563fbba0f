import { getPresent } from '../get-present.ts';
import { type CourseLink, nameOf, type PlatformState, type Score, scoreKey } from '../platform/model.ts';
import {
  demoCourse,
  demoPeople,
  demoSections,
  instructor,
  learner,
  MAX_LINKS,
  type Reader,
  sectionWords,
} from './demo-course.ts';
import type { DemoSite } from './demo-site.ts';

interface GradebookModel {
  readonly columns: readonly { readonly title: string; readonly points: number }[];
  readonly rows: readonly {
    readonly name: string;
    /** Null where there is no score yet. */
    readonly cells: readonly (string | null)[];
  }[];
  /** The latest score in words; empty where there is none. */
  readonly latest: string;
}

/** What the course page shows. */
export function makeCourseModel({ state }: DemoSite, reader: Reader, query: URLSearchParams) {
  const links = [...state.links.values()];
  const { t, to } = reader;
  return {
    title: demoCourse.titles?.[reader.locale] ?? demoCourse.title,
    notices: noticesOf(query, t),
    people: demoPeople.map((person) => ({
      name: nameOf(person),
      role: t(`demo.roles.${person.role}`),
      href: to('', { as: person.id }),
      isCurrent: person.id === reader.person.id,
    })),
    instructorHref: to('', { as: instructor.id }),
    learnerHref: to('', { as: learner.id }),
    sections: demoSections.map((id, index) => {
      const { title, text } = sectionWords(id, t);
      const items = links.filter(({ placement }) => placement === id).map((link) => itemModel(state, link));
      return { id, title: t('demo.week', { number: index + 1, title }), text, items };
    }),
    isFull: links.length >= MAX_LINKS,
    gradebook: makeGradebookModel(state, reader),
  };
}

function itemModel({ lineItems }: PlatformState, { id, title, text, target, lineItemId }: CourseLink) {
  const points = lineItemId === null ? null : (lineItems.get(lineItemId)?.scoreMaximum ?? null);
  return { id, title, text, points, isWindow: target === 'window' };
}

const MAX_COUNT = 100;
const counted = ['added', 'left'] as const;
const plain = ['removed', 'reset'] as const;

/** What was just done, as the address says. */
function noticesOf(query: URLSearchParams, t: Reader['t']): string[] {
  const counts = counted.flatMap((name) => {
    const count = Number(query.get(name));
    const isCount = Number.isInteger(count) && count > 0 && count <= MAX_COUNT;
    return isCount ? [t(`demo.notices.${name}`, { count })] : [];
  });
  const done = plain.filter((name) => name === query.get('notice')).map((name) => t(`demo.notices.${name}`));
  return [...counts, ...done];
}

/** The scores as the platform has them. Learners see their own. */
export function makeGradebookModel(state: PlatformState, { person, isInstructor, locale, t }: Reader): GradebookModel {
  const items = [...state.lineItems.values()];
  const learners = demoPeople.filter(({ id, role }) => role === 'learner' && (isInstructor || id === person.id));
  const number = new Intl.NumberFormat(locale);
  const inWords = ({ scoreGiven, scoreMaximum }: Score) =>
    scoreGiven === null
      ? t('demo.gradebook.noPoints')
      : t('demo.gradebook.points', {
          given: number.format(scoreGiven),
          most: number.format(scoreMaximum ?? 0),
        });
  const latest = [...state.scores.values()]
    .filter(({ userId }) => learners.some(({ id }) => id === userId))
    .sort((a, b) => b.timestamp.getTime() - a.timestamp.getTime())[0];
  return {
    columns: items.map(({ label, scoreMaximum }) => ({ title: label, points: scoreMaximum })),
    rows: learners.map((learner) => ({
      name: nameOf(learner),
      cells: items.map(({ id }) => {
        const score = state.scores.get(scoreKey(id, learner.id));
        return score === undefined ? null : inWords(score);
      }),
    })),
    latest:
      latest === undefined
        ? ''
        : t('demo.gradebook.latest', {
            name: nameOf(getPresent(state.people.get(latest.userId), latest.userId)),
            title: state.lineItems.get(latest.lineItemId)?.label ?? '',
            points: inWords(latest),
          }),
  };
}
