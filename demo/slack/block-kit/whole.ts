import type { z } from 'zod';
import type { Block } from './blocks.ts';

/** Characters of all texts of a message together: above it Slack refuses a message whose parts are all fine. */
const MAX_ALL_TEXT = 13_000;

interface Element {
  readonly action_id?: string | undefined;
  readonly focus_on_load?: boolean | undefined;
  readonly response_url_enabled?: boolean | undefined;
}

/** What holds for all blocks of a message or view together. */
export function fitsTogether(blocks: readonly Block[], context: z.RefinementCtx): void {
  const refuse = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
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

export function isShortEnough(blocks: readonly Block[], context: z.RefinementCtx): void {
  const length = countText(blocks);
  if (length <= MAX_ALL_TEXT) return;
  const message = `${length} characters of text together, more than ${MAX_ALL_TEXT}`;
  context.addIssue({ code: 'custom', message });
}

/** Only what is filled in and sent from a modal has answers for a conversation. */
export function asksConversationsInInputs(blocks: readonly Block[], context: z.RefinementCtx): void {
  for (const [index, block] of blocks.entries()) {
    if (block.type === 'input' || !elementsOf(block).some((element) => element.response_url_enabled))
      continue;
    context.addIssue({
      code: 'custom',
      path: [index],
      message: 'response_url_enabled is for inputs of modals',
    });
  }
}

export function elementsOf(block: Block): readonly Element[] {
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
    (length, [name, inner]) =>
      length + (typeof inner === 'string' && isText(name) ? inner.length : countText(inner)),
    0,
  );
}

const isText = (name: string) => ['text', 'alt_text', 'initial_value'].includes(name);
