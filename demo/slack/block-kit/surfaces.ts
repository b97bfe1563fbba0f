import { z } from 'zod';
import { type Block, messageBlock, viewBlock } from './blocks.ts';
import { id, markup, plainText } from './compositions.ts';

/** Characters of all texts of a message together: above it Slack refuses a message whose parts are
 *  all fine. */
const MAX_ALL_TEXT = 13_000;

interface Element {
  readonly action_id?: string | undefined;
  readonly focus_on_load?: boolean | undefined;
  readonly response_url_enabled?: boolean | undefined;
}

/** Slack takes ten times as much, and advises against more than this. */
const MAX_MESSAGE_TEXT = 4000;
const MAX_VIEW_BYTES = 250_000;
const MAX_MESSAGE_BLOCKS = 50;
const MAX_VIEW_BLOCKS = 100;

/** A message with what `chat.postMessage`, `chat.postEphemeral` and response URLs take beside it,
 *  as far as it is good to use. */
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
  .refine((whole) => Buffer.byteLength(JSON.stringify(whole)) <= MAX_VIEW_BYTES, `larger than ${MAX_VIEW_BYTES} bytes`);

/** What holds for all blocks of a message or view together. */
function fitsTogether(blocks: readonly Block[], context: z.RefinementCtx): void {
  const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
  for (const index of repeated(blocks.map((block) => block.block_id))) {
    refuse([index, 'block_id'], 'is the block_id of another block');
  }
  for (const [index, block] of blocks.entries()) {
    for (const position of repeated(elementsOf(block).map((element) => element.action_id))) {
      refuse([index, 'elements', position, 'action_id'], 'is the action_id of another element of the block');
    }
  }
  const focused = blocks.flatMap(elementsOf).filter((element) => element.focus_on_load === true);
  if (focused.length > 1) refuse([], 'focus_on_load is set for several elements');
}

function isShortEnough(blocks: readonly Block[], context: z.RefinementCtx): void {
  const length = countText(blocks);
  if (length <= MAX_ALL_TEXT) return;
  const message = `${length} characters of text together, more than ${MAX_ALL_TEXT}`;
  context.addIssue({ code: 'custom', message });
}

/** Only what is filled in and sent from a modal has answers for a conversation. */
function asksConversationsInInputs(blocks: readonly Block[], context: z.RefinementCtx): void {
  for (const [index, block] of blocks.entries()) {
    if (block.type === 'input' || !elementsOf(block).some((element) => element.response_url_enabled)) continue;
    context.addIssue({
      code: 'custom',
      path: [index],
      message: 'response_url_enabled is for inputs of modals',
    });
  }
}

function elementsOf(block: Block): readonly Element[] {
  if (block.type === 'actions') return block.elements;
  if (block.type === 'input') return [block.element];
  return block.type === 'section' && block.accessory ? [block.accessory as Element] : [];
}

function repeated(ids: readonly (string | undefined)[]): number[] {
  return [...ids.keys()].filter((index) => ids[index] !== undefined && ids.indexOf(ids[index]) < index);
}

function countText(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0;
  return Object.entries(part).reduce(
    (length, [name, inner]) => length + (typeof inner === 'string' && isText(name) ? inner.length : countText(inner)),
    0,
  );
}

const isText = (name: string) => ['text', 'alt_text', 'initial_value'].includes(name);
