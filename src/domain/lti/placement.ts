import type { LearningObject } from '../learning-object.ts';

/** How an embedded object counts as done: by the learner's own word, or by opening it. */
export const completionRules = ['marked', 'viewed'] as const;
export type CompletionRule = (typeof completionRules)[number];

/** Characters of a title in a course. */
export const MAX_TITLE_LENGTH = 255;
/** Objects that are placed at once. */
export const MAX_AT_ONCE = 50;

/** A learning object as an instructor chose it for a course. Never changed: another choice makes another placement. */
export interface Placement {
  readonly id: string;
  readonly tenantId: string;
  readonly registrationId: string;
  /** Of the course it was chosen in; null where the platform did not say. */
  readonly contextId: string | null;
  /** Who chose it: `lti:<registration id>:<user id>`. */
  readonly person: string;
  /** As it was found then. */
  readonly object: LearningObject;
  /** Address of the object without what makes no difference. */
  readonly address: string;
  /** Of the search that found it, for feedback; null where it was not found by one. */
  readonly requestId: string | null;
  /** As it is called in the course; at most 255 characters. */
  readonly title: string;
  readonly completion: CompletionRule;
  /** Whole points from 1 to 100 for who completed it; null where it is not graded. */
  readonly points: number | null;
  readonly placedAt: Date;
}

/** Name of the custom parameter that carries a placement's id. */
export const PLACEMENT_PARAMETER = 'placement';

/** Names of the custom parameters that carry the ids of the links and courses that a link was copied from, separated by
 *  commas, the newest first. */
export const LINK_HISTORY_PARAMETER = 'link_history';
export const CONTEXT_HISTORY_PARAMETER = 'context_history';

/** Name of a person of a platform, for shelves and placements.
 *  @example toLtiPerson('r1', '42') // 'lti:r1:42' */
export function toLtiPerson(registrationId: string, userId: string): string {
  return `lti:${registrationId}:${userId}`;
}
