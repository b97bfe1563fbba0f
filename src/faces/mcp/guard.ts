import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { ASSISTANT_SCOPE } from '#domain/assistants';
import { AppError } from '#errors';
import type { AssistantCaller } from '#services/tenants/assistants/assistants';
import type { McpFaceDeps } from './deps.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** An address of a machine is nobody's name: no site can make a browser take it for its own. */
const MACHINE = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i;

/** Pages of other sites are refused, and so is a name that a site gave this host to reach it past the browser's rules (DNS rebinding).
 *  @returns the origin of a page that may ask; undefined for programs. Errors: ORIGIN_REFUSED. */
export function requireOwnPlace({ hostname, headers }: Request, publicUrl: string): string | undefined {
  const own = [new URL(publicUrl).hostname, ...LOOPBACK];
  const { origin } = headers;
  const isHost = MACHINE.test(hostname) || validateHostHeader(hostname, own).ok;
  if (isHost && validateOriginHeader(origin, own).ok) return origin;
  throw new AppError(
    'ORIGIN_REFUSED',
    isHost
      ? 'Pages of other sites may not ask this address. Connect a program, or a page of this host.'
      : `This host is not known under this name. Ask at ${publicUrl}, or have its operator set PUBLIC_URL.`,
  );
}

/** Lets a request in, and says how many are left. Errors: those of `AssistantAccess`. */
export async function admitCaller(
  request: Request,
  response: Response,
  { assistants, publicUrl }: McpFaceDeps,
): Promise<AssistantCaller> {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(request.get('authorization') ?? '') ?? [];
  try {
    const caller = await assistants.access.authorize(bearer);
    const { limit, remaining, resetSeconds } = caller.count;
    response.set({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetSeconds),
    });
    return caller;
  } catch (error) {
    const challenge = error instanceof AppError ? writeChallenge(error, bearer, publicUrl) : null;
    if (challenge !== null) response.set('WWW-Authenticate', challenge);
    throw error;
  }
}

/** Where it is said how to get a token (RFC 9728, section 5.1); null where none would help. */
function writeChallenge({ code }: AppError, bearer: string | undefined, publicUrl: string): string | null {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp", scope="${ASSISTANT_SCOPE}"`;
  if (code === 'KEY_SCOPE') return `Bearer error="insufficient_scope", ${metadata}`;
  if (code !== 'TOKEN_INVALID') return null;
  return bearer === undefined ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`;
}
