import { z } from 'zod';
import { findMrkdwnProblems } from './mrkdwn.ts';

/** Characters of one text where nothing less is said. */
export const MAX_TEXT = 3000;

/** A string that Slack shows; blank ones it refuses. */
export const shown = (max: number) =>
  z
    .string()
    .max(max, `longer than ${max} characters`)
    .refine((text) => text.trim() !== '', 'is empty');

export const markup = (max: number) =>
  shown(max).superRefine((text, context) => {
    for (const message of findMrkdwnProblems(text)) context.addIssue({ code: 'custom', message });
  });

export const plainText = (max = MAX_TEXT) =>
  z.strictObject({ type: z.literal('plain_text'), text: shown(max), emoji: z.boolean().optional() });

const mrkdwn = (max = MAX_TEXT) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: markup(max), verbatim: z.boolean().optional() });

export const anyText = (max = MAX_TEXT) => z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);

export const contextTexts = [plainText(), mrkdwn()] as const;

/** Of a block, an action, a callback. */
export const id = z.string().min(1, 'is empty').max(255, 'longer than 255 characters');

/** An address that Slack opens or shows a picture from. */
export const webAddress = z
  .string()
  .max(3000, 'longer than 3000 characters')
  .refine((address) => /^https?:\/\//i.test(address) && URL.canParse(address), 'is no http(s) address');
