import { completionRules, MAX_AT_ONCE, MAX_TITLE_LENGTH } from '../../domain/lti/placement.ts';
import { AppError, type Problem } from '../../errors.ts';
import type { ChosenObject } from './placements.ts';

const MAX_POINTS = 100;
const MAX_REQUEST_ID_LENGTH = 200;
const MAX_KILOBYTES = 64;

/** Errors: PARAMETERS_INVALID with every problem at once. */
export function refuseOutOfBounds(chosen: readonly ChosenObject[]): void {
  const problems =
    chosen.length > MAX_AT_ONCE
      ? [{ path: 'chosen', problem: `must be at most ${MAX_AT_ONCE} objects` }]
      : chosen.flatMap(findProblems);
  if (problems.length === 0) return;
  const said = problems.map(({ path, problem }) => `${path} ${problem}`).join('; ');
  throw new AppError('PARAMETERS_INVALID', `Nothing was added to the course: ${said}. Correct this.`, {
    problems,
  });
}

function findProblems(choice: ChosenObject, index: number): Problem[] {
  const { object, title, completion, points, requestId } = choice;
  const rules: readonly [name: string, isGood: boolean, problem: string][] = [
    ['object', isSmall(object), `must take at most ${MAX_KILOBYTES} kB`],
    ['title', isTitle(title), `must have 1 to ${MAX_TITLE_LENGTH} characters`],
    ['completion', completionRules.includes(completion), `must be one of ${completionRules.join(', ')}`],
    ['points', points === null || arePoints(points), `must be a whole number from 1 to ${MAX_POINTS}`],
    ['requestId', (requestId?.length ?? 0) <= MAX_REQUEST_ID_LENGTH, 'must be the id of a search'],
  ];
  const wrong = rules.filter(([, isGood]) => !isGood);
  return wrong.map(([name, , problem]) => ({ path: `chosen[${index}].${name}`, problem }));
}

function isSmall(object: object): boolean {
  return Buffer.byteLength(JSON.stringify(object)) <= MAX_KILOBYTES * 1_024;
}

function isTitle(title: string): boolean {
  return title.trim() !== '' && title.length <= MAX_TITLE_LENGTH;
}

function arePoints(points: number): boolean {
  return Number.isInteger(points) && points >= 1 && points <= MAX_POINTS;
}
