import { z } from 'zod';
import { cleanName, findNameProblem, isEmail } from '#domain/text';

const nameProblems = { unprintable: 'unprintable', empty: 'required', 'too-long': 'nameTooLong' };

/** A name as people give it to tenants and keys: 1 to 100 printable characters. */
export const nameField = z
  .string('required')
  .transform(cleanName)
  .superRefine((name, context) => {
    const problem = findNameProblem(name);
    if (problem !== null) context.addIssue({ code: 'custom', message: nameProblems[problem] });
  });

/** The version a form was loaded with. An unreadable one counts as older than any. */
export const versionField = z.coerce.number().int().positive().catch(0);

/** A box: sent when it is ticked. */
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

/** A field that may be left empty; then it is null. */
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
