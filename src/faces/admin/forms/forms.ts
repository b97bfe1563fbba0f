import type { z } from 'zod';
import { AppError } from '#errors';
import type { Languages, Translate } from '#faces/words/i18n';
import { describeError, describeProblem } from './error-words.ts';

/** The values of a form and its problems, by field. */
export interface FormState {
  /** The first value of each field. */
  readonly values: Readonly<Record<string, string>>;
  /** Every value of each field, for groups of boxes. */
  all(field: string): readonly string[];
  readonly problems: Readonly<Record<string, string>>;
}

export type FormResult<T> = { readonly data: T } | { readonly state: FormState };

const FIELD_LIMIT = 200;

/** Creates a form with initial values, which are lists for groups of boxes. */
export function fillForm(values: Readonly<Record<string, string | readonly string[]>>): FormState {
  return createFormState(
    new Map(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? [value] : value])),
    {},
  );
}

/** Creates a form with the sent values, without problems. */
export function keepTyped(form: URLSearchParams): FormState {
  return createFormState(readValues(form), {});
}

/** Validates a form. The schema receives the value of each field: a text, or a list if `lists`
 *  names the field. Its messages are keys below `problems` in the catalogues. */
export function readForm<T>(
  form: URLSearchParams,
  { schema, lists = [], t }: { schema: z.ZodType<T>; lists?: readonly string[]; t: Translate },
): FormResult<T> {
  const sent = readValues(form);
  const input = Object.fromEntries(
    [...sent].map(([name, values]) => [name, lists.includes(name) ? values : values[0]]),
  );
  for (const name of lists) input[name] ??= [];
  const parsed = schema.safeParse(input);
  if (parsed.success) return { data: parsed.data };
  const problems: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) problems[String(path[0] ?? 'form')] ??= t(`problems.${message}`);
  return { state: createFormState(sent, problems) };
}

/** Creates a form with the sent values and the problems that a service reports. Rethrows any other
 *  error. */
export function refuseForm(error: unknown, { form, t, languages, fieldOf = {} }: RefusedFormOptions): FormState {
  if (!(error instanceof AppError) || error.kind === 'internal' || error.kind === 'unavailable') throw error;
  // The message describes problems outside the fields, such as those of a file.
  const ofFields = error.code === 'IMPORT_INVALID' ? [] : error.problems;
  const problems =
    ofFields.length > 0
      ? Object.fromEntries(ofFields.map((problem) => [problem.path, describeProblem(problem, t, languages)]))
      : { [fieldOf[error.code] ?? 'form']: describeError(error, t, languages) };
  return createFormState(readValues(form), problems);
}

interface RefusedFormOptions {
  readonly form: URLSearchParams;
  readonly t: Translate;
  readonly languages: Languages;
  /** The field of an error code; `form` shows the error above all fields. */
  readonly fieldOf?: Readonly<Record<string, string>>;
}

/** Creates the form after a refused change. If somebody else saved first, the form retains the sent
 *  values with the current version, so that saving again replaces the other change. Rethrows any
 *  other error.
 *  @param options.now the saved record */
export function refuseFormChange(
  error: unknown,
  options: RefusedFormOptions & { readonly now: { readonly version: number } },
): FormState {
  const state = refuseForm(error, options);
  if (!(error instanceof AppError) || error.code !== 'CHANGED_MEANWHILE') return state;
  return {
    ...state,
    values: { ...state.values, version: String(options.now.version) },
    problems: { form: options.t('forms.changedMeanwhile') },
  };
}

function readValues(form: URLSearchParams): Map<string, string[]> {
  const names = [...new Set(form.keys())].filter((name) => name !== 'csrf').slice(0, FIELD_LIMIT);
  return new Map(names.map((name) => [name, form.getAll(name)]));
}

function createFormState(values: ReadonlyMap<string, readonly string[]>, problems: Record<string, string>): FormState {
  return {
    values: Object.fromEntries([...values].map(([name, all]) => [name, all[0] ?? ''])),
    all: (field) => values.get(field) ?? [],
    problems,
  };
}
