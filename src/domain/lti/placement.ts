import type { LearningObject } from '../learning-object.ts';

/** When an embedded object counts as done: when the learner marks it, or opens it. */
export const completionRules = ['marked', 'viewed'] as const;
export type CompletionRule = (typeof completionRules)[number];

/** Characters of a title in a course. */
export const MAX_TITLE_LENGTH = 255;
/** Objects that are placed at once. */
export const MAX_AT_ONCE = 50;

/** A learning object that an instructor chose for a course. Immutable: a change is a new one. */
export interface Placement {
  readonly id: string;
  readonly tenantId: string;
  readonly registrationId: string;
  /** Of the course it was chosen in; null where the platform did not say. */
  readonly contextId: string | null;
  /** Who chose it: `lti:<registration id>:<user id>`. */
  readonly person: string;
  /** The object as it was at that time. */
  readonly object: LearningObject;
  /** Normalized address of the object. */
  readonly address: string;
  /** Id of the search that returned it, for feedback; null where there was none. */
  readonly requestId: string | null;
  /** Its title in the course; at most 255 characters. */
  readonly title: string;
  readonly completion: CompletionRule;
  /** Whole points from 1 to 100 for completion; null where it is not graded. */
  readonly points: number | null;
  readonly placedAt: Date;
}

/** Name of the custom parameter that carries a placement's id. */
export const PLACEMENT_PARAMETER = 'placement';

/** Names of the custom parameters with the ids of the links and courses that a link was copied
 *  from, separated by commas, the newest first. */
export const LINK_HISTORY_PARAMETER = 'link_history';
export const CONTEXT_HISTORY_PARAMETER = 'context_history';

/** Id of a person of a platform, for shelves and placements.
 *  @example toLtiPerson('r1', '42') // 'lti:r1:42' */
export function toLtiPerson(registrationId: string, userId: string): string {
  return `lti:${registrationId}:${userId}`;
}
