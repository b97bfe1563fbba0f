import { z } from 'zod';
import { cleanName, findNameProblem, isEmail } from '#domain/text';

const nameProblems = { unprintable: 'unprintable', empty: 'required', 'too-long': 'nameTooLong' };

/** The name of a tenant or a key: 1 to 100 printable characters. */
export const nameField = z
  .string('required')
  .transform(cleanName)
  .superRefine((name, context) => {
    const problem = findNameProblem(name);
    if (problem !== null) context.addIssue({ code: 'custom', message: nameProblems[problem] });
  });

/** The version with which a form was loaded. An invalid one counts as older than any. */
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
