import { z } from 'zod';

const MAX_NAME = 100;
/** Control characters, and those that turn the direction of the text after them. */
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** A name as people give it to tenants and keys: 1 to 100 printable characters. */
export const nameField = z
  .string('required')
  .trim()
  .min(1, 'required')
  .max(MAX_NAME, 'nameTooLong')
  .refine((name) => !UNPRINTABLE.test(name), 'unprintable');

/** The version a form was loaded with. One that cannot be read is older than any. */
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
