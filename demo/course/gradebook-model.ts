import { nameOf, type PlatformState, type Score, scoreKey } from '../platform/model.ts';
import { demoPeople } from './demo-course.ts';
import type { Reader } from './reader.ts';

export interface GradebookModel {
  readonly columns: readonly { readonly title: string; readonly points: number }[];
  readonly rows: readonly {
    readonly name: string;
    /** Null where there is no score yet. */
    readonly cells: readonly (string | null)[];
  }[];
  /** The latest score in words; empty where there is none. */
  readonly latest: string;
}

/** The scores as the platform has them. Learners see their own. */
export function gradebookModel(
  state: PlatformState,
  { person, isInstructor, locale, t }: Reader,
): GradebookModel {
  const items = [...state.lineItems.values()];
  const learners = demoPeople.filter(
    ({ id, role }) => role === 'learner' && (isInstructor || id === person.id),
  );
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
            name: nameOf(state.people.get(latest.userId)!),
            title: state.lineItems.get(latest.lineItemId)?.label ?? '',
            points: inWords(latest),
          }),
  };
}
