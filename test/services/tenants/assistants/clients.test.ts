import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isAssistantRedirect, isMetadataAddress, isSameAssistantRedirect } from '../../../../src/domain/assistants.ts';
import { AppError } from '../../../../src/errors.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import type { Outbound, OutboundRequest } from '../../../../src/ports/outbound.ts';
import { type AssistantClients, createAssistantClients } from '../../../../src/services/tenants/assistants/clients.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { type OpenedServices, openServices } from '../../../helpers/open-services.ts';

const HERE = '192.0.2.1';
const ID = 'https://assistant.example/oauth/client.json';

let services: OpenedServices<Clock>;
beforeAll(async () => {
  services = await openServices();
});
afterAll(() => services.close());

/** Clients where the web has this document at the id. */
function open(document: unknown, status = 200) {
  const asked: { url: string; request: OutboundRequest | undefined }[] = [];
  const outbound: Outbound = {
    async request(url, request) {
      asked.push({ url, request });
      const text = typeof document === 'string' ? document : JSON.stringify(document);
      return { status, headers: {}, text, bytes: new TextEncoder().encode(text), url };
    },
  };
  const { assistants, rateCounters } = services.store;
  return {
    asked,
    clients: createAssistantClients({ assistants, rateCounters, outbound, clock: services.clock }),
  };
}

const good = { client_id: ID, client_name: 'Assistant', redirect_uris: ['https://assistant.example/cb'] };
const refusal = (clients: AssistantClients, id: string) =>
  clients.get(id, HERE).then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error.data.error : error),
  );

describe('an assistant whose id is the address of a document', () => {
  test('is who the document says, read once, from public addresses only', async () => {
    const { clients, asked } = open(good);
    expect(await clients.get(ID, HERE)).toEqual({
      id: ID,
      name: 'Assistant',
      redirectUris: good.redirect_uris,
    });
    await clients.get(ID, HERE);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ url: ID, request: { isByStranger: true, maxBytes: 16_384 } });
  });

  test('without a name is called by its host', async () => {
    const { client_name: _, ...nameless } = good;
    expect((await open(nameless).clients.get(ID, HERE)).name).toBe('assistant.example');
  });

  test.each([
    ['another id', { ...good, client_id: 'https://other.example/client.json' }, 200],
    ['no addresses', { client_id: ID }, 200],
    ['an address that is none', { ...good, redirect_uris: ['javascript:alert(1)'] }, 200],
    ['a secret to prove', { ...good, token_endpoint_auth_method: 'client_secret_basic' }, 200],
    ['a page', '<html>', 200],
    ['nothing', good, 404],
  ])('is refused where there is %s', async (_, document, status) => {
    expect(await refusal(open(document, status).clients, ID)).toBe('invalid_client');
  });
});

describe('documents that nobody has read yet', () => {
  const idOf = (number: number) => `https://assistant.example/${number}/client.json`;

  test('are read two at a time, and only so many wait', async () => {
    let running = 0;
    let most = 0;
    const releases: (() => void)[] = [];
    const { assistants, rateCounters } = services.store;
    const clients = createAssistantClients({
      assistants,
      rateCounters,
      clock: services.clock,
      outbound: {
        async request() {
          most = Math.max(most, ++running);
          await new Promise<void>((done) => releases.push(done));
          running--;
          throw new AppError('OUTBOUND_FAILED', 'It does not answer.');
        },
      },
    });
    const asked = Array.from({ length: 30 }, (_, number) =>
      clients.get(idOf(number), `198.51.100.${number}`).catch(({ code }: AppError) => code),
    );
    await expect.poll(() => releases.length).toBe(2);
    const drain = setInterval(() => releases.shift()?.(), 1);
    const codes = await Promise.all(asked);
    clearInterval(drain);
    expect(most).toBe(2);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(8);
  });

  test('are ten a minute for a network; what was read before is not counted', async () => {
    const { clients, asked } = open(good);
    const network = (number: number) => `2001:db8:7:7::${number}`;
    await clients.get(ID, network(0));
    for (let number = 1; number < 10; number++)
      await expect(clients.get(idOf(number), network(number))).rejects.toMatchObject({
        code: 'ASSISTANT_REFUSED',
      });
    await expect(clients.get(idOf(11), network(11))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(asked).toHaveLength(10);
    expect((await clients.get(ID, network(12))).id).toBe(ID);
  });
});

test.each([
  ['https://a.example/client.json', true],
  ['https://a.example/', false],
  ['https://a.example', false],
  ['http://a.example/client.json', false],
  ['https://a.example/client.json#x', false],
  ['https://u:p@a.example/client.json', false],
  ['https://a.example/x/../client.json', false],
  ['a1b2', false],
])('whether %s can be the id of one: %s', (id, isOne) => {
  expect(isMetadataAddress(id)).toBe(isOne);
});

test.each([
  ['https://a.example/cb', true],
  ['http://127.0.0.1:1/cb', true],
  ['http://localhost/cb', true],
  ['http://[::1]:8080/cb', true],
  ['cursor://anysphere.cursor-mcp/oauth/callback', true],
  ['com.example.app:/cb', true],
  ['http://a.example/cb', false],
  ['http://localhost.a.example/cb', false],
  ['vscode://vscode.github-authentication/did-authenticate', true],
  ['vbscript:x', false],
  ['ms-msdt:/id', false],
  ['search-ms:query=x', false],
  ['mailto:a@b.example', false],
  ['chrome://settings', false],
  ['https://a.example/ cb', false],
  ['https://a.example/#', false],
  ['https://evil.example\\@a.example/cb', false],
  ['https:a.example', false],
  ['https:///a.example', false],
  ['HTTP:127.0.0.1/cb', false],
  ['', false],
])('whether a code may be sent to %s: %s', (uri, isAllowed) => {
  expect(isAssistantRedirect(uri)).toBe(isAllowed);
});

test.each([
  ['https://a.example/cb', 'https://a.example/cb', true],
  ['https://a.example/cb', 'https://a.example/cb?x=1', false],
  ['https://a.example/cb', 'https://a.example:8443/cb', false],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:5000/cb', true],
  ['http://127.0.0.1/cb', 'http://localhost:5000/cb', false],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:5000/other', false],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:5000/c\tb', false],
  ['http://127.0.0.1/cb', 'http:\\\\127.0.0.1:5000/cb', false],
  ['http://127.0.0.1/cb', 'http://evil@127.0.0.1:5000/cb', false],
])('%s registered, %s asked: %s', (registered, asked, isSame) => {
  expect(isSameAssistantRedirect(registered, asked)).toBe(isSame);
});

const anyone = { name: ' A\u0000  b ', redirectUris: ['https://a.example/cb'] };

test('where there are 10,000, those without a grant make room after an hour', async () => {
  const clock = createStandingClock();
  const own = await openServices(clock);
  onTestFinished(own.close);
  const { clients } = own.assistants;
  const { id } = await clients.register(anyone, 'address');
  expect(await clients.get(id, HERE)).toMatchObject({ name: 'A b', lastUsedAt: null });
  const record = { name: 'a', redirectUris: anyone.redirectUris, createdAt: clock.now(), lastUsedAt: null };
  for (let number = 1; number < 10_000; number++)
    await own.store.assistants.addAssistantClient({ ...record, id: `${number}` });
  await expect(clients.register(anyone, 'address')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  clock.advance(3_600_001);
  await clients.noteUse(id);
  await clients.register(anyone, 'address');
  expect(await clients.get(id, HERE)).toMatchObject({ lastUsedAt: clock.now() });
  expect(await own.store.assistants.countAssistantClients()).toBe(2);
});

test('one address registers 60 in an hour at most', async () => {
  const { clients } = open(good);
  const register = () => clients.register({ name: 'a', redirectUris: ['https://a.example/cb'] }, 'busy');
  for (let made = 0; made < 60; made++) await register();
  await expect(register()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('the addresses of one IPv6 network register 60 in an hour together', async () => {
  const { clients } = open(good);
  const register = (address: string) =>
    clients.register({ name: 'a', redirectUris: ['https://a.example/cb'] }, address);
  for (let made = 1; made <= 60; made++) await register(`2001:db8:1:2::${made.toString(16)}`);
  await expect(register('2001:db8:1:2:ffff::1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(await register('2001:db8:1:3::1')).toMatchObject({ name: 'a' });
});
