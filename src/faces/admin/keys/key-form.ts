import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { apiKeyQuotas, apiKeyScopes } from '../../../domain/api-key.ts';
import { endOfDay } from '../../../domain/day.ts';
import { nameField, wholeNumberField } from '../forms/fields.ts';
import { type FormState, formOf } from '../forms/forms.ts';

const { perSecond, perDay } = apiKeyQuotas;

/** The fields of the form that have several values. */
export const keyLists = ['scopes'] as const;

/** @param now judges whether the last day is over */
export function createKeyForm(now: Date) {
  return z.object({
    name: nameField,
    scopes: z.array(z.enum(apiKeyScopes, 'scopesMissing')).min(1, 'scopesMissing'),
    perSecond: wholeNumberField(1, perSecond.most, 'perSecond'),
    perDay: wholeNumberField(1, perDay.most, 'perDay'),
    lastDay: z
      .string()
      .default('')
      .transform((text, context) => {
        if (text.trim() === '') return null;
        const end = endOfDay(text.trim());
        const problem = end === null ? 'notADay' : end <= now ? 'dayPast' : null;
        if (problem !== null) context.addIssue({ code: 'custom', message: problem });
        return end;
      }),
    once: z.string().max(60).optional(),
  });
}

/** `once` makes a form that is sent twice make one key. */
export function newKeyForm(): FormState {
  return formOf({
    name: '',
    scopes: apiKeyScopes,
    perSecond: String(perSecond.usual),
    perDay: String(perDay.usual),
    lastDay: '',
    once: randomUUID(),
  });
}
