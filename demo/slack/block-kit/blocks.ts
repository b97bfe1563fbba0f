import { z } from 'zod';
import { anyText, contextTexts, id, plainText, shown, webAddress } from './compositions.ts';
import { accessory, action, image, input } from './elements.ts';

const blockId = { block_id: id.optional() };

const section = z
  .strictObject({
    type: z.literal('section'),
    ...blockId,
    text: anyText().optional(),
    fields: z.array(anyText(2000)).min(1, 'is empty').max(10, 'more than 10').optional(),
    accessory: accessory.optional(),
    expand: z.boolean().optional(),
  })
  .refine(({ text, fields }) => text !== undefined || fields !== undefined, 'needs text or fields');

const context = z.strictObject({
  type: z.literal('context'),
  ...blockId,
  elements: z
    .array(z.discriminatedUnion('type', [...contextTexts, image]))
    .min(1, 'is empty')
    .max(10, 'more than 10'),
});

const actions = z.strictObject({
  type: z.literal('actions'),
  ...blockId,
  elements: z.array(action).min(1, 'is empty').max(25, 'more than 25'),
});

const header = z.strictObject({ type: z.literal('header'), ...blockId, text: plainText(150) });

const divider = z.strictObject({ type: z.literal('divider'), ...blockId });

const imageBlock = z.strictObject({
  type: z.literal('image'),
  ...blockId,
  image_url: webAddress,
  alt_text: shown(2000),
  title: plainText(2000).optional(),
});

const inputBlock = z.strictObject({
  type: z.literal('input'),
  ...blockId,
  label: plainText(2000),
  hint: plainText(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
  element: input,
});

const everywhere = [section, context, actions, header, divider, imageBlock] as const;

export const messageBlock = z.discriminatedUnion('type', everywhere);
export const viewBlock = z.discriminatedUnion('type', [...everywhere, inputBlock]);

export type Block = z.infer<typeof viewBlock>;
