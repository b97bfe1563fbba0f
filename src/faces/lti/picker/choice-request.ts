import { z } from 'zod';
import { type CompletionRule, completionRules } from '#domain/lti/placement';
import { AppError, type Problem } from '#errors';
import type { ChoiceRules, ItemTarget } from './choice-rules.ts';

/** One object as it was chosen in the page, checked but for its handle. */
export interface ChoiceRequest {
  readonly handle: string;
  readonly title: string;
  readonly completion: CompletionRule;
  /** Null for what is not graded. */
  readonly points: number | null;
  /** Null where the platform decides. */
  readonly target: ItemTarget | null;
  readonly availableFrom: Date | null;
  readonly availableUntil: Date | null;
  readonly submitUntil: Date | null;
}

const AFTER_BEGINNING = 'must be after the beginning';
/** At most this many problems are reported. */
const MAX_PROBLEMS = 20;
const MAX_PROBLEM_LENGTH = 200;
const CONTROLS = /\p{Cc}+/gu;

/** Read the field `chosen` of the tray's form: a JSON list. Errors: PARAMETERS_INVALID with all
 *  that is wrong. */
export function readChoices(json: string, rules: ChoiceRules): readonly ChoiceRequest[] {
  const parsed = choicesSchema(rules).safeParse(beginningOf(parseJson(json), rules.maxItems + 1));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, MAX_PROBLEMS).map(toProblem);
  const said = problems.map(({ path, problem }) => `${path}: ${problem}`).join('; ');
  throw new AppError(
    'PARAMETERS_INVALID',
    `This selection cannot be used: ${said}. Go back, correct it, and send it again.`,
    { problems },
  );
}

/** The beginning of a list, long enough to show that it is too long. */
function beginningOf(value: unknown, length: number): unknown {
  return Array.isArray(value) ? value.slice(0, length) : value;
}

function choicesSchema(rules: ChoiceRules): z.ZodType<ChoiceRequest[]> {
  const choice = z
    .strictObject({
      handle: z.string().min(1),
      title: titleField(rules.maxTitleLength),
      completion: z.enum(completionRules),
      points: onlyIf(
        rules.maxPoints !== null,
        z
          .int()
          .min(1)
          .max(rules.maxPoints ?? 1),
      ),
      target: onlyIf(rules.targets.length > 0, z.enum(rules.targets)),
      availableFrom: onlyIf(rules.takesAvailability, momentField),
      availableUntil: onlyIf(rules.takesAvailability, momentField),
      submitUntil: onlyIf(rules.takesSubmission, momentField),
    })
    .refine(({ availableFrom, availableUntil }) => isPeriod(availableFrom, availableUntil), {
      path: ['availableUntil'],
      message: AFTER_BEGINNING,
    })
    .refine(({ availableFrom, submitUntil }) => isPeriod(availableFrom, submitUntil), {
      path: ['submitUntil'],
      message: AFTER_BEGINNING,
    });
  return z.array(choice).min(1).max(rules.maxItems);
}

function titleField(maxLength: number) {
  return z
    .string()
    .transform((title) => title.replace(CONTROLS, ' ').trim())
    .pipe(z.string().min(1).max(maxLength));
}

const momentField = z.iso.datetime().transform((text) => new Date(text));

function isPeriod(from: Date | null, until: Date | null): boolean {
  return from === null || until === null || from < until;
}

/** Null or absent is always right. */
function onlyIf<T>(isAllowed: boolean, field: z.ZodType<T>) {
  return (isAllowed ? field.nullable() : z.null()).default(null);
}

/** Text that is not JSON fits no schema. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function toProblem({ path: [index, ...names], message }: z.core.$ZodIssue): Problem {
  const place = index === undefined ? '' : `[${String(index)}]`;
  return {
    path: [`chosen${place}`, ...names.map(String)].join('.'),
    problem: message.slice(0, MAX_PROBLEM_LENGTH),
  };
}
