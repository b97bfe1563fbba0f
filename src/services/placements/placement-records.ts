import { randomUUID } from 'node:crypto';
import { normalizeAddress } from '../../domain/learning-object.ts';
import type { Launch } from '../../domain/lti/launch.ts';
import { nameLtiPerson, type Placement } from '../../domain/lti/placement.ts';
import type { ChosenObject } from './placements.ts';

/** With an id that nobody guesses: it travels through platforms, which show it to whoever edits a course. */
export function makePlacement(launch: Launch, chosen: ChosenObject, placedAt: Date): Placement {
  const { tenantId, registrationId, context, user } = launch;
  const { object, requestId, title, completion, points } = chosen;
  return {
    id: randomUUID(),
    tenantId,
    registrationId,
    contextId: context?.id ?? null,
    person: nameLtiPerson(registrationId, user.id),
    object,
    address: normalizeAddress(object.url),
    requestId,
    title: title.trim(),
    completion,
    points,
    placedAt,
  };
}

/** Each object once, as it was placed last, the newest first. */
export function newestOfEach(placed: readonly Placement[], limit: number): readonly Placement[] {
  const newestFirst = placed.toSorted((a, b) => b.placedAt.getTime() - a.placedAt.getTime());
  const byAddress = new Map<string, Placement>();
  for (const each of newestFirst) if (!byAddress.has(each.address)) byAddress.set(each.address, each);
  return [...byAddress.values()].slice(0, limit);
}
