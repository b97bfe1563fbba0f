/** The used parts of ltijs: access tokens, scores, members, and checks of claims. Its application,
 *  its database and `deploy()`, which may end the process, are never loaded.
 *  `test/adapters/lti-platforms/ltijs.test.ts` tests these expectations. */
import { AsyncLocalStorage } from 'node:async_hooks';
import Module, { createRequire } from 'node:module';
import { AppError } from '#errors';
import type { OutboundRequest } from '#ports/outbound';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { PlatformAccess, PlatformCall } from './platform-call.ts';

interface TokenRequest {
  readonly registration: LtiRegistrationRecord;
  readonly call: PlatformCall;
  readonly privateKey: string;
  readonly scope: string;
}

/** Rejects with LTI_CLAIMS_INVALID if claims lack something that every launch has. */
export async function checkLtijsClaims(claims: object): Promise<void> {
  await loadLtijsModules()
    .auth.claimValidation(claims)
    .catch((cause: unknown) => {
      throw new AppError('LTI_CLAIMS_INVALID', 'The launch lacks something that every launch has.', { cause });
    });
}

/** Requests a token, and returns the parsed answer (LTI Security Framework 1.0 §4.1). */
export function requestLtijsToken(request: TokenRequest): Promise<unknown> {
  const { registration, call, privateKey, scope } = request;
  const { issuer, clientId, keyId, tokenEndpoint, tokenAudience } = registration;
  const platform = {
    platformUrl: () => issuer,
    platformClientId: () => clientId,
    platformKid: () => keyId,
    platformPrivateKey: () => privateKey,
    platformAccessTokenEndpoint: () => tokenEndpoint,
    platformAuthorizationServer: () => tokenAudience ?? tokenEndpoint,
  };
  // `access-token.ts` caches tokens.
  const database = { Replace: async () => {} };
  return httpCalls.run(call, () => loadLtijsModules().auth.getAccessToken(scope, platform, null, database));
}

/** Sends a score. @param score that of Assignment and Grade Services 2.0 §3.4, without its time */
export async function sendLtijsScore(
  access: PlatformAccess,
  { lineItem, score, earnedAt }: { readonly lineItem: string; readonly score: object; readonly earnedAt: Date },
): Promise<void> {
  const { Grade } = loadLtijsModules();
  // ltijs would set the present time: a score that is sent again would seem newer.
  const timestamp = { enumerable: true, get: () => earnedAt.toISOString(), set() {} };
  const dated = Object.defineProperty({ ...score }, 'timestamp', timestamp);
  const grades = new Grade(async () => toLtijsPlatform(access));
  await httpCalls.run(access.call, () => grades.submitScore(toLtijsLaunch(access), lineItem, dated));
}

/** Fetches a page of members, as parsed JSON (Names and Role Provisioning Services 2.0 §2.4). */
export function fetchLtijsMembers(access: PlatformAccess, pageUrl: string): Promise<unknown> {
  const { NamesAndRoles } = loadLtijsModules();
  const members = new NamesAndRoles(async () => toLtijsPlatform(access));
  const options = { pages: 1, url: pageUrl };
  return httpCalls.run(access.call, () => members.getMembers(toLtijsLaunch(access, pageUrl), options));
}

interface LtijsPlatform {
  platformActive(): Promise<boolean>;
  platformAccessToken(): Promise<{ token_type: string; access_token: string }>;
}

const toLtijsPlatform = ({ registration, token }: PlatformAccess): LtijsPlatform => ({
  platformActive: async () => registration.status === 'active',
  platformAccessToken: async () => ({ token_type: 'Bearer', access_token: token }),
});

const toLtijsLaunch = ({ registration: { issuer, clientId } }: PlatformAccess, membersUrl = '') => ({
  iss: issuer,
  clientId,
  platformContext: { namesRoles: { context_memberships_url: membersUrl } },
});

type LtijsLaunch = ReturnType<typeof toLtijsLaunch>;
type LtijsService<S> = new (getPlatform: () => Promise<LtijsPlatform>) => S;

interface LtijsModules {
  readonly auth: {
    claimValidation(claims: object): Promise<void>;
    getAccessToken(scope: string, platform: object, encryptionKey: null, database: object): Promise<unknown>;
  };
  readonly Grade: LtijsService<{
    submitScore(launch: LtijsLaunch, lineItem: string, score: object): Promise<unknown>;
  }>;
  readonly NamesAndRoles: LtijsService<{
    getMembers(launch: LtijsLaunch, options: { pages: number; url: string }): Promise<unknown>;
  }>;
}

const require = createRequire(import.meta.url);

let modules: LtijsModules | null = null;

/** Loads the modules at the first use, as loading takes half a second. */
function loadLtijsModules(): LtijsModules {
  if (modules !== null) return modules;
  replaceLtijsHttpClient();
  modules = {
    auth: require('ltijs/dist/Utils/Auth'),
    Grade: require('ltijs/dist/Provider/Services/Grade'),
    NamesAndRoles: require('ltijs/dist/Provider/Services/NamesAndRoles'),
  };
  return modules;
}

/** Replaces the client of ltijs before it is loaded: it has neither time limits nor a guard. */
function replaceLtijsHttpClient(): void {
  const path = require.resolve('ltijs/dist/Utils/Http');
  require.cache[path] = Object.assign(new Module(path), { filename: path, loaded: true, exports: got });
}

/** The call of the asynchronous context: several hosts in a process share ltijs's client. */
const httpCalls = new AsyncLocalStorage<PlatformCall>();

interface GotOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

interface GotResponse {
  readonly body: string;
  /** Always empty: `Link` headers are followed here. */
  readonly headers: object;
}

type GotPromise = Promise<GotResponse> & { json(): Promise<unknown> };

const got = {
  get: (url: string, options: GotOptions) => requestForLtijs(url, { method: 'GET', ...toLtijsBody(options) }),
  post: (url: string, options: GotOptions) => requestForLtijs(url, { method: 'POST', ...toLtijsBody(options) }),
};

function requestForLtijs(url: string, options: OutboundRequest): GotPromise {
  const response = sendForLtijs(url, options);
  // The text decides, not the media type: Moodle sends its tokens as `text/html`.
  return Object.assign(response, { json: async () => JSON.parse((await response).body) as unknown });
}

async function sendForLtijs(url: string, options: OutboundRequest): Promise<GotResponse> {
  const call = httpCalls.getStore();
  if (call === undefined) throw new Error('ltijs called an address outside of a call to a platform.');
  return { body: (await call(url, options)).text, headers: {} };
}

function toLtijsBody({ headers = {}, form, json }: GotOptions): OutboundRequest {
  if (form !== undefined)
    return {
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    };
  return { headers, ...(json !== undefined && { body: JSON.stringify(json) }) };
}
