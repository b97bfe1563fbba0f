/** Slack's markup drawn with elements. What is not understood stays as it was written.
 *  Source: https://docs.slack.dev/messaging/formatting-message-text. */

import { make } from './dom.ts';
import type { TextObject } from './state.ts';
import { channels, personOf } from './words.ts';

export function drawText({ type, text }: TextObject): Node[] {
  return type === 'mrkdwn' ? drawMrkdwn(text) : drawLines(text);
}

/** Blocks of code first, as nothing in them is marked up. */
export function drawMrkdwn(text: string): Node[] {
  return text.split(/```([\s\S]+?)```/).flatMap((part, index) => {
    if (index % 2 === 1) return [make('pre', { tabindex: '0' }, withoutEscapes(part.replace(/^\n/, '')))];
    return drawParagraphs(part);
  });
}

type Kind = 'quote' | 'list' | 'text';

const kindOf = (line: string): Kind => (line.startsWith('&gt;') ? 'quote' : /^\s*[•◦] /.test(line) ? 'list' : 'text');

function drawParagraphs(text: string): Node[] {
  const groups: { readonly kind: Kind; readonly lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const kind = kindOf(line);
    const last = groups.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else groups.push({ kind, lines: [line] });
  }
  return groups.flatMap(({ kind, lines }) => {
    if (kind === 'quote') return [make('blockquote', {}, ...joinLines(lines.map(withoutMark)))];
    if (kind === 'list')
      return [make('ul', {}, ...lines.map((line) => make('li', {}, ...drawInline(line.replace(/^\s*[•◦] /, '')))))];
    return joinLines(lines);
  });
}

const withoutMark = (line: string) => line.replace(/^&gt; ?/, '');

const joinLines = (lines: readonly string[]): Node[] =>
  lines.flatMap((line, index) => [...(index === 0 ? [] : [make('br')]), ...drawInline(line)]);

const marks = { '*': 'strong', _: 'em', '~': 's' } as const;
/** Code, then what is in angle brackets, then marks at the borders of words. */
const PIECE = /`([^`\n]+)`|<([^<>\n]+)>|(?<![\p{L}\p{N}])([*_~])(?=\S)((?:(?!\3).)+?)(?<=\S)\3(?![\p{L}\p{N}])/gu;

function drawInline(text: string): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    const [all, code, reference, mark, marked] = match;
    if (match.index > end) nodes.push(asText(text.slice(end, match.index)));
    end = match.index + all.length;
    if (code !== undefined) nodes.push(make('code', {}, withoutEscapes(code)));
    else if (reference !== undefined) nodes.push(drawReference(reference));
    else nodes.push(make(marks[mark as keyof typeof marks], {}, ...drawInline(marked ?? '')));
  }
  if (end < text.length) nodes.push(asText(text.slice(end)));
  return nodes;
}

/** A link, somebody, a conversation, or everybody. */
function drawReference(reference: string): Node {
  const [target = '', label] = reference.split(/\|(.*)/s);
  const rest = target.slice(1);
  if (target.startsWith('@')) return mention(`@${label ?? personOf(rest)?.name ?? rest}`);
  if (target.startsWith('#')) {
    return mention(`#${label || (channels.find(({ id }) => id === rest)?.name ?? rest)}`);
  }
  if (target.startsWith('!')) return mention(label ? withoutEscapes(label) : `@${rest.split('^')[0]}`);
  return drawLink(withoutEscapes(target), label === undefined ? null : drawInline(label));
}

function drawLink(address: string, label: Node[] | null): Node {
  const text = label ?? [document.createTextNode(address)];
  if (!/^(?:https?:\/\/|mailto:)/i.test(address)) return make('span', {}, ...text);
  return make('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, ...text);
}

const mention = (text: string) => make('span', { class: 'mention' }, withoutEscapes(text));

function drawLines(text: string): Node[] {
  return text
    .split('\n')
    .flatMap((line, index) => [...(index === 0 ? [] : [make('br')]), document.createTextNode(line)]);
}

const asText = (text: string) => document.createTextNode(withoutEscapes(text));

const withoutEscapes = (text: string) => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
