/** What we rely on of the inner modules of ltijs, a sentence a test. A new version that does otherwise fails here. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type JWTPayload, jwtVerify } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { withHttp } from '../../../../src/faces/lti/ltijs/http.ts';
import {
  createLtijsServices,
  type LtijsAccessToken,
  type LtijsDatabase,
  type LtijsServices,
  validateLtijsClaims,
} from '../../../../src/faces/lti/ltijs/ltijs.ts';
import type { OutboundRequest } from '../../../../src/ports/outbound.ts';
import type { LtiRegistrationRecord } from '../../../../src/ports/store/store.ts';

const require = createRequire(import.meta.url);
const LTI = 'https://purl.imsglobal.org/spec/lti/claim';

const goodLaunch = {
  sub: 'lea',
  [`${LTI}/message_type`]: 'LtiResourceLinkRequest',
  [`${LTI}/version`]: '1.3.0',
  [`${LTI}/deployment_id`]: '1',
  [`${LTI}/target_link_uri`]: 'https://tool.example/lti/launch',
  [`${LTI}/resource_link`]: { id: '5' },
  [`${LTI}/roles`]: [],
};

describe('its package', () => {
  test('is the one version whose inner modules are known here', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const { version } = JSON.parse(readFileSync('node_modules/ltijs/package.json', 'utf8')) as {
      version: string;
    };
    expect([dependencies.ltijs, version]).toEqual(['5.9.9', '5.9.9']);
  });

  test('is asked for by one file of ours', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    const asking = files.filter((path) => /['"]ltijs[/'"]/.test(readFileSync(join('src', path), 'utf8')));
    expect(asking).toEqual(['faces/lti/ltijs/ltijs.ts']);
  });

  test('loads neither its HTTP client nor its server nor its database with the modules that we use', async () => {
    await expect(validateLtijsClaims({})).rejects.toThrow();
    const loaded = new Set<string>();
    const follow = ({ filename, children }: NodeJS.Module) => {
      if (loaded.has(filename)) return;
      loaded.add(filename);
      for (const child of children) follow(child);
    };
    const ours = Object.values(require.cache).filter((module) => module?.filename?.includes('/ltijs/dist/'));
    for (const module of ours) if (module !== undefined) follow(module);
    const names = [...loaded].flatMap((path) => path.split('/ltijs/dist/')[1] ?? []);
    expect(names.sort()).toEqual([
      'Provider/Services/Grade.js',
      'Provider/Services/NamesAndRoles.js',
      'Utils/Auth.js',
      'Utils/Http.js',
      'Utils/Platform.js',
    ]);
    expect([...loaded].filter((path) => /\/node_modules\/(?:got|mongoose|express)\//.test(path))).toEqual([]);
  });
});

describe('its checks of claims', () => {
  test('take a launch that has all that the specification requires', async () => {
    await validateLtijsClaims(goodLaunch);
    await validateLtijsClaims({ ...goodLaunch, [`${LTI}/message_type`]: 'LtiDeepLinkingRequest' });
  });

  test.each([
    ['sub', undefined],
    [`${LTI}/message_type`, 'LtiSubmissionReviewRequest'],
    [`${LTI}/version`, '1.1'],
    [`${LTI}/deployment_id`, undefined],
    [`${LTI}/target_link_uri`, ''],
    [`${LTI}/resource_link`, {}],
    [`${LTI}/roles`, undefined],
  ])('refuse one whose %s is %j', async (name, value) => {
    const error = { code: 'LTI_CLAIMS_INVALID', cause: expect.any(Error) };
    await expect(validateLtijsClaims({ ...goodLaunch, [name]: value })).rejects.toMatchObject(error);
  });
});

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const registration = {
  name: 'LMS',
  issuer: 'https://lms.example',
  clientId: 'tool',
  authorizationEndpoint: 'https://lms.example/auth',
  tokenEndpoint: 'https://lms.example/token',
  tokenAudience: null,
  keyId: 'our-key',
} as LtiRegistrationRecord;

/** What the platform was asked, and what it answers by address. */
let asked: { readonly url: string; readonly request: OutboundRequest }[];
let answers: Record<string, { readonly text: string; readonly link?: string }>;
let kept: LtijsAccessToken | null;
let isActive: boolean;
let askedOfDatabase: string[];

beforeEach(() => {
  asked = [];
  answers = { '/token': { text: JSON.stringify({ access_token: 'secret', token_type: 'bearer' }) } };
  kept = null;
  isActive = true;
  askedOfDatabase = [];
});

const database: LtijsDatabase = {
  async Get(_key, collection) {
    askedOfDatabase.push(collection);
    if (collection === 'platformStatus') return [{ active: isActive }];
    if (collection === 'privatekey') return [{ key: privateKey }];
    return collection === 'accesstoken' && kept !== null && [{ token: kept, createdAt: Date.now() }];
  },
  async Replace(_key, collection, { scopes }, { token }) {
    askedOfDatabase.push(`${collection} of ${scopes}`);
    kept = token as LtijsAccessToken;
  },
  Insert: () => Promise.reject(new Error('Nothing is inserted.')),
  Modify: () => Promise.reject(new Error('Nothing is modified.')),
  Delete: () => Promise.reject(new Error('Nothing is deleted.')),
};

function use<T>(work: (services: LtijsServices) => Promise<T>, changed: Partial<LtiRegistrationRecord> = {}) {
  const services = createLtijsServices(
    { ...registration, ...changed },
    { database, getToken: (_scopes, ask) => ask() },
  );
  return withHttp(
    async (url, request) => {
      asked.push({ url, request });
      const { text, link = '' } = answers[new URL(url).pathname]!;
      return { status: 200, headers: link === '' ? {} : { link }, text, bytes: Buffer.from(text), url };
    },
    () => work(services),
  );
}

describe('its tokens', () => {
  const readAssertion = async () => {
    const form = new URLSearchParams(asked[0]!.request.body);
    const { payload, protectedHeader } = await jwtVerify<JWTPayload>(
      form.get('client_assertion')!,
      createPublicKey(privateKey),
    );
    return { form, payload, protectedHeader };
  };

  test('are asked for with an assertion that is signed by our key, for a minute', async () => {
    await use((services) => services.getToken('a-scope'));
    const { form, payload, protectedHeader } = await readAssertion();
    expect(asked).toMatchObject([{ url: 'https://lms.example/token', request: { method: 'POST' } }]);
    expect([form.get('grant_type'), form.get('scope')]).toEqual(['client_credentials', 'a-scope']);
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: 'our-key' });
    expect(payload).toMatchObject({ iss: 'tool', sub: 'tool', aud: 'https://lms.example/token' });
    expect(payload.exp! - payload.iat!).toBe(60);
  });

  test('are asked for with the audience that the platform wants', async () => {
    await use((services) => services.getToken('a-scope'), { tokenAudience: 'https://lms.example/aud' });
    expect((await readAssertion()).payload.aud).toBe('https://lms.example/aud');
  });

  test('are kept under their scopes, looked for there first, and of a type with a capital letter', async () => {
    expect(await use((services) => services.getToken('a-scope'))).toMatchObject({ token_type: 'Bearer' });
    expect(askedOfDatabase).toEqual(['accesstoken', 'privatekey', 'accesstoken of a-scope']);
    await use((services) => services.getToken('a-scope'));
    expect(asked).toHaveLength(1);
  });
});

describe('its services', () => {
  const earnedAt = new Date('2026-03-01T10:00:00Z');
  const submit = (services: LtijsServices) =>
    services.submitScore(
      'https://lms.example/items/5?type_id=1',
      { userId: 'lea', scoreGiven: 1, scoreMaximum: 1 },
      earnedAt,
    );

  test('put a score before the query of its line item, as it is, with the time that we say', async () => {
    answers['/items/5/scores'] = { text: '' };
    await use(submit);
    const { url, request } = asked[1]!;
    expect([url, request.method]).toEqual(['https://lms.example/items/5/scores?type_id=1', 'POST']);
    expect(request.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/vnd.ims.lis.v1.score+json',
    });
    const score = { userId: 'lea', scoreGiven: 1, scoreMaximum: 1, timestamp: earnedAt.toISOString() };
    expect(JSON.parse(request.body!)).toEqual(score);
  });

  test('read one page of members, from the address that we say, and tell the next one', async () => {
    const link = '<https://lms.example/members?page=3>; rel="next"';
    answers['/members'] = { text: JSON.stringify({ members: [{ user_id: 'lea' }] }), link };
    const page = await use((services) => services.getMembers('https://lms.example/members?page=2'));
    expect(page).toEqual({ members: [{ user_id: 'lea' }], next: 'https://lms.example/members?page=3' });
    expect(asked.slice(1)).toMatchObject([
      {
        url: 'https://lms.example/members?page=2',
        request: {
          method: 'GET',
          headers: {
            authorization: 'Bearer secret',
            accept: 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json',
          },
        },
      },
    ]);
  });

  test('ask for the scope that they need', async () => {
    answers['/items/5/scores'] = { text: '' };
    answers['/members'] = { text: '{"members":[]}' };
    await use(submit);
    kept = null;
    await use((services) => services.getMembers('https://lms.example/members'));
    expect(askedOfDatabase.filter((name) => name.includes(' of '))).toEqual([
      'accesstoken of https://purl.imsglobal.org/spec/lti-ags/scope/score',
      'accesstoken of https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
    ]);
  });

  test('call no platform that is turned off', async () => {
    isActive = false;
    await expect(use(submit)).rejects.toThrow('PLATFORM_NOT_ACTIVATED');
    expect(asked).toEqual([]);
  });
});
