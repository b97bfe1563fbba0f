/** The messages of a conversation. What has not changed stays as it is, with what is chosen in it and where the focus is. */

import { drawBlocks } from './blocks.ts';
import { find, getPresent, keepFocus, make } from './dom.ts';
import { createMenu } from './menu.ts';
import { drawMrkdwn } from './mrkdwn.ts';
import { drawPayload } from './payload.ts';
import type { Message } from './state.ts';
import type { Surface } from './surface.ts';
import { locale, personOf, say } from './words.ts';

export interface MessagesParts {
  readonly list: HTMLElement;
  surfaceOf(message: Message): Surface;
  findLearning(message: Message): void;
  reply(message: Message): void;
}

interface Drawn {
  readonly content: string;
  readonly node: HTMLElement;
}

export function createMessages({ list, ...parts }: MessagesParts) {
  let drawn = new Map<string, Drawn>();

  function draw(message: Message): Drawn {
    const before = drawn.get(message.ts);
    const content = JSON.stringify(message);
    if (before?.content === content) return before;
    const node = drawMessage(message, parts);
    if (before !== undefined) keepFocus(before.node, node);
    return { content, node };
  }

  return {
    /** @returns those that are new or changed */
    show(messages: readonly Message[]): readonly Message[] {
      const next = new Map(messages.map((message) => [message.ts, draw(message)]));
      const changed = messages.filter(({ ts }) => drawn.get(ts) !== next.get(ts));
      drawn = next;
      arrange(list, messages, next);
      return changed;
    },
    nodeOf: (ts: string) => drawn.get(ts)?.node ?? null,
    forget() {
      drawn = new Map();
    },
  };
}

/** Replies are below the message that their thread began with. */
function arrange(list: HTMLElement, messages: readonly Message[], drawn: ReadonlyMap<string, Drawn>): void {
  const isReply = ({ threadTs }: Message) => threadTs !== null && drawn.has(threadTs);
  const begun = messages.filter((message) => !isReply(message));
  const nodeOf = ({ ts }: Message) => getPresent(drawn.get(ts), ts).node;
  const nodes = begun.map((message) => {
    const { ts } = message;
    const node = nodeOf(message);
    const replies = messages.filter((each) => isReply(each) && each.threadTs === ts);
    setChildren(find(':scope > .replies', node), replies.map(nodeOf));
    return node;
  });
  setChildren(list, nodes);
}

/** Does not move what is already in its place, as that would take the focus from it. */
function setChildren(parent: HTMLElement, nodes: readonly HTMLElement[]): void {
  for (const child of [...parent.children]) if (!nodes.includes(child as HTMLElement)) child.remove();
  for (const [index, node] of nodes.entries())
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
}

type DrawParts = Omit<MessagesParts, 'list'>;

function drawMessage(message: Message, parts: DrawParts): HTMLElement {
  const { isPrivate, from, text, blocks } = message;
  const body =
    blocks.length > 0 ? drawBlocks(blocks, parts.surfaceOf(message)) : [make('div', {}, ...drawMrkdwn(text))];
  return make(
    'li',
    { class: `message${isPrivate ? ' private' : ''}`, 'data-ts': message.ts, tabindex: '-1' },
    make('div', { class: `avatar ${from}`, 'aria-hidden': 'true' }, authorOf(message).slice(0, 1)),
    make(
      'div',
      { class: 'message-main' },
      drawHead(message, parts),
      isPrivate ? make('p', { class: 'only-you' }, say('onlyYou')) : null,
      make('div', { class: 'message-body' }, ...body),
      from === 'app' ? drawPayload({ text, blocks }) : null,
    ),
    make('ol', { class: 'replies' }),
  );
}

export const authorOf = ({ from, userId }: Message): string =>
  from === 'app' ? say('app') : from === 'slackbot' ? 'Slackbot' : (personOf(userId)?.name ?? '');

function drawHead(message: Message, { findLearning, reply }: DrawParts): HTMLElement {
  const sentAt = new Date(message.sentAt);
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(sentAt);
  return make(
    'div',
    { class: 'message-head' },
    make('strong', {}, authorOf(message)),
    message.from === 'app' ? make('span', { class: 'badge' }, say('appBadge')) : null,
    make('time', { datetime: sentAt.toISOString(), class: 'quiet' }, time),
    // Slack offers no shortcuts for what only one person sees.
    message.isPrivate
      ? null
      : createMenu(say('messageMenu', { name: authorOf(message) }), [
          { text: say('findLearning'), act: () => findLearning(message) },
          { text: say('reply'), act: () => reply(message) },
        ]),
  );
}
