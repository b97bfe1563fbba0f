import { escapeMrkdwn } from '../blocks/text.ts';

/** What a message shows besides its text, as far as it is read. Slack and its apps write it. */
type Shown = Readonly<Record<string, unknown>>;

/** Blocks and elements without words of the message; texts in code are no words either. */
const wordless: readonly unknown[] = [
  ...['actions', 'input', 'image', 'file', 'button', 'rich_text_preformatted'],
  ...['emoji', 'user', 'usergroup', 'channel', 'broadcast', 'date', 'color'],
];
/** Texts of attachments and blocks, in the order in which they are shown. */
const parts = ['pretext', 'title', 'text', 'value', 'description', 'fields', 'elements', 'rows', 'blocks'];
const MAX_DEPTH = 10;
const MAX_LENGTH = 40_000;

/** The words of a message as mrkdwn: its text, and what only its blocks and attachments show, as
 *  those of bots, integrations and forwarded messages do. A preview of a link counts where there is
 *  nothing else. */
export function readShownText({ text, blocks, attachments }: Shown): string {
  const written = typeof text === 'string' ? text : '';
  const all = toList(attachments);
  const own = all.filter((attachment) => attachment?.original_url === undefined);
  const lines = [
    ...toList(blocks).map((block) => readLine(block)),
    ...(written === '' ? all : own).map(readAttachment),
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

/** The texts of a block, an element or an attachment; those of one paragraph on one line. */
function readLine(node: unknown, depth = 0): string {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return '';
  if (Array.isArray(node)) return node.map((each) => readLine(each, depth + 1)).join('\n');
  const { type, style } = node as Shown;
  if (wordless.includes(type) || (type === 'text' && (style as Shown | undefined)?.code === true)) return '';
  if (type === 'rich_text_section' || type === 'rich_text_quote')
    return toList((node as Shown).elements)
      .map((each) => readLine(each, depth + 1))
      .join('');
  return parts
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
