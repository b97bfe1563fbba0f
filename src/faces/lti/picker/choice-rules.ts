import { z } from 'zod';
import type { ContentItemType, Launch } from '#domain/lti/launch';
import { completionRules, MAX_AT_ONCE, MAX_TITLE_LENGTH } from '#domain/lti/placement';
import { getProductTraits } from '#domain/lti/products';
import { AppError, type Problem } from '#errors';

type ItemTarget = 'iframe' | 'window';

export interface ChoiceRules {
  /** `embed` adds links to the course, and `replace` changes the object of a link. */
  readonly mode: 'embed' | 'replace';
  /** Null if the platform accepts no type that this tool returns. */
  readonly itemType: ContentItemType | null;
  readonly maxItems: number;
  readonly maxTitleLength: number;
  readonly maxPoints: number | null;
  readonly takesAvailability: boolean;
  readonly takesSubmission: boolean;
  readonly targets: readonly ItemTarget[];
  /** Whether the platform adds the items to the course without another step. */
  readonly isCreatedAtOnce: boolean;
}

export const DEFAULT_POINTS = 10;

const linkOnly = {
  maxItems: 1,
  maxPoints: null,
  takesAvailability: false,
  takesSubmission: false,
  targets: [],
  isCreatedAtOnce: true,
} as const;

const itemTypes = ['ltiResourceLink', 'link', 'html'] as const;

/** Finds what can be chosen in a launch, by the request and the product of the platform. */
export function findChoiceRules(launch: Launch): ChoiceRules {
  const { honours, maxPoints, ...traits } = getProductTraits(launch.product);
  const maxTitleLength = Math.min(traits.maxTitleLength, MAX_TITLE_LENGTH);
  const settings = launch.deepLinking;
  if (settings === null) return { ...linkOnly, maxTitleLength, mode: 'replace', itemType: 'ltiResourceLink' };
  // The first type is best, as only a resource link leads back to this tool.
  const itemType = itemTypes.find((type) => settings.acceptTypes.includes(type)) ?? null;
  const rules: ChoiceRules = {
    ...linkOnly,
    maxTitleLength,
    mode: 'embed',
    itemType,
    maxItems: settings.acceptMultiple ? MAX_AT_ONCE : 1,
    isCreatedAtOnce: settings.autoCreate,
  };
  if (itemType !== 'ltiResourceLink') return rules;
  const targets = (['iframe', 'window'] as const).filter(
    (target) => settings.targets.includes(target) && (target === 'iframe' || honours.window),
  );
  return {
    ...rules,
    maxPoints: settings.acceptLineItem ? maxPoints : null,
    takesAvailability: honours.available,
    takesSubmission: honours.submission,
    targets,
  };
}

/** A chosen object with its settings; points and target are null where the platform has none. */
export type ChoiceRequest = z.output<ReturnType<typeof createChoicesSchema>>[number];

const MUST_BE_LATER = 'must be after the beginning';
const MAX_PROBLEMS = 20;
const MAX_PROBLEM_LENGTH = 200;

/** Reads the field `chosen` of the tray's form. Errors: PARAMETERS_INVALID with all problems. */
export function readChoices(json: string, rules: ChoiceRules): readonly ChoiceRequest[] {
  // One more than allowed is enough to see that there are too many.
  const { data, error } = createChoicesSchema(rules).safeParse(parseChosenList(json, rules.maxItems + 1));
  if (error === undefined) return data;
  const problems = error.issues.slice(0, MAX_PROBLEMS).map(toChoiceProblem);
  const list = problems.map(({ path, problem }) => `${path}: ${problem}`).join('; ');
  throw new AppError(
    'PARAMETERS_INVALID',
    `This selection cannot be used: ${list}. Go back, correct it, and send it again.`,
    { problems, data: { isTooMany: error.issues.some(({ code, path }) => code === 'too_big' && path.length === 0) } },
  );
}

function parseChosenList(json: string, maxLength: number): unknown {
  try {
    const value = JSON.parse(json);
    return Array.isArray(value) ? value.slice(0, maxLength) : value;
  } catch {
    return undefined;
  }
}

const date = z.iso.datetime().transform((text) => new Date(text));

function createChoicesSchema(rules: ChoiceRules) {
  const { maxPoints, targets, takesAvailability, takesSubmission } = rules;
  const points = z
    .int()
    .min(1)
    .max(maxPoints ?? 1);
  const choice = z
    .strictObject({
      handle: z.string().min(1),
      title: z
        .string()
        .transform((title) => title.replace(/\p{Cc}+/gu, ' ').trim())
        .pipe(z.string().min(1).max(rules.maxTitleLength)),
      completion: z.enum(completionRules),
      points: allowChoiceIf(maxPoints !== null, points),
      target: allowChoiceIf(targets.length > 0, z.enum(targets)),
      availableFrom: allowChoiceIf(takesAvailability, date),
      availableUntil: allowChoiceIf(takesAvailability, date),
      submitUntil: allowChoiceIf(takesSubmission, date),
    })
    .refine(({ availableFrom, availableUntil }) => isChoicePeriod(availableFrom, availableUntil), {
      path: ['availableUntil'],
      message: MUST_BE_LATER,
    })
    .refine(({ availableFrom, submitUntil }) => isChoicePeriod(availableFrom, submitUntil), {
      path: ['submitUntil'],
      message: MUST_BE_LATER,
    });
  return z.array(choice).min(1).max(rules.maxItems);
}

/** Creates a schema for a field that may be null or absent, and must be so unless it is allowed. */
const allowChoiceIf = <T>(isAllowed: boolean, field: z.ZodType<T>) =>
  (isAllowed ? field.nullable() : z.null()).default(null);

const isChoicePeriod = (from: Date | null, until: Date | null): boolean =>
  from === null || until === null || from < until;

function toChoiceProblem({ path: [index, ...names], message }: z.core.$ZodIssue): Problem {
  const place = index === undefined ? '' : `[${String(index)}]`;
  return { path: [`chosen${place}`, ...names.map(String)].join('.'), problem: message.slice(0, MAX_PROBLEM_LENGTH) };
}
