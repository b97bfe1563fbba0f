/** The parts of ltijs that are used, over our own HTTP: services of platforms, and checks of
 *  claims. Its Express application, its database and `deploy()`, which may end the process, are
 *  never loaded. No other file loads its modules; what we rely on is written down in
 *  `test/faces/lti/ltijs/ltijs.test.ts`. */
import Module, { createRequire } from 'node:module';
import { AppError } from '#errors';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { got } from './http.ts';

/** What ltijs wants of a database plugin; only `Get` and `Replace` matter to the parts that are
 *  used. */
export interface LtijsDatabase {
  /** `false` where there is nothing: an empty list would be taken for a find. */
  Get(key: unknown, collection: string, query?: LtijsQuery): Promise<readonly object[] | false>;
  Insert(key: unknown, collection: string, item: LtijsQuery): Promise<unknown>;
  Replace(key: unknown, collection: string, query: LtijsQuery, item: LtijsQuery): Promise<unknown>;
  Modify(key: unknown, collection: string, query: LtijsQuery, change: LtijsQuery): Promise<unknown>;
  Delete(collection: string, query: LtijsQuery): Promise<unknown>;
}

export type LtijsQuery = Readonly<Record<string, unknown>>;

export interface LtijsAccessToken {
  access_token: string;
  token_type: string;
  expires_in?: unknown;
}

type AskForToken = () => Promise<LtijsAccessToken>;

export interface LtijsServicesOptions {
  readonly database: LtijsDatabase;
  /** Wraps every request for a token. */
  getToken(scopes: string, ask: AskForToken): Promise<LtijsAccessToken>;
}

/** The services of one platform; whatever they call goes through `withHttp`. */
export interface LtijsServices {
  getToken(scopes: string): Promise<LtijsAccessToken>;
  /** @param score of Assignment and Grade Services 2.0 §3.4, without a time */
  submitScore(lineItem: string, score: object, earnedAt: Date): Promise<void>;
  /** One page of members, with the address of the next one as `next`. */
  getMembers(pageUrl: string): Promise<unknown>;
}

interface LtijsPlatform {
  platformAccessToken(scopes: string): Promise<LtijsAccessToken>;
}

type PlatformClass = new (
  name: string,
  issuer: string,
  clientId: string,
  authorizationEndpoint: string,
  tokenEndpoint: string,
  tokenAudience: string | null,
  keyId: string,
  encryptionKey: string,
  /** How to verify what it signs, which ltijs does not do here. */
  authConfig: null,
  database: LtijsDatabase,
) => LtijsPlatform;

/** The launch that a service is called for, as far as the services read it. */
interface LtijsLaunch {
  readonly iss: string;
  readonly clientId: string;
  readonly platformContext: { readonly namesRoles?: { readonly context_memberships_url: string } };
}

type ServiceClass<S> = new (
  getPlatform: () => Promise<LtijsPlatform>,
  encryptionKey: string,
  database: LtijsDatabase,
) => S;

interface Grade {
  submitScore(launch: LtijsLaunch, lineItem: string, score: object): Promise<unknown>;
}

interface NamesAndRoles {
  getMembers(
    launch: LtijsLaunch,
    options: { readonly pages: number; readonly url: string },
  ): Promise<unknown>;
}

/** ltijs seals what it keeps under this; our store does so itself. */
const NO_KEY = '';

const require = createRequire(import.meta.url);

interface LtijsModules {
  readonly auth: { claimValidation(claims: object): Promise<void> };
  readonly Platform: PlatformClass;
  readonly GradeService: ServiceClass<Grade>;
  readonly NamesAndRolesService: ServiceClass<NamesAndRoles>;
}

let loaded: LtijsModules | null = null;

/** Loaded when the first launch or service needs them: they would make every start half a second
 *  longer. */
function loadModules(): LtijsModules {
  if (loaded !== null) return loaded;
  replaceHttp();
  loaded = {
    auth: require('ltijs/dist/Utils/Auth'),
    Platform: require('ltijs/dist/Utils/Platform'),
    GradeService: require('ltijs/dist/Provider/Services/Grade'),
    NamesAndRolesService: require('ltijs/dist/Provider/Services/NamesAndRoles'),
  };
  return loaded;
}

/** Has to run before any module of ltijs is loaded: its own client has neither time limits nor a
 *  guard. */
function replaceHttp(): void {
  const path = require.resolve('ltijs/dist/Utils/Http');
  require.cache[path] = Object.assign(new Module(path), { filename: path, loaded: true, exports: got });
}

/** Errors: LTI_CLAIMS_INVALID for a launch without what ltijs requires of every one. */
export async function validateLtijsClaims(claims: object): Promise<void> {
  await loadModules()
    .auth.claimValidation(claims)
    .catch((cause: unknown) => {
      throw new AppError('LTI_CLAIMS_INVALID', 'The launch lacks something that every launch has.', {
        cause,
      });
    });
}

export function createLtijsServices(
  registration: LtiRegistrationRecord,
  { database, getToken }: LtijsServicesOptions,
): LtijsServices {
  const { issuer, clientId } = registration;
  const { GradeService, NamesAndRolesService } = loadModules();
  const platform = createPlatform(registration, database);
  const ask = platform.platformAccessToken.bind(platform);
  platform.platformAccessToken = (scopes) => getToken(scopes, () => ask(scopes));
  const launch: LtijsLaunch = { iss: issuer, clientId, platformContext: {} };
  const grades = new GradeService(async () => platform, NO_KEY, database);
  const members = new NamesAndRolesService(async () => platform, NO_KEY, database);
  return {
    getToken: (scopes) => platform.platformAccessToken(scopes),
    async submitScore(lineItem, score, earnedAt) {
      // ltijs would write the present time over it, and a score that is sent again would be a newer
      // one.
      const timestamp = { enumerable: true, get: () => earnedAt.toISOString(), set() {} };
      await grades.submitScore(launch, lineItem, Object.defineProperty({ ...score }, 'timestamp', timestamp));
    },
    getMembers: (url) =>
      members.getMembers(
        { ...launch, platformContext: { namesRoles: { context_memberships_url: url } } },
        { pages: 1, url },
      ),
  };
}

function createPlatform(registration: LtiRegistrationRecord, database: LtijsDatabase): LtijsPlatform {
  const { name, issuer, clientId, authorizationEndpoint, tokenEndpoint, tokenAudience, keyId } = registration;
  const { Platform } = loadModules();
  return new Platform(
    name,
    issuer,
    clientId,
    authorizationEndpoint,
    tokenEndpoint,
    tokenAudience,
    keyId,
    NO_KEY,
    null,
    database,
  );
}
