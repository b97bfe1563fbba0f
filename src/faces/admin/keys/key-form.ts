import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type ApiKeyScope, apiKeyQuotas, apiKeyScopes } from '#domain/tenant';
import { parseEndOfDayText } from '#domain/text';
import { nameField, wholeNumberField } from '../forms/fields.ts';
import { type FormState, fillForm } from '../forms/forms.ts';

const { perSecond, perDay } = apiKeyQuotas;

/** The fields of the form that have several values. */
export const keyLists = ['scopes'] as const;

/** @param now decides whether the last day is over */
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
        const end = parseEndOfDayText(text.trim());
        const problem = end === null ? 'notADay' : end <= now ? 'dayPast' : null;
        if (problem !== null) context.addIssue({ code: 'custom', message: problem });
        return end;
      }),
    once: z.string().max(60).optional(),
  });
}

/** `once` makes a form that is sent twice make one key. */
export function fillNewKeyForm(): FormState {
  return fillForm({
    name: '',
    scopes: apiKeyScopes,
    perSecond: String(perSecond.usual),
    perDay: String(perDay.usual),
    lastDay: '',
    once: randomUUID(),
  });
}

interface FirstCall {
  readonly command: string;
  /** False where something has to be filled in first: a feedback is about what a search has found. */
  readonly isReady: boolean;
}

/** A first call to copy, for the scope of the key that shows most.
 *  @param publicUrl as `config.ts` allows it: without anything that a shell would interpret */
export function writeKeyCall(publicUrl: string, key: string, scopes: readonly ApiKeyScope[]): FirstCall {
  const call = (path: string) => `curl '${publicUrl}${path}' -H 'x-api-key: ${key}'`;
  if (scopes.includes('learning-objects'))
    return { command: call('/learningobject/v2/search?keywords=python&lang=en'), isReady: true };
  if (scopes.includes('competency'))
    return { command: call('/domcomp/v1/similar?keywords=data%20analyst&lang=en'), isReady: true };
  const body = JSON.stringify({
    url: 'ADDRESS OF THE OBJECT',
    request_id: 'ID OF ITS SEARCH',
    email: 'ada@example.org',
    source: 'https://example.org/',
  });
  const command = `${call('/learningobject/v2/feedback')} -H 'content-type: application/json' -d '${body}'`;
  return { command, isReady: false };
}
