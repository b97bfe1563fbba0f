import type { RunningDemo } from '../start-demo.ts';

/** What the scripts of the page do, without a browser. */

export interface ShownMessage {
  readonly ts: string;
  readonly threadTs: string | null;
  readonly from: string;
  readonly isPrivate: boolean;
  readonly text: string;
  readonly blocks: readonly Block[];
}

export interface ShownView {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly errors: Readonly<Record<string, string>>;
}

export interface Shown {
  readonly version: number;
  readonly messages: readonly ShownMessage[];
  readonly views: readonly ShownView[];
  readonly home: ShownView | null;
  readonly problems: readonly string[];
}

interface Element {
  readonly type: string;
  readonly action_id: string;
}
interface Block {
  readonly type: string;
  readonly block_id: string;
  readonly accessory?: Element;
  readonly elements?: readonly Element[];
}

export interface ChatClient {
  readonly cookie: string;
  /** Of Ada and Ben. */
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly channels: readonly { readonly id: string; readonly name: string }[];
  /** As the first person in the first conversation, unless somebody or somewhere else is named. */
  act(act: object, where?: Partial<Where>): Promise<Shown>;
  /** The answer as it came. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  see(where?: Partial<Where>): Promise<Shown>;
  where(where?: Partial<Where>): Where;
}

export interface Where {
  readonly userId: string;
  readonly channelId: string;
}

/** Opens the page as a browser that was never here. */
export async function openChat(demo: RunningDemo, language = 'en'): Promise<ChatClient> {
  const response = await demo.get('/slack', { headers: { 'accept-language': language } });
  const cookie = response.headers.get('set-cookie')!.split(';')[0]!;
  const [, written = ''] = /data-begin="([^"]*)"/.exec(await response.text()) ?? [];
  const begin = JSON.parse(written.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'));
  const headers = { cookie, origin: new URL(demo.url).origin, 'content-type': 'application/json' };
  const where = (more: Partial<Where> = {}) => ({
    userId: begin.people[0].id,
    channelId: begin.channels[0].id,
    ...more,
  });
  const post: ChatClient['post'] = (path, body, more = {}) =>
    demo.get(path, { method: 'POST', body: JSON.stringify(body), headers: { ...headers, ...more } });
  return {
    cookie,
    people: begin.people,
    channels: begin.channels,
    where,
    post,
    async act(act, more) {
      const answer = await post('/slack/acts', { ...where(more), act });
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
      return ((await answer.json()) as { state: Shown }).state;
    },
    async see(more) {
      const { userId, channelId } = where(more);
      const query = new URLSearchParams({ user: userId, channel: channelId });
      return (await (await demo.get(`/slack/state?${query}`, { headers })).json()) as Shown;
    },
  };
}

/** The one with this action, and its block. */
export function findAction(blocks: readonly Block[], actionId: RegExp): { blockId: string; actionId: string } {
  for (const block of blocks)
    for (const element of [block.accessory, ...(block.elements ?? [])])
      if (element !== undefined && actionId.test(element.action_id ?? ''))
        return { blockId: block.block_id, actionId: element.action_id };
  throw new Error(`there is no ${actionId}`);
}
