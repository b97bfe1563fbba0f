import { escapeMrkdwn } from '../blocks/text.ts';

/** A message, attachment, block or element, which others write: nothing in it is certain. */
type Shown = Readonly<Record<string, unknown>>;

/** Types of blocks and elements that are skipped, as they have no text of the message. */
// biome-ignore format: two groups, blocks and elements
const skippedTypes: ReadonlySet<unknown> = new Set([
  'actions', 'input', 'image', 'file', 'button', 'rich_text_preformatted',
  'emoji', 'user', 'usergroup', 'channel', 'broadcast', 'date', 'color',
]);
/** Fields of attachments and blocks that have text, in the order in which Slack shows them. */
const textFields = ['pretext', 'title', 'text', 'value', 'description', 'fields', 'elements', 'rows', 'blocks'];
const MAX_DEPTH = 10;
const MAX_LENGTH = 40_000;

/** Reads the text of a message as mrkdwn. Adds the lines of its blocks and attachments that have
 *  words which the text lacks: bots, integrations and forwarded messages have such lines. The
 *  preview of a link counts only if the message has no text. */
export function readBlockText({ text, blocks, attachments }: Shown): string {
  const written = typeof text === 'string' ? text : '';
  const all = toList(attachments);
  const withoutPreviews = all.filter((attachment) => attachment?.original_url === undefined);
  const lines = [
    ...toList(blocks).map((block) => readLine(block)),
    ...(written === '' ? all : withoutPreviews).map(readAttachment),
  ];
  let result = written;
  for (const line of lines) {
    const shown = new Set(splitWords(result));
    if (splitWords(line).some((word) => !shown.has(word))) result += `\n${line}`;
  }
  return result.slice(0, MAX_LENGTH).trim();
}

function readAttachment(attachment: Shown | null): string {
  const forwarded = toList(attachment?.message_blocks).map((block) => readLine(block?.message));
  const line = [readLine(attachment), ...forwarded].join('\n').trim();
  return line === '' && typeof attachment?.fallback === 'string' ? attachment.fallback : line;
}

/** Reads the text of a block, an element or an attachment, with one line for each paragraph. */
function readLine(node: unknown, depth = 0): string {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return '';
  if (Array.isArray(node)) return node.map((each) => readLine(each, depth + 1)).join('\n');
  const { type, style } = node as Shown;
  if (skippedTypes.has(type) || (type === 'text' && (style as Shown | undefined)?.code === true)) return '';
  if (type === 'rich_text_section' || type === 'rich_text_quote')
    return toList((node as Shown).elements)
      .map((each) => readLine(each, depth + 1))
      .join('');
  return textFields
    .map((name) => {
      const value = (node as Shown)[name];
      if (typeof value !== 'string') return readLine(value, depth + 1);
      // Rich text is not escaped.
      return type === 'text' || type === 'link' ? escapeMrkdwn(value) : value;
    })
    .filter((line) => line !== '')
    .join('\n');
}

const toList = (value: unknown): readonly (Shown | null)[] => (Array.isArray(value) ? value : []);

const splitWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
