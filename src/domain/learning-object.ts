/** The fourteen type names of the specification, in its order and spelling. */
export const learningObjectTypes = [
  'app',
  'article',
  'book',
  'career profile',
  'distance learning',
  'ebook',
  'mooc',
  'podcast',
  'safety sheet',
  'serious game',
  'training',
  'tutorial',
  'video',
  'website',
] as const;
export type LearningObjectType = (typeof learningObjectTypes)[number];

/** Bloom's revised objectives, from the simplest to the most demanding. */
export const bloomObjectives = ['Remember', 'Understand', 'Apply', 'Analyze', 'Evaluate', 'Create'] as const;
export type BloomObjective = (typeof bloomObjectives)[number];

export interface LearningTime {
  readonly value: number;
  readonly unit: 'h' | 'min';
}

export interface Price {
  /** In `currency`; absent where nobody saw it. */
  readonly amount?: number;
  /** A currency symbol such as `€`. */
  readonly currency?: string;
  /** Whether the object can be used without paying; a free version may stand beside a paid one. */
  readonly free: boolean;
}

/** A learning object as the service knows it. Absent means unknown, never "none". */
export interface LearningObject {
  readonly title: string;
  readonly url: string;
  readonly description?: string;
  readonly picture?: string;
  /** Display name of the provider. */
  readonly provider?: string;
  readonly bloom: readonly string[];
  /** Lower-case type names. */
  readonly type: readonly string[];
  /** -1 (beginner) to 1 (advanced). */
  readonly level?: number;
  /** Two-letter code. */
  readonly lang?: string;
  readonly learningTime?: LearningTime;
  readonly address?: string;
  readonly publisher: readonly string[];
  readonly author: readonly string[];
  readonly price?: Price;
}

/** Length in minutes, or undefined where it is unknown. */
export function learningMinutes(time: LearningTime | undefined): number | undefined {
  if (time === undefined) return undefined;
  return time.unit === 'h' ? time.value * 60 : time.value;
}
