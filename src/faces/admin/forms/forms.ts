import { z } from 'zod';
import { cleanName, findNameProblem, isEmail } from '#domain/text';
import { AppError, type ErrorCode, hasErrorCode, type Problem } from '#errors';
import type { Languages, Translate } from '#faces/words/i18n';
import { translateImportProblem } from '#faces/words/import-problems';
import { describeAccessRefusal } from '../access.ts';
import type { PageContext, PageOptions, PageReply, Reply } from '../route.ts';

export interface FormState {
  /** The first value of each field. */
  readonly values: Readonly<Record<string, string>>;
  /** Every value of each field, for groups of boxes. */
  all(field: string): readonly string[];
  readonly problems: Readonly<Record<string, string>>;
}

const FIELD_LIMIT = 200;

export function fillForm(values: Readonly<Record<string, string | readonly string[]>>): FormState {
  const lists = Object.entries(values).map(([name, value]) => [name, [value].flat()] as const);
  return createFormState(new Map(lists), {});
}

/** Fills a form with the sent values, without problems. */
export const keepTypedFormValues = (form: URLSearchParams): FormState => createFormState(readFormValues(form), {});

/** The fields of a request, and words for their problems. */
type SentForm = Pick<PageContext, 'form' | 't' | 'languages'>;

/** Reads a form, `lists` as lists. Messages of the schema are keys below `problems`. */
export function readForm<T>(
  { form, t }: Pick<SentForm, 'form' | 't'>,
  schema: z.ZodType<T>,
  lists: readonly string[] = [],
): { readonly data: T } | { readonly state: FormState } {
  const sent = readFormValues(form);
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

interface Submission<T> {
  readonly schema: z.ZodType<T>;
  readonly lists?: readonly string[];
  /** Shows the form again, with its problems. */
  show(state: FormState): PageReply | Promise<PageReply>;
  save(data: T): Promise<Reply>;
  readonly fieldOf?: FieldOfCode;
  /** Fields that are never sent back. */
  readonly secrets?: readonly string[];
  /** Status of a form that the service refuses; 422 when absent, as of one that cannot be read. */
  readonly refusedStatus?: number;
  /** Replies to errors that lead elsewhere. */
  readonly answers?: Readonly<Partial<Record<ErrorCode, (error: AppError, data: T) => Reply>>>;
}

/** The field for an error, with its text's key unless it has one. Others stand above all fields. */
type FieldOfCode = Readonly<Partial<Record<ErrorCode, string | readonly [field: string, problem: string]>>>;

/** Saves a form, or shows it again with its problems. */
export function submitForm<T>(context: PageContext, { show, ...submission }: Submission<T>): Promise<Reply> {
  return submitFormChange(context, { ...submission, load: async () => null, show: (_, state) => show(state) });
}

interface Change<T, R> extends Omit<Submission<T>, 'show' | 'save'> {
  /** Reads what is changed, also anew after somebody else changed it. */
  load(): Promise<R>;
  /** Absent: a change by somebody else at the same time is an error like any other. */
  versionOf?(loaded: R): number;
  show(loaded: R, state: FormState): PageReply | Promise<PageReply>;
  save(data: T, loaded: R): Promise<Reply>;
}

/** Saves a change, or shows its form again with problems. If somebody else saved first, the form
 *  has the sent values with the current version, so that saving again replaces that change. */
export async function submitFormChange<T, R>(context: PageContext, change: Change<T, R>): Promise<Reply> {
  const { schema, lists, load, versionOf, show, save, fieldOf, secrets = [], refusedStatus = 422 } = change;
  const refuse = async (shown: R, state: FormState, options: PageOptions = { status: 422 }) => {
    return { ...(await show(shown, dropFormFields(state, secrets))), ...options };
  };
  const loaded = await load();
  const read = readForm(context, schema, lists);
  if ('state' in read) return refuse(loaded, read.state);
  try {
    return await save(read.data, loaded);
  } catch (error) {
    const answer = error instanceof AppError && change.answers?.[error.code];
    if (answer) return answer(error, read.data);
    const state = refuseForm(error, context, fieldOf);
    const current = await load();
    const refusal = describeAccessRefusal(error, refusedStatus);
    if (!versionOf || !hasErrorCode(error, 'CHANGED_MEANWHILE')) return refuse(current, state, refusal);
    const values = { ...state.values, version: String(versionOf(current)) };
    return refuse(current, { ...state, values, problems: { form: context.t('forms.changedMeanwhile') } });
  }
}

export const dropFormFields = ({ values, all, problems }: FormState, fields: readonly string[]): FormState => ({
  values: Object.fromEntries(Object.entries(values).filter(([name]) => !fields.includes(name))),
  all: (field) => (fields.includes(field) ? [] : all(field)),
  problems,
});

/** Makes a form of the sent values and the service's problems. Rethrows errors of the host. */
export function refuseForm(error: unknown, { form, ...words }: SentForm, fieldOf: FieldOfCode = {}): FormState {
  if (!(error instanceof AppError) || error.kind === 'internal' || error.kind === 'unavailable') throw error;
  return createFormState(readFormValues(form), describeRefusal(error, words, fieldOf));
}

function describeRefusal(error: AppError, words: ErrorWords, fieldOf: FieldOfCode): Record<string, string> {
  // The problems of an import are in its file, not in fields of the form.
  if (error.problems.length > 0 && error.code !== 'IMPORT_INVALID')
    return Object.fromEntries(error.problems.map((problem) => [problem.path, describeFormProblem(problem, words)]));
  const [field = 'form', problem] = [fieldOf[error.code] ?? 'form'].flat();
  return { [field]: problem === undefined ? describeFormError(error, words) : words.t(`problems.${problem}`) };
}

function readFormValues(form: URLSearchParams): Map<string, string[]> {
  const names = [...new Set(form.keys())].filter((name) => name !== 'csrf').slice(0, FIELD_LIMIT);
  return new Map(names.map((name) => [name, form.getAll(name)]));
}

function createFormState(values: ReadonlyMap<string, readonly string[]>, problems: Record<string, string>): FormState {
  return {
    values: Object.fromEntries([...values].map(([name, [first = '']]) => [name, first])),
    all: (field) => values.get(field) ?? [],
    problems,
  };
}

type ErrorWords = { readonly t: Translate; readonly languages: Languages };

/** Describes an error in the reader's language, if the catalogues have its code. */
export function describeFormError(error: AppError, { t, languages }: ErrorWords): string {
  const { code, data, message, retryAfterSeconds: seconds = 0 } = error;
  const key = `errors.${code}`;
  if (languages.has(key)) return t(key, { ...data, seconds, minutes: Math.ceil(seconds / 60) });
  return translateImportProblem(message, t).text;
}

function describeFormProblem(problem: Problem, { t, languages }: ErrorWords): string {
  const key = 'reason' in problem ? `problems.${problem.reason}` : '';
  return languages.has(key) ? t(key) : problem.problem;
}

/** Explains an upstream's failure; `detail` is its message, if any. Rethrows the host's errors. */
export function explainUpstreamError(error: unknown, words: ErrorWords) {
  if (!(error instanceof AppError) || error.code === 'TENANT_UNKNOWN') throw error;
  const isOfHost = error.kind === 'internal' || error.kind === 'unavailable';
  if (isOfHost && !words.languages.has(`errors.${error.code}`)) throw error;
  const { detail } = error.data;
  return { message: describeFormError(error, words), detail: typeof detail === 'string' ? detail : null };
}

const nameProblems = { unprintable: 'unprintable', empty: 'required', 'too-long': 'nameTooLong' };

/** A name of a tenant or a key: 1 to 100 printable characters. */
export const nameField = z
  .string('required')
  .transform(cleanName)
  .superRefine((name, context) => {
    const problem = findNameProblem(name);
    if (problem !== null) context.addIssue({ code: 'custom', message: nameProblems[problem] });
  });

/** The version with which a form was loaded; an invalid one counts as older than any. */
export const versionField = z.coerce.number().int().positive().catch(0);

/** A checkbox, which is sent only if it is ticked. */
export const boxField = z
  .string()
  .optional()
  .transform((value) => value !== undefined);

export function wholeNumberField(min: number, max: number, problem: string) {
  return z
    .string(problem)
    .trim()
    .regex(/^\d{1,12}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem);
}

export const emailField = z
  .string('required')
  .trim()
  .min(1, 'required')
  .refine((text) => text === '' || isEmail(text), 'notAnEmail');

/** An optional field; null if it is empty. */
export function optionalField<T>(field: z.ZodType<T, string>) {
  return z
    .string()
    .default('')
    .transform((text, context) => {
      if (text.trim() === '') return null;
      const { data = null, error } = field.safeParse(text);
      for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message });
      return data;
    });
}
