import { z } from 'zod';
import { AppError } from '#errors';

const MAX_ID = 255;
const MAX_TEXT = 3000;
const MAX_VALUES = 100;
const id = z.string().max(MAX_ID);
/** What is chosen or typed in one element. */
const choice = z.strictObject({
  blockId: id,
  actionId: id,
  values: z.array(z.string().max(MAX_TEXT)).max(MAX_VALUES),
});
const place = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('message'), ts: id }),
  z.strictObject({ kind: z.literal('view'), id }),
]);
/** What else is filled in where the act is done. */
const filled = z.array(choice).max(MAX_VALUES).default([]);

/** What a person can do in the page. */
const act = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('say'),
    text: z.string().trim().min(1).max(MAX_TEXT),
    threadTs: id.nullable(),
  }),
  z.strictObject({ kind: z.literal('search') }),
  z.strictObject({ kind: z.literal('findLearning'), ts: id }),
  z.strictObject({ kind: z.literal('choose'), place, choice, filled }),
  z.strictObject({ kind: z.literal('fill'), viewId: id, choice }),
  z.strictObject({ kind: z.literal('submit'), viewId: id, filled }),
  z.strictObject({ kind: z.literal('close'), viewId: id }),
  z.strictObject({ kind: z.literal('home') }),
]);

const who = { userId: id, channelId: id };
const actBody = z.strictObject({ ...who, act });
const suggestBody = z.strictObject({
  ...who,
  place,
  blockId: id,
  actionId: id,
  typed: z.string().max(MAX_TEXT),
});

export type ChatAct = z.infer<typeof act>;
export type ActPlace = z.infer<typeof place>;
export type ActChoice = z.infer<typeof choice>;
export type ActBody = z.infer<typeof actBody>;
export type SuggestBody = z.infer<typeof suggestBody>;

/** Errors: PARAMETERS_INVALID. */
export const readActBody = (body: unknown): ActBody => read(actBody, body);
/** Errors: PARAMETERS_INVALID. */
export const readSuggestBody = (body: unknown): SuggestBody => read(suggestBody, body);

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const { success, data } = schema.safeParse(body);
  if (!success) throw new AppError('PARAMETERS_INVALID', 'The demo chat knows no such act.');
  return data;
}
