import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/ports/clock.ts';
import { type RunningApp, startApp } from '../../helpers/app.ts';
import { type AdminBrowser, createAdminBrowser } from '../admin/admin-browser.ts';
import { CALLBACK } from './assistant.ts';
import { ADMIN_PASSWORD, answerRequest, signIn } from './let-in.ts';

/** What strangers, broken clients and thieves may send, and how the specifications say it is
 *  refused. */

let app: RunningApp;
let key: string;
let browser: AdminBrowser;
let clientId: string;
beforeAll(async () => {
  app = await startApp(systemClock, { ADMIN_PASSWORD });
  key = await app.createKey();
  browser = await signIn(app.url);
  clientId = await register();
});
afterAll(() => app.close());

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { ...jsonHeaders, authorization: `Bearer ${key}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

async function register(uris: readonly string[] = [CALLBACK]): Promise<string> {
  const response = await fetch(`${app.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test', redirect_uris: uris }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { client_id: string }).client_id;
}

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

const authorization = (changes: Record<string, string | undefined> = {}) => {
  const all = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${app.url}/mcp`,
    scope: 'mcp',
    ...changes,
  };
  const url = new URL(`${app.url}/oauth/authorize`);
  for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
};

test('Walk U19: a person who opens the address is led to how to connect', async () => {
  const open = (accept: string) => fetch(`${app.url}/mcp`, { headers: { accept }, redirect: 'manual' });
  const page = await open('text/html,application/xhtml+xml,*/*;q=0.8');
  expect([page.status, page.headers.get('location')]).toEqual([303, '/connect#assistants']);
  expect((await open('application/json, text/event-stream')).status).toBe(401);
});

async function getCode(): Promise<string> {
  const answered = new URL(await answerRequest(browser, authorization()));
  return answered.searchParams.get('code')!;
}

const askToken = (fields: Record<string, string>) =>
  fetch(`${app.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });
const exchange = (code: string, changes: Record<string, string> = {}) =>
  askToken({
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    ...changes,
  });
interface Tokens {
  access_token: string;
  refresh_token: string;
}
async function getTokens(): Promise<Tokens> {
  const response = await exchange(await getCode());
  expect(response.status).toBe(200);
  return response.json() as Promise<Tokens>;
}
const renew = (refresh_token: string, changes: Record<string, string> = {}) =>
  askToken({ grant_type: 'refresh_token', refresh_token, client_id: clientId, ...changes });
const statusWith = async (token: string) => (await post(list, { authorization: `Bearer ${token}` })).status;

async function expectRefusal(response: Response, status: number, error: string): Promise<void> {
  const body = (await response.json()) as { error: string; error_description: string };
  expect({ status: response.status, error: body.error }).toEqual({ status, error });
  expect(body.error_description.length).toBeGreaterThan(10);
  expect(response.headers.get('cache-control')).toBe('no-store');
}

describe('nothing long is repeated', () => {
  const long = 'x'.repeat(50_000);
  const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
  const call = (name: string, args: object) => message('tools/call', { name, arguments: args });
  test.each([
    ['of another method', message(long, {})],
    ['of a tool that is none', call(long, {})],
    ['of an argument', call('search_learning', { keywords: 'a', [long]: 1 })],
    ['of a value', call('search_learning', { keywords: 'a', lang: long })],
    ['of a prompt that is none', message('prompts/get', { name: long })],
    ['of an address', message('resources/read', { uri: long })],
    ['of another scheme', message('resources/read', { uri: `https://a.example/${long}` })],
    ['of a resource that is none', message('resources/read', { uri: `skilldock://${long}` })],
    ['of a concept that is none', message('resources/read', { uri: `skilldock://concept/urn:${long}` })],
    [
      'of an object whose address ends with it',
      message('resources/read', { uri: `skilldock://object/https://www.python.org/#${long}` }),
    ],
    ['of a list', message('tools/list', { cursor: long })],
    ['of an id', { ...list, id: long }],
  ])('%s', async (_, body) => {
    const response = await post(body);
    expect(response.status).toBeLessThan(500);
    expect((await response.text()).length).toBeLessThan(8_000 + (body.method === 'tools/list' ? 40_000 : 0));
  });
});

describe('at the endpoint', () => {
  const metadata = () => `resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp"`;

  test.each([
    ['no key', {}, false],
    ['another scheme', { authorization: 'Basic YTpi' }, false],
    ['an unknown key', { authorization: 'Bearer sk_unknown' }, true],
    ['an unknown token', { authorization: 'Bearer skt_unknown' }, true],
  ])('%s is answered with 401 and the authorization server', async (_, headers, isInvalid) => {
    const response = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      body: JSON.stringify(list),
      headers: { ...jsonHeaders, ...(headers as Record<string, string>) },
    });
    expect(response.status).toBe(401);
    const asked = response.headers.get('www-authenticate')!;
    expect(asked).toContain(metadata());
    expect(asked.includes('error="invalid_token"')).toBe(isInvalid);
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { data: { code: 'TOKEN_INVALID' } },
      id: null,
    });
  });

  test('ignores a key in the address', async () => {
    const response = await fetch(`${app.url}/mcp?access_token=${key}`, {
      method: 'POST',
      headers: jsonHeaders,
      body: '{}',
    });
    expect(response.status).toBe(401);
  });

  test('answers 403 with the scope to a key without it', async () => {
    const other = await app.createKey({ scopes: ['competency', 'learning-objects', 'feedback'] });
    const response = await post(list, { authorization: `Bearer ${other}` });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect(response.headers.get('www-authenticate')).toContain('scope="mcp"');
  });

  test('answers 429 with the waiting time to a key over its limit', async () => {
    const small = await app.createKey({ perDay: 1 });
    expect(await statusWith(small)).toBe(200);
    const response = await post(list, { authorization: `Bearer ${small}` });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test.each(['https://evil.example', 'null', 'http://localhost.evil.example'])(
    'the page of %s is 403',
    async (origin) => {
      const response = await post(list, { origin });
      expect(response.status).toBe(403);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test('accepts a page of this machine', async () => {
    const response = await post(list, { origin: 'http://localhost:6274' });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:6274');
  });

  test.each([
    ['broken JSON', '{"jsonrpc":', {}, 400, -32_700],
    ['a list of messages', [list, list], {}, 400, -32_600],
    ['more than 160 kB', { ...list, params: { a: 'x'.repeat(170_000) } }, {}, 413, -32_600],
    ['another type', JSON.stringify(list), { 'content-type': 'text/plain' }, 415, -32_001],
    ['no message', { a: 1 }, {}, 400, -32_600],
    ['an unknown version', list, { 'mcp-protocol-version': '1999-01-01' }, 400, null],
    ['a client that takes no JSON', list, { accept: 'text/html' }, 406, null],
  ])('%s is refused', async (_, body, headers, status, code) => {
    const response = await post(body, headers as Record<string, string>);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { code: number } };
    if (code !== null) expect(error.code).toBe(code);
  });

  test.each(['GET', 'DELETE', 'PUT'])('answers 405 to %s', async (method) => {
    const headers = { ...jsonHeaders, authorization: `Bearer ${key}`, 'mcp-session-id': 'invented' };
    expect((await fetch(`${app.url}/mcp`, { method, headers })).status).toBe(405);
  });

  test('ignores a session id', async () => {
    expect((await post(list, { 'mcp-session-id': 'invented' })).status).toBe(200);
  });

  const words = { name: 'find_skills', arguments: { keywords: 'python' } };
  const META = 'io.modelcontextprotocol';
  const statelessMeta = {
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientInfo`]: { name: 'test', version: '1' },
    [`${META}/clientCapabilities`]: {},
  };
  const statelessCall = (meta: object = {}, call: object = words) => ({
    ...list,
    method: 'tools/call',
    params: { ...call, _meta: { ...statelessMeta, ...meta } },
  });
  const statelessHeaders = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'find_skills',
  };
  const callOf = (name: string, args: unknown) => ({
    ...list,
    method: 'tools/call',
    params: { name, arguments: args },
  });

  test.each<[string, object, Record<string, string>?]>([
    ['words', callOf('search_learning', { keywords: 'python' })],
    ['filters, in French', callOf('search_learning', { keywords: 'gestion', free: true }), { 'accept-language': 'fr' }],
    ['no result', callOf('search_learning', { keywords: 'xqzwkjhg' })],
    ['an unknown provider', callOf('search_learning', { keywords: 'python', provider: ['nobody'] })],
    ['skills', callOf('find_skills', { keywords: 'leadership', max: 3 })],
    ['wrong arguments', callOf('search_learning', { keywords: 1 })],
    ['no arguments', { ...list, method: 'tools/call', params: { name: 'find_skills' } }],
    ['an unknown tool', callOf('nothing', {})],
    ['a tool of persons', callOf('my_shelf', {})],
    ['a text as id', { ...callOf('tag_text', { text: 'Python' }), id: 'one' }],
    ['another field', { ...callOf('find_skills', { keywords: 'python' }), more: 1 }],
    ['progress', { ...list, method: 'tools/call', params: { ...words, _meta: { progressToken: 7 } } }],
    ['an old version', callOf('find_skills', { keywords: 'sql' }), { 'mcp-protocol-version': '2025-03-26' }],
    ['an unknown version', callOf('find_skills', { keywords: 'sql' }), { 'mcp-protocol-version': '1999-01-01' }],
    ['the revision of 2026', statelessCall(), statelessHeaders],
    [
      'the revision of 2026 that fails',
      statelessCall({}, { name: 'search_learning', arguments: { keywords: 'sql', provider: ['nobody'] } }),
      { ...statelessHeaders, 'mcp-name': 'search_learning' },
    ],
    [
      'capabilities and a title',
      statelessCall({
        [`${META}/clientInfo`]: { name: 'test', version: '1', title: 'Test' },
        [`${META}/clientCapabilities`]: { elicitation: {}, roots: { listChanged: true }, sampling: {} },
      }),
      statelessHeaders,
    ],
    ['another name in its header', statelessCall(), { ...statelessHeaders, 'mcp-name': 'tag_text' }],
    ['another method in its header', statelessCall(), { ...statelessHeaders, 'mcp-method': 'tools/list' }],
    ['no headers of the revision', statelessCall(), {}],
    ['an older version in its header', statelessCall(), { ...statelessHeaders, 'mcp-protocol-version': '2025-11-25' }],
    ['a revision to come', statelessCall({ [`${META}/protocolVersion`]: '2027-01-01' }), statelessHeaders],
    ['no client', statelessCall({ [`${META}/clientInfo`]: undefined }), statelessHeaders],
    ['the headers of the revision only', callOf('find_skills', { keywords: 'sql' }), statelessHeaders],
    ['no stream', callOf('find_skills', { keywords: 'sql' }), { accept: 'application/json' }],
  ])('a call with %s is answered as the SDK answers it', async (_, message, headers) => {
    // The SDK answers long messages.
    const answers = ['', ' '.repeat(1_000)].map(async (rest) => {
      const response = await post(JSON.stringify(message) + rest, headers);
      const text = (await response.text()).replace(
        /\w+\.[\w-]{8}\.[\w-]*\.[\w-]{16}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g,
        '…',
      );
      return { status: response.status, type: response.headers.get('content-type'), text };
    });
    const [plain, long] = await Promise.all(answers);
    expect(plain).toEqual(long);
  });

  test('answers unknown tools, methods and resources with errors of the protocol', async () => {
    const codes = await Promise.all(
      [
        callOf('drop_tables', {}),
        { ...list, method: 'shell/run' },
        { ...list, method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
      ].map(async (message) => ((await (await post(message)).json()) as { error: { code: number } }).error.code),
    );
    expect(codes).toEqual([-32_602, -32_601, expect.any(Number)]);
  });

  test.each([
    ['too many', { keywords: 'a', max: 1_000 }],
    ['too long', { keywords: 'x'.repeat(10_000) }],
    ['of another kind', { keywords: { $gt: '' } }],
    ['missing', {}],
    ['very many', { keywords: 'a', provider: Array.from({ length: 600 }, () => 'a') }],
  ])('explains arguments that are %s to the assistant', async (_, args) => {
    const { result, error } = (await (await post(callOf('search_learning', args))).json()) as {
      result?: { isError: boolean };
      error?: { code: number };
    };
    expect(result?.isError === true || error?.code === -32_602).toBe(true);
  });

  test('does not offer tools of a person to a key', async () => {
    const answer = await (await post(callOf('my_shelf', { action: 'list' }))).json();
    expect(answer).toMatchObject({ error: { code: -32_602 } });
  });
});

describe('at the authorization server', () => {
  test('publishes its metadata for programs of any site', async () => {
    for (const path of ['oauth-protected-resource/mcp', 'oauth-protected-resource', 'oauth-authorization-server']) {
      const response = await fetch(`${app.url}/.well-known/${path}`);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.status).toBe(200);
    }
    const server = await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).json();
    expect(server).toMatchObject({ issuer: app.url, code_challenge_methods_supported: ['S256'] });
  });

  test.each([
    ['nobody’s id', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['no id', { client_id: undefined }, 401, 'invalid_client'],
    ['a foreign address', { redirect_uri: 'https://evil.example/cb' }, 400, 'invalid_redirect_uri'],
    ['an address that only begins right', { redirect_uri: `${CALLBACK}/../evil` }, 400, 'invalid_redirect_uri'],
    ['another path of this machine', { redirect_uri: 'http://127.0.0.1:33418/other' }, 400, 'invalid_redirect_uri'],
    ['a private address as id', { client_id: 'https://127.0.0.1/client.json' }, 401, 'invalid_client'],
  ])('does not redirect with %s', async (_, changes, status, error) => {
    const response = await fetch(authorization(changes as Record<string, string | undefined>), {
      redirect: 'manual',
    });
    expect(response.headers.get('location')).toBeNull();
    await expectRefusal(response, status, error);
  });

  test('refuses repeated parameters', async () => {
    const response = await fetch(`${authorization().href}&client_id=other`, { redirect: 'manual' });
    await expectRefusal(response, 400, 'invalid_request');
  });

  test.each([
    ['another kind of answer', { response_type: 'token' }, 'unsupported_response_type'],
    ['no PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['an unknown scope', { scope: 'mcp admin' }, 'invalid_scope'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ])('%s is refused here: nobody is sent to an assistant before they have answered', async (_, changes, error) => {
    const response = await fetch(authorization(changes as Record<string, string | undefined>), {
      redirect: 'manual',
    });
    expect(response.headers.get('location')).toBeNull();
    await expectRefusal(response, 400, error);
  });

  test.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
  ])('answers a client that accepts %s with %s', async (accept, type) => {
    const response = await fetch(authorization({ client_id: 'nobody' }), { headers: { accept } });
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    expect(text).toContain('No assistant with this ID is registered here.');
    expect(
      text.includes(
        'An assistant sent an invalid access request. Nothing was granted. Remove this server from the assistant and connect it again. If the problem persists, report this to the assistant’s makers: “',
      ),
    ).toBe(type === 'text/html');
  });

  test('accepts any port of a program on this machine', async () => {
    const asked = authorization({ redirect_uri: 'http://127.0.0.1:50123/callback' });
    expect(await answerRequest(browser, asked)).toMatch(/^http:\/\/127\.0\.0\.1:50123\/callback\?code=/);
  });

  test('needs a signed-in person of the tenant or a code, our form, and one answer', async () => {
    const begun = await fetch(authorization(), { redirect: 'manual' });
    const path = begun.headers.get('location')!;
    const page = path.slice('/admin'.length);
    const yes = { answer: 'yes', tenant: 'default' };
    const stranger = createAdminBrowser(app.url);
    await stranger.page(page);
    expect((await stranger.post(page, yes)).status).toBe(422);
    expect((await browser.post(page, yes, { csrf: 'made up' })).status).toBe(403);
    expect((await browser.post(page, { ...yes, tenant: 'nobody' })).status).toBe(404);
    expect((await browser.post(page, yes)).status).toBe(200);
    expect((await browser.post(page, yes)).status).toBe(404);
    expect((await browser.get(page)).status).toBe(404);
  });

  test.each([
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }, 'invalid_grant'],
    ['another address', { redirect_uri: 'https://evil.example/cb' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ])('refuses a code with %s, and uses it up', async (_, changes, error) => {
    const code = await getCode();
    await expectRefusal(await exchange(code, changes), 400, error);
    await expectRefusal(await exchange(code), 400, 'invalid_grant');
  });

  test('refuses a code of another assistant', async () => {
    await expectRefusal(await exchange(await getCode(), { client_id: await register() }), 400, 'invalid_grant');
  });

  test('revokes the grant of a code that is used twice', async () => {
    const code = await getCode();
    const { access_token } = (await (await exchange(code)).json()) as Tokens;
    expect(await statusWith(access_token)).toBe(200);
    await expectRefusal(await exchange(code), 400, 'invalid_grant');
    await expect.poll(() => statusWith(access_token)).toBe(401);
  });

  test('accepts a refresh token once; a later repetition revokes the grant', async () => {
    const first = await getTokens();
    const answers = await Promise.all([renew(first.refresh_token), renew(first.refresh_token)]);
    const [second, again] = (await Promise.all(answers.map((answer) => answer.json()))) as Tokens[];
    expect(again).toMatchObject({ ...second, expires_in: expect.any(Number) });
    expect(await statusWith(second!.access_token)).toBe(200);
    expect(await statusWith(first.access_token)).toBe(401);
    const third = (await (await renew(second!.refresh_token)).json()) as Tokens;
    await expectRefusal(await renew(first.refresh_token), 400, 'invalid_grant');
    await expectRefusal(await renew(third.refresh_token), 400, 'invalid_grant');
  });

  test('revokes the grant when a copied refresh token and the original are both used', async () => {
    const owners = await getTokens();
    let thiefs = owners;
    for (let renewal = 0; renewal < 3; renewal++) thiefs = (await (await renew(thiefs.refresh_token)).json()) as Tokens;
    await expectRefusal(await renew(owners.refresh_token), 400, 'invalid_grant');
    await expectRefusal(await renew(thiefs.refresh_token), 400, 'invalid_grant');
    expect(await statusWith(thiefs.access_token)).toBe(401);
  });

  test('refuses a refresh token of another assistant or for another resource', async () => {
    const { refresh_token } = await getTokens();
    await expectRefusal(await renew(refresh_token, { client_id: await register() }), 400, 'invalid_grant');
    await expectRefusal(await renew(refresh_token, { resource: 'https://other.example/mcp' }), 400, 'invalid_target');
  });

  test('refuses refresh tokens, codes and API keys as access tokens', async () => {
    const { refresh_token } = await getTokens();
    for (const token of [refresh_token, await getCode()]) expect(await statusWith(token)).toBe(401);
  });

  test('revokes a token, but not one of another assistant', async () => {
    const { access_token, refresh_token } = await getTokens();
    const revoke = (client_id: string, token = refresh_token) =>
      fetch(`${app.url}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ client_id, token }) });
    expect((await revoke(await register())).status).toBe(200);
    expect(await statusWith(access_token)).toBe(200);
    expect((await revoke(clientId)).status).toBe(200);
    expect((await revoke(clientId, 'unknown')).status).toBe(200);
    await expectRefusal(await renew(refresh_token), 400, 'invalid_grant');
  });

  test.each([
    ['another grant', { grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
    ['no grant', {}, 'invalid_request'],
    ['no verifier', { grant_type: 'authorization_code', code: 'a', client_id: 'b' }, 'invalid_request'],
    [
      'a short verifier',
      { grant_type: 'authorization_code', code: 'a', client_id: 'b', code_verifier: 'c' },
      'invalid_request',
    ],
  ])('refuses a token request with %s', async (_, fields, error) => {
    await expectRefusal(await askToken(fields as Record<string, string>), 400, error);
  });

  test.each([
    ['javascript:alert(1)'],
    ['http://evil.example/cb'],
    ['https://evil.example/cb#fragment'],
    ['data:text/html,x'],
    ['https://user:password@evil.example/'],
    ['file:///etc/passwd'],
  ])('refuses to register %s', async (uri) => {
    const response = await fetch(`${app.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [uri] }),
    });
    await expectRefusal(response, 400, 'invalid_redirect_uri');
  });

  test('shows the name of an assistant as visible text', async () => {
    const response = await fetch(`${app.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: '<b>Ad\u00admin</b>\u202e\u0000 page\u{e0041}',
        redirect_uris: [CALLBACK],
      }),
    });
    const { client_id } = (await response.json()) as { client_id: string };
    const begun = await fetch(authorization({ client_id }), { redirect: 'manual' });
    const page = await browser.page(begun.headers.get('location')!.slice('/admin'.length));
    expect(page).toContain('&lt;b&gt;Admin&lt;/b&gt; page');
    expect(page).not.toMatch(/[\u202e\u00ad\u{e0041}]/u);
    expect(page).not.toContain('<b>Admin');
  });
});
