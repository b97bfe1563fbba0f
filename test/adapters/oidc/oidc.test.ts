import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createOidc } from '../../../src/adapters/oidc/oidc.ts';
import type { Oidc } from '../../../src/ports/oidc.ts';
import { type Behaviour, type FakeOidcProvider, startOidcProvider } from '../../fakes/oidc-provider.ts';

const realFetch = fetch;

async function startProvider(): Promise<FakeOidcProvider> {
  const provider = await startOidcProvider();
  onTestFinished(() => provider.stop());
  return provider;
}

const createFor = ({ issuer, clientId, clientSecret }: FakeOidcProvider, change = {}): Oidc =>
  createOidc({ issuer, clientId, clientSecret, name: 'Example', ...change });

async function start(): Promise<{ provider: FakeOidcProvider; oidc: Oidc }> {
  const provider = await startProvider();
  return { provider, oidc: createFor(provider) };
}

/** A whole sign-in; `behaviour` begins after the browser has left. */
async function signIn(behaviour: Behaviour = {}, { provider, oidc }: Partial<Awaited<ReturnType<typeof start>>> = {}) {
  const at = provider ?? (await startProvider());
  const with_ = oidc ?? createFor(at);
  const { url, kept } = await with_.begin(at.redirectUri);
  at.behave(behaviour);
  return with_.finish(await at.visit(url), kept);
}

/** What can be shown says nothing of what went wrong inside; the log has it. */
async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => Promise.reject(new Error('it was not refused')),
    (reason) => reason,
  );
  expect(error.message).not.toMatch(/127\.0\.0\.1|secret|token|JWT|nonce|fetch|issuer|\d{3}/i);
  return error.code;
}

describe('the claim of roles', () => {
  const claimed = async (behaviour: Behaviour) => {
    const provider = await startProvider();
    const oidc = createFor(provider, { roleClaim: 'groups' });
    return (await signIn(behaviour, { provider, oidc })).claimed;
  };

  test.each<[string, unknown, readonly string[] | null]>([
    ['an array', ['lib-admins', ' revision '], ['lib-admins', 'revision']],
    ['one text', 'lib-admins', ['lib-admins']],
    ['a text with signs, which is one value', 'lib-admins, revision', ['lib-admins, revision']],
    ['an empty array', [], []],
    ['other things', [1, null, { a: 'lib-admins' }, ''], []],
    ['an object', { 'lib-admins': true }, []],
    ['null', null, null],
  ])('is read as %s', async (_, groups, values) => {
    expect(await claimed({ claims: { groups } })).toEqual(values);
    const asked = await claimed({ userinfoClaims: { groups } });
    expect(asked).toEqual(values);
  });

  test('of the ID token counts more than that of userinfo, and a missing one is none', async () => {
    expect(await claimed({ claims: { groups: ['a'] }, userinfoClaims: { groups: ['b'] } })).toEqual(['a']);
    expect(await claimed({})).toBeNull();
  });

  test('is not taken for missing while userinfo does not answer', async () => {
    expect(await refusal(claimed({ userinfo: 503 }))).toBe('OIDC_UNAVAILABLE');
    expect(await refusal(claimed({ userinfo: 403 }))).toBe('OIDC_FAILED');
    expect(await refusal(claimed({ userinfoClaims: { sub: 'another', groups: ['a'] } }))).toBe('OIDC_FAILED');
  });

  test.each([{ _claim_names: { groups: 'src1' } }, { hasgroups: true }])(
    'is not taken for missing with %j',
    async (claims) => {
      const { code, data } = await claimed({ claims }).then(
        () => expect.unreachable(),
        (error) => error,
      );
      expect({ code, ...data }).toEqual({ code: 'OIDC_FAILED', reason: 'CLAIM_LEFT_OUT', claim: 'groups' });
      expect(await claimed({ claims, userinfoClaims: { groups: ['a'] } })).toEqual(['a']);
    },
  );

  test('is no address that the provider has not verified', async () => {
    const provider = await startProvider();
    const oidc = createFor(provider, { roleClaim: 'email' });
    const emails = async (claims: object) => (await signIn({ claims: { ...claims } }, { provider, oidc })).claimed;
    const email = 'ada@example.org';
    expect(await emails({ email, email_verified: true })).toEqual([email]);
    expect(await emails({ email, email_verified: false })).toBeNull();
    expect(await emails({ email })).toBeNull();
  });

  test('of another tenant than that of the issuer gives no role', async () => {
    const provider = await startProvider();
    const everyTenant = 'https://login.microsoftonline.com/common/v2.0';
    vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
      realFetch(`${url}`.replace(everyTenant, provider.issuer), init),
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const tenantOf = (tid: string) => `https://login.microsoftonline.com/${tid}/v2.0`;
    const behaviour = {
      metadata: { issuer: tenantOf('{tenantid}'), authorization_response_iss_parameter_supported: false },
      callback: { iss: null },
      claims: { iss: tenantOf('t1'), tid: 't1', groups: ['lib-admins'] },
    };
    provider.behave(behaviour);
    const open = (roleClaim?: string) => ({ provider, oidc: createFor(provider, { issuer: everyTenant, roleClaim }) });
    expect(await signIn(behaviour, open())).toMatchObject({ subject: `${tenantOf('t1')} 248289761001` });
    const error = await signIn(behaviour, open('groups')).then(
      () => expect.unreachable(),
      (reason) => reason,
    );
    expect(error).toMatchObject({ code: 'OIDC_FAILED', cause: { message: expect.stringContaining('OIDC_ISSUER') } });
  });

  test('is asked for by its scope where the provider has one', async () => {
    const provider = await startProvider();
    provider.behave({ metadata: { scopes_supported: ['openid', 'groups'] } });
    const scopeOf = async (change: object) =>
      new URL((await createFor(provider, change).begin(provider.redirectUri)).url).searchParams.get('scope');
    expect(await scopeOf({ roleClaim: 'groups' })).toBe('openid profile email groups');
    expect(await scopeOf({ roleClaim: 'roles' })).toBe('openid profile email');
    expect(await scopeOf({})).toBe('openid profile email');
  });
});

describe('signing in', () => {
  test('gives the person and the provider', async () => {
    const { provider, oidc } = await start();
    const identity = await signIn({}, { provider, oidc });
    expect(identity).toEqual({ subject: `${provider.issuer} 248289761001`, name: 'ada', claimed: null });
    expect(oidc.name).toBe('Example');
    expect(provider.requests).toEqual([
      'GET /.well-known/openid-configuration',
      'GET /authorize',
      'POST /token',
      'GET /jwks',
    ]);
  });

  test('begins with new values each time, and reads the metadata of the provider once', async () => {
    const { provider, oidc } = await start();
    const begun = await Promise.all([oidc.begin(provider.redirectUri), oidc.begin(provider.redirectUri)]);
    begun.push(await oidc.begin(provider.redirectUri));
    const secrets = begun.flatMap(({ state, kept }) => {
      const { nonce, verifier } = JSON.parse(kept) as { nonce: string; verifier: string };
      return [state, nonce, verifier];
    });
    expect(new Set(secrets).size).toBe(9);
    expect(provider.requests).toEqual(['GET /.well-known/openid-configuration']);
  });

  test('sends the state, and not the secrets, through the browser', async () => {
    const { provider, oidc } = await start();
    const { url, state, kept } = await oidc.begin(provider.redirectUri);
    const { searchParams } = new URL(url);
    expect(searchParams.get('state')).toBe(state);
    expect(searchParams.get('scope')).toBe('openid profile email');
    const { verifier } = JSON.parse(kept) as { verifier: string };
    expect(url).not.toContain(verifier);
    expect(url).not.toContain(encodeURIComponent(provider.clientSecret));
  });

  test('can be finished by another host, whatever a proxy made of the address', async () => {
    const { provider, oidc } = await start();
    const { url, kept } = await oidc.begin(provider.redirectUri);
    const back = new URL(await provider.visit(url));
    back.host = 'inside.example:8080';
    await expect(createFor(provider).finish(back.href, kept)).resolves.toMatchObject({ name: 'ada' });
  });

  test.each([[['client_secret_post']], [['client_secret_basic']], [['client_secret_post', 'client_secret_basic']]])(
    'at a provider that takes %j',
    async (methods) => {
      const { provider, oidc } = await start();
      provider.behave({ metadata: { token_endpoint_auth_methods_supported: methods } });
      const { url, kept } = await oidc.begin(provider.redirectUri);
      await expect(oidc.finish(await provider.visit(url), kept)).resolves.toBeDefined();
    },
  );
});

describe('the name', () => {
  test.each<[Behaviour, string | null]>([
    [{ claims: { preferred_username: ' ada ', email: 'ada@example.org' } }, 'ada'],
    [{ claims: { preferred_username: '', email: 'ada@example.com', name: 'Ada' } }, 'ada@example.com'],
    [{ claims: { preferred_username: 7, name: 'Ada' } }, 'Ada'],
    [{ claims: { preferred_username: null } }, 'ada@example.org'],
    [{ claims: { preferred_username: null }, userinfoClaims: { email: null } }, null],
    [{ claims: { preferred_username: null }, userinfoClaims: { sub: 'mallory' } }, null],
    [{ claims: { preferred_username: null }, userinfo: 500 }, null],
  ])('after %j is %j', async (behaviour, name) => {
    const { provider, oidc } = await start();
    await expect(signIn(behaviour, { provider, oidc })).resolves.toEqual({
      subject: `${provider.issuer} 248289761001`,
      name,
      claimed: null,
    });
  });
});

describe('an invalid sign-in', () => {
  const past = Math.floor(Date.now() / 1000) - 3600;
  test.each<[string, Behaviour]>([
    ['the nonce of another', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: null } }],
    ['another audience', { claims: { aud: 'another' } }],
    ['two audiences, for another party', { claims: { aud: ['skilldock host', 'another'], azp: 'another' } }],
    ['an ID token that has expired', { claims: { iat: past - 300, exp: past } }],
    ['an ID token of the future', { claims: { nbf: past + 7200 } }],
    ['an ID token without end', { claims: { exp: null } }],
    ['an ID token of another issuer', { claims: { iss: 'https://id.example' } }],
    ['an ID token of nobody', { claims: { sub: null } }],
    ['no ID token', { hasNoIdToken: true }],
    ['no signature', { signing: 'none' }],
    ['the signature of another key', { signing: 'another key' }],
    ['a signature with what the client knows', { signing: 'client secret' }],
    ['a signature of something else', { signing: 'broken' }],
    ['a refusal by the user', { callback: { code: null, error: 'access_denied' } }],
    ['the state of another', { callback: { state: 'another' } }],
    ['no state', { callback: { state: null } }],
    ['the answer of another issuer', { callback: { iss: 'https://id.example' } }],
    ['an answer that hides its issuer', { callback: { iss: null } }],
    ['a code of another', { callback: { code: 'another' } }],
    ['no code', { callback: { code: null } }],
    ['a refused code', { token: 400 }],
  ])('%s', async (_, behaviour) => {
    expect(await refusal(signIn(behaviour))).toBe('OIDC_FAILED');
  });

  test('the same answer a second time', async () => {
    const { provider, oidc } = await start();
    const { url, kept } = await oidc.begin(provider.redirectUri);
    const back = await provider.visit(url);
    await oidc.finish(back, kept);
    expect(await refusal(oidc.finish(back, kept))).toBe('OIDC_FAILED');
  });

  test('an answer to somebody else’s beginning', async () => {
    const { provider, oidc } = await start();
    const [mine, theirs] = [await oidc.begin(provider.redirectUri), await oidc.begin(provider.redirectUri)];
    expect(await refusal(oidc.finish(await provider.visit(theirs.url), mine.kept))).toBe('OIDC_FAILED');
  });

  test('a code obtained without the verifier (PKCE)', async () => {
    const { provider, oidc } = await start();
    const { url, kept } = await oidc.begin(provider.redirectUri);
    const back = await provider.visit(url);
    const changed = JSON.stringify({ ...JSON.parse(kept), verifier: 'x'.repeat(43) });
    expect(await refusal(oidc.finish(back, changed))).toBe('OIDC_FAILED');
  });

  test.each(['', '{}', '[]', 'null', '"x"', '{"redirectUri":7}'])('what was kept is %j', async (kept) => {
    const { provider, oidc } = await start();
    const { url } = await oidc.begin(provider.redirectUri);
    expect(await refusal(oidc.finish(await provider.visit(url), kept))).toBe('OIDC_FAILED');
  });

  test.each(['', '/relative', 'http://127.0.0.1/'])('the browser came back to %j', async (back) => {
    const { provider, oidc } = await start();
    const { kept } = await oidc.begin(provider.redirectUri);
    expect(await refusal(oidc.finish(back, kept))).toBe('OIDC_FAILED');
  });

  test('a client with a wrong secret', async () => {
    const provider = await startProvider();
    const oidc = createFor(provider, { clientSecret: 'wrong' });
    expect(await refusal(signIn({}, { provider, oidc }))).toBe('OIDC_FAILED');
  });

  test('the fake refuses another address to come back to', async () => {
    const { oidc, provider } = await start();
    const { url } = await oidc.begin(`${provider.redirectUri}/`);
    await expect(provider.visit(url)).rejects.toThrow('400');
  });
});

describe('a provider out of order', () => {
  test.each<[string, Behaviour]>([
    ['token: 500', { token: 500 }],
    ['token: 503', { token: 503 }],
    ['token: 429', { token: 429 }],
    ['keys: 500', { jwks: 500 }],
  ])('%s', async (_, behaviour) => {
    expect(await refusal(signIn(behaviour))).toBe('OIDC_UNAVAILABLE');
  });

  test.each<[string, Behaviour]>([
    ['description: 500', { discovery: 500 }],
    ['description: 404', { discovery: 404 }],
    ['of another issuer', { metadata: { issuer: 'http://127.0.0.1:1' } }],
    ['of no issuer', { metadata: { issuer: 7 } }],
  ])('%s, and the next sign-in tries anew', async (_, behaviour) => {
    const { provider, oidc } = await start();
    provider.behave(behaviour);
    expect(await refusal(oidc.begin(provider.redirectUri))).toBe('OIDC_UNAVAILABLE');
    provider.behave({});
    await expect(signIn({}, { provider, oidc })).resolves.toBeDefined();
  });

  test.each<[string, Behaviour]>([
    ['never answers', { token: 'hang' }],
    ['stops in the middle', { token: 'stall' }],
    ['never gives its keys', { jwks: 'hang' }],
  ])('%s: given up', async (_, behaviour) => {
    const provider = await startProvider();
    const oidc = createFor(provider, { timeoutSeconds: 1.5 });
    expect(await refusal(signIn(behaviour, { provider, oidc }))).toBe('OIDC_UNAVAILABLE');
  });

  test('never describes itself: given up after five seconds, by all who wait', async () => {
    const { provider, oidc } = await start();
    provider.behave({ discovery: 'hang' });
    const begun = performance.now();
    const both = [oidc.begin(provider.redirectUri), oidc.begin(provider.redirectUri)].map(refusal);
    expect(await Promise.all(both)).toEqual(['OIDC_UNAVAILABLE', 'OIDC_UNAVAILABLE']);
    expect(performance.now() - begun).toBeGreaterThan(4500);
    expect(provider.requests).toHaveLength(1);
  });

  test('gone, in the beginning and in the middle', async () => {
    const { provider, oidc } = await start();
    const { url, kept } = await oidc.begin(provider.redirectUri);
    const back = await provider.visit(url);
    await provider.stop();
    expect(await refusal(oidc.finish(back, kept))).toBe('OIDC_UNAVAILABLE');
    expect(await refusal(createFor(provider).begin(provider.redirectUri))).toBe('OIDC_UNAVAILABLE');
  });

  test('leading to an address that is not encrypted and not on this machine', async () => {
    const { provider, oidc } = await start();
    provider.behave({ metadata: { token_endpoint: 'http://192.0.2.1/token' } });
    const { url, kept } = await oidc.begin(provider.redirectUri);
    await expect(oidc.finish(await provider.visit(url), kept)).rejects.toMatchObject({
      code: 'OIDC_UNAVAILABLE',
      cause: 'http://192.0.2.1/token is not encrypted',
    });
  });
});

test.each(['http://id.example', 'http://127.0.0.1.example', 'ftp://localhost', 'id.example', ''])(
  'the issuer %j is refused at once',
  (issuer) => {
    const create = () => createOidc({ issuer, clientId: 'a', clientSecret: 'b', name: 'c' });
    expect(create).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  },
);

test.each(['https://id.example/realms/a', 'http://localhost:8080', 'http://[::1]:8080'])(
  'the issuer %j is possible',
  (issuer) => {
    expect(() => createOidc({ issuer, clientId: 'a', clientSecret: 'b', name: 'c' })).not.toThrow();
  },
);
