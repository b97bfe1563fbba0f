import { type LearningObject, normalizeObjectAddress, toLearningMinutes } from './learning-object.ts';

/** Limits of texts in UTF-16 units, of times in hours. */
export const planLimits = {
  plansOfPerson: 200,
  name: 200,
  sections: 60,
  sectionTitle: 200,
  sectionText: 4_000,
  items: 300,
  note: 2_000,
  hours: 2_000,
  /** Labels of skills in one section. */
  uncovered: 50,
  skill: 200,
  /** Size of a plan as JSON. */
  kilobytes: 1_024,
} as const;

export interface PlanItem {
  /** Stays when the item moves or gets another object. */
  readonly id: string;
  /** The object as it was when it was added. */
  readonly object: LearningObject;
  /** ID of the search that returned it, for feedback; null if there was none. */
  readonly requestId: string | null;
  /** Label of the skill that it teaches; null if none is known. */
  readonly skill: string | null;
  /** URI of the skill's concept; absent if it has none. */
  readonly skillUri?: string;
  readonly note: string;
  readonly isGraded: boolean;
  /** Normalized addresses of objects that the person replaced; they are not proposed again. */
  readonly replaced: readonly string[];
}

export interface PlanSection {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Time that learners are expected to spend; null if nobody has decided. */
  readonly hours: number | null;
  readonly items: readonly PlanItem[];
  /** Labels of skills of the syllabus for which no object was found. */
  readonly uncovered: readonly string[];
}

export interface PlanContent {
  readonly name: string;
  /** Time expected for the whole course; null if nobody has decided. */
  readonly expectedHours: number | null;
  /** Two-letter code; null if unknown. */
  readonly lang: string | null;
  readonly sections: readonly PlanSection[];
}

export interface LengthSum {
  /** Sum of the lengths that objects state. */
  readonly minutes: number;
  /** Number of objects that state no length. */
  readonly unknown: number;
}

export type Count = { readonly value: string; readonly count: number };

/** Sums up a plan. Objects count by values that they state; skills with an object are covered. */
export function summarizePlan({ sections }: Pick<PlanContent, 'sections'>) {
  const items = sections.flatMap((section) => section.items);
  const objects = items.map(({ object }) => object);
  const covered = [...new Set(items.flatMap(({ skill }) => skill ?? []))];
  const isCovered = new Set(covered.map((skill) => skill.toLowerCase()));
  return {
    items: items.length,
    length: sumPlanLengths(objects),
    /** Lengths by the ID of the section. */
    lengths: new Map(sections.map(({ id, items }) => [id, sumPlanLengths(items.map(({ object }) => object))])),
    languages: countPlanValues(objects.map(({ lang }) => lang)),
    licences: countPlanValues(objects.map(({ license }) => license)),
    free: objects.filter(({ price }) => price?.free === true).length,
    paid: objects.filter(({ price }) => price?.free === false).length,
    covered,
    uncovered: sections.flatMap((section) =>
      section.uncovered.flatMap((skill) => (isCovered.has(skill.toLowerCase()) ? [] : [{ section, skill }])),
    ),
  };
}

function sumPlanLengths(objects: readonly LearningObject[]): LengthSum {
  const minutes = objects.flatMap(({ learningTime }) => toLearningMinutes(learningTime) ?? []);
  return { minutes: minutes.reduce((sum, each) => sum + each, 0), unknown: objects.length - minutes.length };
}

function countPlanValues(values: readonly (string | undefined)[]): readonly Count[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count);
}

/** Returns the normalized addresses of all objects of a plan. */
export const listPlanAddresses = ({ sections }: Pick<PlanContent, 'sections'>): ReadonlySet<string> =>
  new Set(sections.flatMap(({ items }) => items.map(({ object }) => normalizeObjectAddress(object.url))));

/** Ways to replace one object by another that suits better. */
export const planWishes = ['another', 'shorter', 'free', 'other-provider', 'language'] as const;
export type PlanWish = (typeof planWishes)[number];
