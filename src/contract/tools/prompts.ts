import { z } from 'zod';
import { MAX_TEXT_LENGTH } from '#domain/text';
import { MAX_KEYWORDS_LENGTH } from '../shared.ts';

const words = z.string().trim().min(1).max(MAX_KEYWORDS_LENGTH);

/** What people fill in of a prompt, described in their language. */
export const promptArguments = {
  text: (description: string) =>
    z.object({ text: z.string().trim().min(1).max(MAX_TEXT_LENGTH).meta({ description }) }),
  path: (from: string, to: string) =>
    z.object({ from: words.meta({ description: from }), to: words.meta({ description: to }) }),
};
