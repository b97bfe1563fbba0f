import type { LearningObjectQuery } from './learning-object-query.ts';

/** What people choose of a filter that is a range, from its name in the form. The steps of the levels are those that
 *  `object-view/facts.ts` has names for, both ends included. */
export const levels = {
  beginner: { levelMax: -0.2 },
  intermediate: { levelMin: -0.2, levelMax: 0.2 },
  advanced: { levelMin: 0.2 },
} as const satisfies Record<string, Partial<LearningObjectQuery>>;

/** Minutes. */
export const lengths = {
  quarter: { learningTimeMax: 15 },
  hour: { learningTimeMax: 60 },
  halfDay: { learningTimeMax: 4 * 60 },
  day: { learningTimeMax: 8 * 60 },
  longer: { learningTimeMin: 8 * 60 },
} as const satisfies Record<string, Partial<LearningObjectQuery>>;

/** From 0 to 1. */
export const popularities = { popular: 0.5, veryPopular: 0.75 } as const;

export const prices = ['free', 'paid'] as const;

/** Kilometres around the address. */
export const distances = [10, 25, 50, 100, 200] as const;

/** The type of objects that are somewhere. */
export const PLACED_TYPE = 'training';
