import type { z } from 'zod';
import { AppError } from '#errors';
import type { Languages, Translate } from '#faces/words/i18n';
import { describeError, describeProblem } from './error-words.ts';

/** What a form shows: what was typed, and what is wrong with it, by field. */
export interface FormState {
  /** The first value of each field. */
  readonly values: Readonly<Record<string, string>>;
  /** Every value of each field, for groups of boxes. */
  all(field: string): readonly string[];
  readonly problems: Readonly<Record<string, string>>;
}

export type FormResult<T> = { readonly data: T } | { readonly state: FormState };

const FIELD_LIMIT = 200;

/** A form as it is first shown. Values may be lists, for groups of boxes. */
export function fillForm(values: Readonly<Record<string, string | readonly string[]>>): FormState {
  return createFormState(
    new Map(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? [value] : value]),
    ),
    {},
  );
}

/** A form as it was typed, with nothing wrong in it. */
export function keepTyped(form: URLSearchParams): FormState {
  return createFormState(readValues(form), {});
}

/** Read what was sent. The schema gets each field's values: text, or a list where `lists` names it.
 *  Its messages are keys below `problems` in the catalogues. */
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
  for (const { path, message } of parsed.error.issues)
    problems[String(path[0] ?? 'form')] ??= t(`problems.${message}`);
  return { state: createFormState(sent, problems) };
}

/** The form once more, as it was typed, with what a service found wrong with it. Rethrows errors
 *  that are not about the form. */
export function refuseForm(
  error: unknown,
  { form, t, languages, fieldOf = {} }: RefusedFormOptions,
): FormState {
  if (!(error instanceof AppError) || error.kind === 'internal' || error.kind === 'unavailable') throw error;
  // Problems of something else than its fields, such as a file, are told by the message.
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
  /** The field beside which an error code is shown; `form` is above them all. */
  readonly fieldOf?: Readonly<Record<string, string>>;
}

/** The form once more after a change was refused. Where someone else was quicker, what was typed
 *  stays, and the form takes the current version: saving again replaces that knowingly. Rethrows
 *  what is not about the form.
 *  @param options.now what is saved now */
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

function createFormState(
  values: ReadonlyMap<string, readonly string[]>,
  problems: Record<string, string>,
): FormState {
  return {
    values: Object.fromEntries([...values].map(([name, all]) => [name, all[0] ?? ''])),
    all: (field) => values.get(field) ?? [],
    problems,
  };
}
