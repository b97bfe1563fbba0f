import { escapeMrkdwn } from '../blocks/text.ts';

/** A message, attachment, block or element of any app: none of its fields is certain. */
type MessageNode = Readonly<Record<string, unknown>>;

/** Types of blocks and elements without text of the message. */
// biome-ignore format: two groups, blocks and elements
const skippedTypes: ReadonlySet<unknown> = new Set([
  'actions', 'input', 'image', 'file', 'button', 'rich_text_preformatted',
  'emoji', 'user', 'usergroup', 'channel', 'broadcast', 'date', 'color',
]);
/** Fields of attachments and blocks that have text, in the order in which Slack shows them. */
const textFields = ['pretext', 'title', 'text', 'value', 'description', 'fields', 'elements', 'rows', 'blocks'];
const MAX_DEPTH = 10;
const MAX_LENGTH = 40_000;

/** Reads the text of a message as mrkdwn. Bots and forwards have it in blocks and attachments, so
 *  their lines that the text lacks are added; the preview of a link, only if there is no text. */
export function readMessageText({ text, blocks, attachments }: MessageNode): string {
  let result = typeof text === 'string' ? text : '';
  const hasText = result !== '';
  const counted = toList(attachments).filter((attachment) => !hasText || attachment?.original_url === undefined);
  const lines = [...toList(blocks).map((block) => readNodeText(block)), ...counted.map(readAttachment)];
  for (const line of lines) {
    const words = new Set(splitWords(result));
    if (splitWords(line).some((word) => !words.has(word))) result += `\n${line}`;
  }
  return result.slice(0, MAX_LENGTH).trim();
}

function readAttachment(attachment: MessageNode | null): string {
  const forwarded = toList(attachment?.message_blocks).map((block) => readNodeText(block?.message));
  const line = [readNodeText(attachment), ...forwarded].join('\n').trim();
  return line === '' && typeof attachment?.fallback === 'string' ? attachment.fallback : line;
}

function readNodeText(node: unknown, depth = 0): string {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return '';
  if (Array.isArray(node)) return node.map((child) => readNodeText(child, depth + 1)).join('\n');
  const { type, style } = node as MessageNode;
  if (skippedTypes.has(type) || (type === 'text' && (style as MessageNode | undefined)?.code === true)) return '';
  if (type === 'rich_text_section' || type === 'rich_text_quote')
    return toList((node as MessageNode).elements)
      .map((child) => readNodeText(child, depth + 1))
      .join('');
  return textFields
    .map((name) => {
      const value = (node as MessageNode)[name];
      if (typeof value !== 'string') return readNodeText(value, depth + 1);
      // Rich text is not escaped.
      return type === 'text' || type === 'link' ? escapeMrkdwn(value) : value;
    })
    .filter((line) => line !== '')
    .join('\n');
}

const toList = (value: unknown): readonly (MessageNode | null)[] => (Array.isArray(value) ? value : []);
const splitWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
