/** The parts of ltijs that are used, over our own HTTP. Its Express application, its database and `deploy()`, which may end
 *  the process, are never loaded. */
import Module, { createRequire } from 'node:module';
import { AppError } from '../../../errors.ts';
import { got } from './http.ts';

/** What ltijs wants of a database plugin; only `Get` and `Replace` matter to the parts that are used. */
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

export interface LtijsPlatform {
  platformAccessToken(scopes: string): Promise<LtijsAccessToken>;
}

type GetPlatform = (issuer: string, clientId: string) => Promise<LtijsPlatform | false>;

/** Of the launch that a service is called for; the services read no more of it. */
interface LtijsIdToken {
  readonly iss: string;
  readonly clientId: string;
  readonly platformContext: { readonly namesRoles?: { readonly context_memberships_url: string } };
}

type Service<S> = new (getPlatform: GetPlatform, encryptionKey: string, database: LtijsDatabase) => S;

interface Grade {
  submitScore(token: LtijsIdToken, lineItem: string, score: object): Promise<unknown>;
}

interface NamesAndRoles {
  getMembers(
    token: LtijsIdToken,
    options: { readonly pages: number; readonly url: string },
  ): Promise<unknown>;
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

const require = createRequire(import.meta.url);

replaceHttp();

export const Platform = require('ltijs/dist/Utils/Platform') as PlatformClass;
export const GradeService = require('ltijs/dist/Provider/Services/Grade') as Service<Grade>;
export const NamesAndRolesService =
  require('ltijs/dist/Provider/Services/NamesAndRoles') as Service<NamesAndRoles>;

const Auth = require('ltijs/dist/Utils/Auth') as { claimValidation(claims: object): Promise<void> };

/** Errors: LTI_CLAIMS_INVALID for a launch without what ltijs requires of every one. */
export async function validateClaims(claims: object): Promise<void> {
  await Auth.claimValidation(claims).catch((cause: unknown) => {
    throw new AppError('LTI_CLAIMS_INVALID', 'The launch lacks something that every launch has.', { cause });
  });
}

/** Before anything of ltijs asks for it: its own client has neither an end nor a guard. */
function replaceHttp(): void {
  const path = require.resolve('ltijs/dist/Utils/Http');
  require.cache[path] = Object.assign(new Module(path), { filename: path, loaded: true, exports: got });
}
