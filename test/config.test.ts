import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { AppError } from '../src/errors.ts';

test('nothing needs to be set', () => {
  expect(readConfig({})).toMatchObject({ port: 3000, dataDir: './var', trustProxy: 0, logLevel: 'info' });
});

test('an empty value counts as absent', () => {
  expect(readConfig({ PORT: '', PUBLIC_URL: ' ' })).toEqual(readConfig({}));
});

test('PUBLIC_URL loses its last slash', () => {
  expect(readConfig({ PUBLIC_URL: 'https://skills.example.org/' }).publicUrl).toBe('https://skills.example.org');
});

test.each(['foo', 'https://', 'https://a/b', 'https://a/?b', 'https://user@a'])('PUBLIC_URL %s is refused', (url) => {
  expect(catchError(() => readConfig({ PUBLIC_URL: url })).problems.map(({ path }) => path)).toContain('PUBLIC_URL');
});

test('every problem is named at once', () => {
  const wrong = {
    PORT: 'x',
    PUBLIC_URL: 'ftp://a',
    SECRET_KEY: 'short',
    SECRET_KEY_PREVIOUS: `${'a'.repeat(32)},short`,
    MONGODB_URI: 'postgres://a',
    UPSTREAM_URL: 'ftp://a',
    ALLOW_PRIVATE: '10.0.0.0/8',
    ALLOW_PRIVATE_UPSTREAM: 'yes',
    SHARE_ANSWERS: 'yes',
    ADMIN_PASSWORD: 'elevenchars',
    OIDC_ISSUER: 'login.example.org',
    OIDC_NAME: 'n'.repeat(51),
    SLACK_API_URL: 'slack.com',
    SLACK_APP_TOKEN: 'xoxb-1',
    LOG_LEVEL: 'loud',
    TRUST_PROXY: '-1',
  };
  const error = catchError(() => readConfig(wrong));
  expect(error).toMatchObject({ code: 'CONFIG_INVALID', kind: 'invalid' });
  const missing = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'];
  expect(error.problems.map(({ path }) => path).sort()).toEqual([...Object.keys(wrong), ...missing].sort());
});

test.each([
  '169.254.169.254',
  '2852039166:80',
  '[fe80::1]:8080',
  '100.100.100.200',
  '[fd00:ec2::254]',
  '[::ffff:10.0.0.7]',
  '0.0.0.0',
])('a private host that would never be called is refused: %s', (entry) => {
  const error = catchError(() => readConfig({ ALLOW_PRIVATE: `search.example.org,${entry}` }));
  expect(error.problems).toMatchObject([{ path: 'ALLOW_PRIVATE', problem: expect.stringContaining('never called') }]);
});

test('a value is never repeated in an error', () => {
  const wrong = {
    SECRET_KEY: 'my-very-secret',
    SECRET_KEY_PREVIOUS: 'my-very-secret',
    MONGODB_URI: 'mongo://user:my-very-secret@host',
    UPSTREAM_URL: 'https://user:my-very-secret@host',
    UPSTREAM_API_KEY: 'my-very-secret',
    MARKETPLACE_KEY: 'my-very-secret',
    ADMIN_PASSWORD: 'secret',
    DEMO_API_KEY: 'secret',
    OIDC_CLIENT_SECRET: 'my-very-secret',
    SLACK_SIGNING_SECRET: 'my-very-secret',
    SLACK_APP_TOKEN: 'my-very-secret',
  };
  const error = catchError(() => readConfig(wrong));
  expect(JSON.stringify([error.message, error.problems])).not.toMatch(/my-very|: "secret/);
  expect(error.problems.length).toBeGreaterThanOrEqual(7);
});

const secretKey = 'k'.repeat(32);

test('a store that hosts share needs a key that they share', () => {
  const error = catchError(() => readConfig({ MONGODB_URI: 'mongodb://localhost/skilldock' }));
  expect(error.problems).toMatchObject([{ path: 'SECRET_KEY', problem: expect.stringContaining('share a store') }]);
  for (const uri of ['mongodb://localhost/skilldock', 'mongodb+srv://db.example.org/'])
    expect(readConfig({ MONGODB_URI: uri, SECRET_KEY: secretKey }).mongodbUri).toBe(uri);
});

test('keys before the current one come in their order, without blanks', () => {
  const [a, b] = ['a'.repeat(32), 'b'.repeat(40)];
  expect(readConfig({ SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: `${a} , ${b}` }).previousSecretKeys).toEqual([a, b]);
  expect(readConfig({}).previousSecretKeys).toEqual([]);
});

test('an upstream is an address, with or without a key, and perhaps a gateway beside it', () => {
  expect(readConfig({}).upstream).toBeUndefined();
  expect(readConfig({ UPSTREAM_URL: 'https://api.example.org/v1/' }).upstream).toEqual({
    url: 'https://api.example.org/v1',
    apiKey: undefined,
    marketplaceUrl: undefined,
    marketplaceKey: undefined,
  });
  const all = {
    UPSTREAM_URL: 'http://localhost:8080',
    UPSTREAM_API_KEY: 'one',
    MARKETPLACE_URL: 'https://market.example.org/',
    MARKETPLACE_KEY: 'two',
    ALLOW_PRIVATE: 'Search.example.org, 10.0.0.7:8080',
    ALLOW_PRIVATE_UPSTREAM: '1',
    SHARE_ANSWERS: '1',
    CHECK_LINKS: '0',
    PICTURES: '0',
    OAI_PMH: '0',
    RESOURCE_SEARCH: '0',
    OPERATOR_EMAIL: 'ada@example.org',
  };
  expect(readConfig(all)).toMatchObject({
    upstream: { apiKey: 'one', marketplaceUrl: 'https://market.example.org', marketplaceKey: 'two' },
    privateAccess: {
      hosts: [
        { host: 'search.example.org', port: null },
        { host: '10.0.0.7', port: 8080 },
      ],
      isOpenToOwners: true,
    },
    shareAnswers: true,
    checksLinks: false,
    showsPictures: false,
    isHarvested: false,
    hasResourceSearch: false,
    operatorEmail: 'ada@example.org',
  });
  const { security } = readConfig({ SECURITY_CONTACT: 'ada@example.org', SECURITY_POLICY: 'https://example.org/s' });
  expect(security).toEqual({ contact: 'mailto:ada@example.org', policy: 'https://example.org/s' });
  expect(readConfig({ SECURITY_CONTACT: 'https://example.org/tell' }).security).toEqual({
    contact: 'https://example.org/tell',
  });
  expect(catchError(() => readConfig({ SECURITY_CONTACT: 'http://example.org' })).problems).toHaveLength(1);
  expect(readConfig({})).toMatchObject({
    privateAccess: { hosts: [], isOpenToOwners: false },
    shareAnswers: false,
    checksLinks: true,
    showsPictures: true,
    isHarvested: true,
    hasResourceSearch: true,
  });
});

test.each([
  ['UPSTREAM_API_KEY', 'UPSTREAM_URL'],
  ['MARKETPLACE_URL', 'UPSTREAM_URL'],
  ['MARKETPLACE_KEY', 'MARKETPLACE_URL'],
  ['SECURITY_POLICY', 'SECURITY_CONTACT'],
])('%s is of no use without %s', (setting, needed) => {
  const error = catchError(() => readConfig({ [setting]: 'https://a.example' }));
  expect(error.problems).toMatchObject([{ path: needed, problem: expect.stringContaining(setting) }]);
});

test.each([
  'https://user:password@a.example',
  'https://a.example/?key=1',
  'https://a.example/#a',
  'a.example',
  'https://',
])('UPSTREAM_URL %s is refused', (url) => {
  expect(catchError(() => readConfig({ UPSTREAM_URL: url })).problems.map(({ path }) => path)).toContain(
    'UPSTREAM_URL',
  );
});

test('settings of models, which do nothing any more, are named and refuse no start', () => {
  expect(readConfig({ MODEL: ' ' }).obsolete).toEqual([]);
  const given = { MODEL: '../none', EMBEDDINGS_KEY: 'sk-1', LOG_LEVEL: 'warn' };
  expect(readConfig(given).obsolete).toEqual(['MODEL', 'EMBEDDINGS_KEY']);
});

test('OpenID Connect needs three settings together; its name is on the button', () => {
  const all = {
    OIDC_ISSUER: 'https://login.example.org/',
    OIDC_CLIENT_ID: 'skilldock',
    OIDC_CLIENT_SECRET: 'secret',
  };
  expect(readConfig(all).oidc).toEqual({
    // An issuer's name must stay exactly as it is.
    issuer: 'https://login.example.org/',
    clientId: 'skilldock',
    clientSecret: 'secret',
    name: 'Single sign-on',
  });
  expect(readConfig({ ...all, OIDC_NAME: 'University' }).oidc?.name).toBe('University');
  expect(readConfig({ OIDC_NAME: 'University' }).oidc).toBeUndefined();
  expect(readConfig({ ...all, OIDC_ROLES: 'a=owner' }).oidc?.roles).toEqual({
    claim: 'groups',
    rules: [{ value: 'a', role: 'owner', tenants: null }],
  });
  expect(readConfig({ ...all, OIDC_ROLES: 'a=owner', OIDC_ROLE_CLAIM: 'roles' }).oidc?.roles?.claim).toBe('roles');
  const wrong = [{ ...all, OIDC_ROLES: 'a=boss' }, { ...all, OIDC_ROLE_CLAIM: 'roles' }, { OIDC_ROLES: 'a=owner' }];
  expect(wrong.map((each) => catchError(() => readConfig(each)).problems[0]!.path)).toEqual([
    ...['OIDC_ROLES', 'OIDC_ROLES', 'OIDC_ISSUER'],
  ]);
  for (const left of Object.keys(all)) {
    const error = catchError(() => readConfig({ ...all, [left]: '' }));
    expect(error.problems.map(({ path }) => path)).toEqual([left]);
  }
});

test('a Slack app needs three settings together', () => {
  const all = { SLACK_SIGNING_SECRET: 'sign', SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 'secret' };
  expect(readConfig(all).slack).toEqual({
    app: { signingSecret: 'sign', clientId: '1.2', clientSecret: 'secret' },
    apiUrl: 'https://slack.com/api/',
    appToken: undefined,
    unfurlsLinks: false,
  });
  for (const left of Object.keys(all)) {
    const error = catchError(() => readConfig({ ...all, [left]: '' }));
    expect(error.problems.map(({ path }) => path)).toEqual([left]);
  }
});

test('what is no client id of Slack is refused, and not shown', () => {
  const others = { SLACK_SIGNING_SECRET: 'sign', SLACK_CLIENT_SECRET: 'secret' };
  const error = catchError(() => readConfig({ ...others, SLACK_CLIENT_ID: 'xoxb-123-456' }));
  expect(error.problems).toEqual([{ path: 'SLACK_CLIENT_ID', problem: 'two numbers with a dot in between' }]);
});

test.each(['http://localhost:4000/api', 'http://localhost:4000/api/'])(
  "Slack's methods are below %s, with a slash at the end",
  (url) => {
    const { slack } = readConfig({ SLACK_API_URL: url, SLACK_APP_TOKEN: 'xapp-1-a', SLACK_LINKS: '1' });
    const apiUrl = 'http://localhost:4000/api/';
    expect(slack).toEqual({ app: undefined, apiUrl, appToken: 'xapp-1-a', unfurlsLinks: true });
  },
);

test('docs/configuration.md and .env.example list every setting, and no other', () => {
  const names = [...readFileSync('src/config.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(15);
  const documented = [...readFileSync('docs/configuration.md', 'utf8').matchAll(/^- `([A-Z_]+)`: /gm)];
  expect(documented.map(([, name]) => name).sort()).toEqual(names.toSorted());
  const listed = [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=/gm)];
  expect(listed.map(([, name]) => name).sort()).toEqual(names.toSorted());
});

function catchError(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
