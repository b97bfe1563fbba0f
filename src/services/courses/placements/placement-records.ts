import { randomUUID } from 'node:crypto';
import { normalizeObjectAddress } from '#domain/learning-object';
import type { Launch } from '#domain/lti/launch';
import type { Placement } from '#domain/lti/placement';
import { completionRules, MAX_AT_ONCE, MAX_TITLE_LENGTH, toLtiPerson } from '#domain/lti/placement';
import { AppError, type Problem } from '#errors';

export type ChosenObject = Pick<Placement, 'object' | 'requestId' | 'title' | 'completion' | 'points'>;

/** Makes a placement with an ID that cannot be guessed: platforms show it to all course editors. */
export function makePlacement(launch: Launch, chosen: ChosenObject, placedAt: Date): Placement {
  const { tenantId, registrationId, context, user } = launch;
  const { object, requestId, title, completion, points } = chosen;
  return {
    id: randomUUID(),
    tenantId,
    registrationId,
    contextId: context?.id ?? null,
    person: toLtiPerson(registrationId, user.id),
    object,
    address: normalizeObjectAddress(object.url),
    requestId,
    title: title.trim(),
    completion,
    points,
    placedAt,
  };
}

/** Returns the newest placement of each object, newest first. */
export function pickNewestPlacements(placements: readonly Placement[], limit: number): readonly Placement[] {
  const newestFirst = placements.toSorted((a, b) => b.placedAt.getTime() - a.placedAt.getTime());
  const byAddress = new Map<string, Placement>();
  for (const placement of newestFirst)
    if (!byAddress.has(placement.address)) byAddress.set(placement.address, placement);
  return [...byAddress.values()].slice(0, limit);
}

const MAX_POINTS = 100;
const MAX_REQUEST_ID_LENGTH = 200;
const MAX_KILOBYTES = 64;

/** Errors: PARAMETERS_INVALID with every problem. */
export function checkChosenObjects(chosen: readonly ChosenObject[]): void {
  const problems =
    chosen.length > MAX_AT_ONCE
      ? [{ path: 'chosen', problem: `must be at most ${MAX_AT_ONCE} objects` }]
      : chosen.flatMap(findPlacementProblems);
  if (problems.length === 0) return;
  const list = problems.map(({ path, problem }) => `${path} ${problem}`).join('; ');
  const message = `Nothing was added to the course: ${list}. Correct this.`;
  throw new AppError('PARAMETERS_INVALID', message, { problems });
}

function findPlacementProblems(choice: ChosenObject, index: number): Problem[] {
  const { object, title, completion, points, requestId } = choice;
  const rules: readonly [name: string, isGood: boolean, problem: string][] = [
    ['object', isSmallPlacement(object), `must take at most ${MAX_KILOBYTES} kB`],
    ['title', isPlacementTitle(title), `must have 1 to ${MAX_TITLE_LENGTH} characters`],
    ['completion', completionRules.includes(completion), `must be one of ${completionRules.join(', ')}`],
    ['points', points === null || arePlacementPoints(points), `must be a whole number from 1 to ${MAX_POINTS}`],
    ['requestId', (requestId?.length ?? 0) <= MAX_REQUEST_ID_LENGTH, 'must be the id of a search'],
  ];
  const wrong = rules.filter(([, isGood]) => !isGood);
  return wrong.map(([name, , problem]) => ({ path: `chosen[${index}].${name}`, problem }));
}

const isSmallPlacement = (object: object): boolean =>
  Buffer.byteLength(JSON.stringify(object)) <= MAX_KILOBYTES * 1_024;
const isPlacementTitle = (title: string): boolean => title.trim() !== '' && title.length <= MAX_TITLE_LENGTH;
const arePlacementPoints = (points: number): boolean => Number.isInteger(points) && points >= 1 && points <= MAX_POINTS;
