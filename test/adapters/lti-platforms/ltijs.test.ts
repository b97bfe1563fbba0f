/** What this project expects of the inner modules of ltijs. A new version that behaves differently
 *  fails here. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type JWTPayload, jwtVerify } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  checkLtijsClaims,
  fetchLtijsMembers,
  requestLtijsToken,
  sendLtijsScore,
} from '../../../src/adapters/lti-platforms/ltijs.ts';
import type { PlatformAccess } from '../../../src/adapters/lti-platforms/platform-call.ts';
import type { OutboundRequest } from '../../../src/ports/outbound.ts';
import type { LtiRegistrationRecord } from '../../../src/ports/store/store.ts';

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

describe('the package ltijs', () => {
  test('is pinned to the version whose inner modules are used', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const { version } = JSON.parse(readFileSync('node_modules/ltijs/package.json', 'utf8')) as {
      version: string;
    };
    expect([dependencies.ltijs, version]).toEqual(['5.9.9', '5.9.9']);
  });

  test('is imported by one file', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const importers = files.filter((path) => /['"]ltijs[/'"]/.test(readFileSync(join('src', path), 'utf8')));
    expect(importers).toEqual(['adapters/lti-platforms/ltijs.ts']);
  });

  test('loads neither its HTTP client nor its server nor its database with the modules in use', async () => {
    await expect(checkLtijsClaims({})).rejects.toThrow();
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
    ]);
    expect([...loaded].filter((path) => /\/node_modules\/(?:got|mongoose|express)\//.test(path))).toEqual([]);
  });
});

describe('checkLaunchClaims', () => {
  test('accepts a launch with all required claims', async () => {
    await checkLtijsClaims(goodLaunch);
    await checkLtijsClaims({ ...goodLaunch, [`${LTI}/message_type`]: 'LtiDeepLinkingRequest' });
  });

  test.each([
    ['sub', undefined],
    [`${LTI}/message_type`, 'LtiSubmissionReviewRequest'],
    [`${LTI}/version`, '1.1'],
    [`${LTI}/deployment_id`, undefined],
    [`${LTI}/target_link_uri`, ''],
    [`${LTI}/resource_link`, {}],
    [`${LTI}/roles`, undefined],
  ])('refuses a launch whose %s is %j', async (name, value) => {
    const error = { code: 'LTI_CLAIMS_INVALID', cause: expect.any(Error) };
    await expect(checkLtijsClaims({ ...goodLaunch, [name]: value })).rejects.toMatchObject(error);
  });
});

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const registration = {
  name: 'LMS',
  status: 'active',
  issuer: 'https://lms.example',
  clientId: 'tool',
  tokenEndpoint: 'https://lms.example/token',
  tokenAudience: null,
  keyId: 'our-key',
} as LtiRegistrationRecord;

/** The requests that the platform received, and its answers by path. */
let requests: { readonly url: string; readonly request: OutboundRequest }[];
let answers: Record<string, { readonly text: string; readonly link?: string }>;

beforeEach(() => {
  requests = [];
  answers = {};
});

const access: PlatformAccess = {
  registration,
  token: 'secret',
  async call(url, request) {
    requests.push({ url, request });
    const { text, link } = answers[new URL(url).pathname]!;
    const headers = link === undefined ? {} : { link };
    return { status: 200, headers, text, bytes: Buffer.from(text), url };
  },
};

describe('requestAccessToken', () => {
  const requestToken = async (changes: Partial<LtiRegistrationRecord> = {}) => {
    answers['/token'] = { text: '{"access_token":"secret","token_type":"bearer"}' };
    return requestLtijsToken({
      registration: { ...registration, ...changes },
      call: access.call,
      privateKey,
      scope: 'a-scope',
    });
  };
  const readRequest = async () => {
    const form = new URLSearchParams(requests[0]!.request.body);
    const assertion = form.get('client_assertion')!;
    return { form, ...(await jwtVerify<JWTPayload>(assertion, createPublicKey(privateKey))) };
  };

  test('sends an assertion that is signed with our key and valid for a minute', async () => {
    await requestToken();
    const { form, payload, protectedHeader } = await readRequest();
    expect(requests).toMatchObject([{ url: 'https://lms.example/token', request: { method: 'POST' } }]);
    expect(requests[0]!.request.headers).toEqual({ 'content-type': 'application/x-www-form-urlencoded' });
    expect([form.get('grant_type'), form.get('scope')]).toEqual(['client_credentials', 'a-scope']);
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: 'our-key' });
    expect(payload).toMatchObject({ iss: 'tool', sub: 'tool', aud: 'https://lms.example/token' });
    expect(payload.exp! - payload.iat!).toBe(60);
  });

  test('uses the audience of the registration', async () => {
    await requestToken({ tokenAudience: 'https://lms.example/aud' });
    expect((await readRequest()).payload.aud).toBe('https://lms.example/aud');
  });

  test('gives the answer as it is', async () => {
    expect(await requestToken()).toEqual({ access_token: 'secret', token_type: 'bearer' });
  });
});

const earnedAt = new Date('2026-03-01T10:00:00Z');
const score = { userId: 'lea', scoreGiven: 1, scoreMaximum: 1 };
const submit = (changes: Partial<PlatformAccess> = {}) =>
  sendLtijsScore({ ...access, ...changes }, { lineItem: 'https://lms.example/items/5?type_id=1', score, earnedAt });

describe('sendScore', () => {
  test('posts the score with the given time, before the query of the line item', async () => {
    answers['/items/5/scores'] = { text: '' };
    await submit();
    const [{ url, request }] = requests as [(typeof requests)[0]];
    expect([url, request.method]).toEqual(['https://lms.example/items/5/scores?type_id=1', 'POST']);
    expect(request.headers).toEqual({
      Authorization: 'Bearer secret',
      'Content-Type': 'application/vnd.ims.lis.v1.score+json',
    });
    expect(JSON.parse(request.body!)).toEqual({ ...score, timestamp: earnedAt.toISOString() });
  });

  test('does not call a platform that is turned off', async () => {
    const inactive = { ...registration, status: 'inactive' } as const;
    await expect(submit({ registration: inactive })).rejects.toThrow('PLATFORM_NOT_ACTIVATED');
    expect(requests).toEqual([]);
  });
});

describe('fetchMembers', () => {
  const url = 'https://lms.example/members?page=2';

  test('requests one page from the given address and ignores its Link header', async () => {
    const link = '<https://lms.example/members?page=3>; rel="next"';
    answers['/members'] = { text: '{"members":[{"user_id":"lea"}]}', link };
    expect(await fetchLtijsMembers(access, url)).toEqual({ members: [{ user_id: 'lea' }] });
    const headers = {
      Authorization: 'Bearer secret',
      Accept: 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json',
    };
    expect(requests).toEqual([{ url, request: { method: 'GET', headers } }]);
  });

  test('uses the call that it is given, also side by side', async () => {
    const fetchAs = (name: string) => {
      const text = `{"members":["${name}"]}`;
      const call = async () => ({ status: 200, headers: {}, text, bytes: Buffer.from(text), url });
      return fetchLtijsMembers({ ...access, call }, url);
    };
    expect(await Promise.all(['one', 'two', 'one'].map(fetchAs))).toEqual([
      { members: ['one'] },
      { members: ['two'] },
      { members: ['one'] },
    ]);
  });
});

test('ltijs calls nobody outside of a call to a platform', async () => {
  const got = require('ltijs/dist/Utils/Http');
  await expect(got.get('https://lms.example', {})).rejects.toThrow('outside of a call');
  await expect(got.post('https://lms.example', { json: {} }).json()).rejects.toThrow('outside of a call');
});
