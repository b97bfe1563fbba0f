import type { KnownBlock } from './block-kit.ts';

const counted: ReadonlySet<string> = new Set(['text', 'alt_text', 'initial_value']);

/** Characters of all texts of the blocks together: Slack refuses messages that have more than about 13,000, whatever each of
 *  their parts has. */
export const textLength = (blocks: readonly KnownBlock[]): number => lengthIn(blocks);

function lengthIn(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0;
  return Object.entries(part).reduce(
    (sum, [name, inner]) =>
      sum + (typeof inner === 'string' && counted.has(name) ? inner.length : lengthIn(inner)),
    0,
  );
}
