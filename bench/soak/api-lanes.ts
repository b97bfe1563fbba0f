import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminBrowser } from '../../test/faces/admin/admin-browser.ts';
import { required } from '../required.ts';
import type { Lane } from './lanes.ts';
import type { DrawWords } from './words.ts';

interface ApiDeps {
  readonly url: string;
  /** Never throttled. */
  readonly key: string;
  readonly draw: DrawWords;
  readonly owner: AdminBrowser;
}

interface Found {
  readonly request: { readonly id: string };
  readonly response: { readonly content: readonly { readonly url: string }[] };
}

const objects = '/learningobject/v2';

/** What programs ask of the HTTP API, and the front page. */
export async function createApiLanes({ url, key, draw, owner }: ApiDeps): Promise<readonly Lane[]> {
  async function ask(path: string, body?: object, own: string = key): Promise<unknown> {
    const headers = { 'x-api-key': own, 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(url + path, { headers, ...init });
    const text = await answer.text();
    if (!answer.ok) {
      const { code, details } = JSON.parse(text) as Record<string, unknown>;
      const said = [path.replace(/\?.*/, ''), answer.status, code, JSON.stringify(details)];
      throw new Error(said.join(' '));
    }
    return JSON.parse(text);
  }

  const { response: providers } = (await ask(`${objects}/provider`)) as { response: { id: string }[] };
  const words = (count: number) => encodeURIComponent(draw(count));
  const inProvider = (turn: number) =>
    `${objects}/search-provider?provider=${required(providers[turn % providers.length], 'provider').id}`;

  const operations: readonly ((turn: number) => Promise<unknown>)[] = [
    () => ask(`${objects}/search?keywords=${words(2)}`),
    (turn) => ask(`${inProvider(turn)}&keywords=${words(2)}`),
    () => ask(`/domcomp/v1/similar?keywords=${words(2)}`),
    () => ask(`${objects}/search?keywords=${words(3)}&model=strict&lang=en&max=20`),
    (turn) => ask(`${inProvider(turn)}&keywords=${words(1)}&lang=fr&match=strict`),
    () => ask(`/domcomp/v1/suggest?keywords=${encodeURIComponent(draw(1).slice(0, 5))}`),
    () => ask('/domcomp/v1/tagger', { text: draw(40) }),
    (turn) => ask(`${objects}/${required(['provider', 'type', 'bloom', 'lang'][turn % 4], 'list')}`),
    (turn) => home(`/?q=${words(2)}`, turn),
  ];

  /** From another address each time, as one may not ask so often. */
  async function home(path: string, turn: number): Promise<void> {
    const headers = { 'x-forwarded-for': `10.${turn % 199}.${turn % 211}.7` };
    const answer = await fetch(url + path, { headers });
    await answer.text();
    if (answer.status !== 200) throw new Error(`the front page answered with ${answer.status}`);
  }

  async function giveFeedback(turn: number): Promise<void> {
    const { request, response } = (await ask(`${inProvider(turn)}&keywords=${words(2)}`)) as Found;
    const object = response.content[0];
    if (object === undefined) return;
    await ask(`${objects}/feedback`, {
      url: object.url,
      request_id: request.id,
      comment: draw(12),
      email: `person${turn % 400}@school.example`,
      source: 'https://school.example/course/7',
    });
  }

  async function makeAndRevokeKey(turn: number): Promise<void> {
    const scopes = ['competency', 'learning-objects'];
    const form = { name: `Soak ${turn}`, scopes, perSecond: '20', perDay: '50000', lastDay: '' };
    const made = await (await owner.post('/tenants/default/keys', form)).text();
    const own = required(/<code id="key">(.*?)<\/code>/.exec(made)?.[1], 'key');
    await ask(`/domcomp/v1/similar?keywords=${words(1)}`, undefined, own);
    const revoke = /href="\/admin(\/tenants\/default\/keys\/[^"]+\/revoke)"/;
    const path = required(revoke.exec(await owner.page('/keys'))?.[1], 'key to revoke');
    const revoked = await owner.post(path);
    if (revoked.status !== 303) throw new Error(`revoking was answered with ${revoked.status}`);
    // Hosts hear of it within a second.
    await sleep(1_500);
    const refused = await fetch(`${url}/domcomp/v1/similar?keywords=x`, { headers: { 'x-api-key': own } });
    await refused.text();
    if (refused.status !== 403) throw new Error(`a revoked key was answered with ${refused.status}`);
  }

  return [
    {
      name: 'operations',
      everySeconds: 1 / 15,
      act: async (turn) => void (await required(operations[turn % operations.length], 'operation')(turn)),
    },
    { name: 'feedback', everySeconds: 2, act: giveFeedback },
    { name: 'keys', everySeconds: 10, act: makeAndRevokeKey },
  ];
}
