import type { LearningObject } from '../learning-object.ts';
import { splitRecordKey, toRecordKey } from '../record-key.ts';

export const completionRules = ['marked', 'viewed'] as const;
export type CompletionRule = (typeof completionRules)[number];
export const MAX_TITLE_LENGTH = 255;
export const MAX_AT_ONCE = 50;

/** A learning object that an instructor chose for a course. Immutable: a change is a new one. */
export interface Placement {
  readonly id: string;
  readonly tenantId: string;
  readonly registrationId: string;
  /** ID of the course in which it was chosen; null if the platform did not say. */
  readonly contextId: string | null;
  /** Who chose it: `lti:<registration id>:<user id>`. */
  readonly person: string;
  /** The object as it was when chosen. */
  readonly object: LearningObject;
  /** Normalized address of the object. */
  readonly address: string;
  /** ID of the search that returned it, for feedback; null if there was none. */
  readonly requestId: string | null;
  /** At most 255 characters. */
  readonly title: string;
  readonly completion: CompletionRule;
  /** 1 to 100 for completion, a whole number; null if it is not graded. */
  readonly points: number | null;
  readonly placedAt: Date;
}

export const PLACEMENT_PARAMETER = 'placement';
/** Names the address of an object in links that other programs made from a search. */
export const OBJECT_PARAMETER = 'object';

/** Name comma-separated IDs of links and courses that a link was copied from, newest first. */
export const LINK_HISTORY_PARAMETER = 'link_history';
export const CONTEXT_HISTORY_PARAMETER = 'context_history';

/** @example toLtiPerson('r1', '42') // 'lti:r1:42' */
export const toLtiPerson = (registrationId: string, userId: string): string => `lti:${registrationId}:${userId}`;

const TEACHERS = 'teachers';

/** Teachers of a course are stored like learners of a link; the id of a real link has no blanks. */
export const toTeachersLink = (registrationId: string, contextId: string): string =>
  toRecordKey([TEACHERS, registrationId, contextId]);

/** Returns the registration of the teachers of a course; null for a real link. */
export function findRegistrationOfTeachers(linkId: string): string | null {
  const [kind, registrationId = null] = splitRecordKey(linkId, 3);
  return kind === TEACHERS ? registrationId : null;
}
