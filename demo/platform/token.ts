import { randomBytes } from 'node:crypto';
import type { Clock } from '#ports/clock';
import { createExpiring } from './expiring.ts';
import type { Tool } from './model.ts';
import { data, onlyMethod, type PlatformReply, type PlatformRequest, readForm, refuse, single } from './request.ts';
import type { ToolJwts } from './tool-jwts.ts';

/** Access tokens for the services. A tool proves who it is by a JWT of its own.
 *  Source: IMS Security Framework 1.0, §4.1 (https://www.imsglobal.org/spec/security/v1p0/). */
export interface AccessTokens {
  give(request: PlatformRequest): Promise<PlatformReply>;
  /** The client id. Errors: 401 where there is no good token, 403 where it is for other services. */
  admit(request: PlatformRequest, ...scopes: readonly string[]): string;
}

export interface AccessTokensDeps {
  readonly clock: Clock;
  readonly jwts: ToolJwts;
  /** Address of the token endpoint. */
  readonly audience: string;
  readonly mediaType: string;
  findTool(clientId: string): Tool | null;
}

const TTL_SECONDS = 3600;
const MAX_TOKENS = 1000;
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

interface Granted {
  readonly clientId: string;
  readonly scopes: readonly string[];
}

export function createAccessTokens(deps: AccessTokensDeps): AccessTokens {
  const tokens = createExpiring<Granted>({ clock: deps.clock, ttlSeconds: TTL_SECONDS, max: MAX_TOKENS });

  return {
    async give(request) {
      onlyMethod(request, 'POST');
      const form = readForm(request);
      if (single(form, 'grant_type') !== 'client_credentials')
        refuse('grant_type must be client_credentials', { error: 'unsupported_grant_type' });
      if (single(form, 'client_assertion_type') !== ASSERTION_TYPE)
        refuse(`client_assertion_type must be ${ASSERTION_TYPE}`);
      const tool = await identify(deps, single(form, 'client_assertion'));
      const scopes = single(form, 'scope').split(' ');
      const unknown = scopes.filter((name) => !tool.scopes.includes(name));
      if (unknown.length > 0) refuse(`not allowed to this tool: ${unknown.join(' ')}`, { error: 'invalid_scope' });
      const token = randomBytes(24).toString('base64url');
      tokens.put(token, { clientId: tool.clientId, scopes });
      const given = {
        access_token: token,
        token_type: 'Bearer',
        expires_in: TTL_SECONDS,
        scope: scopes.join(' '),
      };
      return data(given, deps.mediaType);
    },

    admit({ headers }, ...scopes) {
      const [, token = ''] = /^Bearer ([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
      const granted = tokens.find(token);
      if (granted === null || deps.findTool(granted.clientId) === null)
        return refuse('the access token is missing, unknown or over', {
          status: 401,
          error: 'invalid_token',
        });
      if (!scopes.some((name) => granted.scopes.includes(name)))
        refuse(`the access token is not for ${scopes.join(' or ')}`, {
          status: 403,
          error: 'insufficient_scope',
        });
      return granted.clientId;
    },
  };
}

async function identify({ jwts, audience, findTool }: AccessTokensDeps, assertion: string): Promise<Tool> {
  // The client it claims to come from, whose keys must have signed it.
  const clientId = unverifiedIssuer(assertion);
  const tool = findTool(clientId) ?? refuse('no such client', { status: 401, error: 'invalid_client' });
  const { sub } = await jwts.read(assertion, { tool, audience, onceBy: 'jti' });
  if (sub !== clientId) refuse('sub of the assertion is not the client id', { status: 401, error: 'invalid_client' });
  return tool;
}

function unverifiedIssuer(jwt: string): string {
  try {
    const { iss } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
      iss?: unknown;
    };
    return typeof iss === 'string' ? iss : '';
  } catch {
    return '';
  }
}
