import { z } from 'zod';
import { messageBlock, viewBlock } from './blocks.ts';
import { id, markup, plainText } from './texts.ts';
import { asksConversationsInInputs, fitsTogether, isShortEnough } from './whole.ts';

/** Slack takes ten times as much, and advises against more than this. */
const MAX_MESSAGE_TEXT = 4000;
const MAX_VIEW_BYTES = 250_000;
const MAX_MESSAGE_BLOCKS = 50;
const MAX_VIEW_BLOCKS = 100;

/** A message with what `chat.postMessage`, `chat.postEphemeral` and response URLs take beside it, as far as it is good to use. */
export const message = z
  .strictObject({
    text: markup(MAX_MESSAGE_TEXT).optional(),
    blocks: z
      .array(messageBlock)
      .min(1, 'is empty')
      .max(MAX_MESSAGE_BLOCKS, `more than ${MAX_MESSAGE_BLOCKS} blocks`)
      .superRefine(fitsTogether)
      .superRefine(asksConversationsInInputs)
      .superRefine(isShortEnough)
      .optional(),
    channel: id.optional(),
    user: id.optional(),
    thread_ts: z
      .string()
      .regex(/^\d+\.\d+$/, 'is no time of a message')
      .optional(),
    response_type: z.enum(['ephemeral', 'in_channel']).optional(),
    replace_original: z.boolean().optional(),
    delete_original: z.boolean().optional(),
    unfurl_links: z.boolean().optional(),
    unfurl_media: z.boolean().optional(),
  })
  .refine(({ text, delete_original }) => text !== undefined || delete_original === true, {
    path: ['text'],
    error: 'is missing: screen readers and notifications have nothing else',
  });

const viewBlocks = z
  .array(viewBlock)
  .min(1, 'is empty')
  .max(MAX_VIEW_BLOCKS, `more than ${MAX_VIEW_BLOCKS} blocks`)
  .superRefine(fitsTogether);

const anyView = {
  private_metadata: z.string().max(3000, 'longer than 3000 characters').optional(),
  callback_id: id.optional(),
  external_id: id.optional(),
};

const modal = z
  .strictObject({
    type: z.literal('modal'),
    ...anyView,
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
    submit_disabled: z.boolean().optional(),
    blocks: viewBlocks.superRefine(asksConversationsInInputs),
  })
  .refine(({ blocks, submit }) => submit !== undefined || blocks.every(({ type }) => type !== 'input'), {
    path: ['submit'],
    error: 'is missing, and there are inputs',
  });

const home = z.strictObject({
  type: z.literal('home'),
  ...anyView,
  blocks: viewBlocks.superRefine(asksConversationsInInputs),
});

export const view = z
  .discriminatedUnion('type', [modal, home])
  .refine(
    (whole) => Buffer.byteLength(JSON.stringify(whole)) <= MAX_VIEW_BYTES,
    `larger than ${MAX_VIEW_BYTES} bytes`,
  );
