import type { StoredMessage } from '../../../demo/slack/conversations.ts';
import { listElements, type StoredBlock } from '../../../demo/slack/surface.ts';
import type { StoredView } from '../../../demo/slack/views.ts';

/** A block as the app gave it; ids that it left out were made up. */
export type SeenBlock = StoredBlock;

export interface SeenMessage {
  readonly ts: string;
  readonly channelId: string;
  /** Of the message that began its thread. */
  readonly threadTs: string | null;
  readonly from: 'person' | 'app' | 'slackbot';
  readonly userId: string | null;
  /** Only the person sees it. */
  readonly isEphemeral: boolean;
  readonly text: string;
  readonly blocks: readonly SeenBlock[];
  /** By address. */
  readonly unfurls?: StoredMessage['unfurls'];
}

export interface SeenView {
  readonly id: string;
  readonly hash: string;
  readonly type: 'modal' | 'home';
  readonly callbackId: string;
  readonly title: string;
  readonly blocks: readonly SeenBlock[];
  readonly privateMetadata: string;
  /** By block id, after it was sent in vain; under an empty id where Slack could not send it. */
  readonly errors: Readonly<Record<string, string>>;
}

export type Seen = SeenMessage | SeenView;

export const seenMessage = ({ visibleTo, chosen, offered, ...message }: StoredMessage): SeenMessage => ({
  ...message,
  isEphemeral: visibleTo !== null,
});

export const seenView = ({ id, hash, payload, blocks, errors }: StoredView): SeenView => ({
  id,
  hash,
  type: payload.type,
  callbackId: payload.callback_id ?? '',
  title: payload.title?.text ?? '',
  blocks,
  privateMetadata: payload.private_metadata ?? '',
  errors,
});

/** All words that are shown, those of the blocks or, where there are none, the message's own. */
export function wordsOf(seen: Seen): string {
  const words = collectText(seen.blocks).join('\n');
  return words === '' && 'text' in seen ? seen.text : words;
}

function collectText(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) =>
    name === 'text' && typeof inner === 'string' ? [inner] : collectText(inner),
  );
}

/** Where a button or an entry of an overflow menu is, and the value of the entry. Throws where none has the label, or several. */
export function findLabelled(blocks: readonly SeenBlock[], actionId: string, label: string | undefined) {
  const found = listElements(blocks)
    .filter(({ element }) => element.action_id === actionId)
    .flatMap(({ block, element }) => {
      const entries = (element.options ?? [element]) as { text: { text: string }; value?: string }[];
      return entries.map(({ text, value }) => ({
        label: text.text,
        blockId: block.block_id,
        values: element.options === undefined ? [] : [value ?? ''],
      }));
    });
  const matching = found.filter((each) => label === undefined || each.label === label);
  const [first] = matching;
  if (first !== undefined && matching.length === 1) return first;
  const there = found.map((each) => each.label).join(', ') || 'nothing';
  throw new Error(`${matching.length} of ${actionId} ${label ?? ''} here, where there is ${there}`);
}
