import type { Upstream } from '../../domain/tenant.ts';
import { AppError } from '../../errors.ts';
import type { Secrets, UpstreamKeyName } from '../secrets.ts';
import { destinationOf, upstreamKeyNames } from './upstream-keys.ts';
import type { ShownKey } from './upstreams.ts';

/** The keys that an upstream takes. Each is opened to see that it can be, and forgotten. */
export async function showKeys(
  secrets: Secrets,
  tenantId: string,
  upstream: Upstream,
): Promise<readonly ShownKey[]> {
  const show = async (name: UpstreamKeyName, origin: string): Promise<ShownKey> => {
    const hint = await secrets.findHint(tenantId, name, origin);
    const isReadable = hint === null || (await canBeOpened(secrets.findSecret(tenantId, name, origin)));
    return { name, hint, isReadable };
  };
  const taken = upstreamKeyNames.flatMap((name) => {
    const origin = destinationOf(upstream, name);
    return origin === null ? [] : [show(name, origin)];
  });
  return Promise.all(taken);
}

async function canBeOpened(opening: Promise<string | null>): Promise<boolean> {
  try {
    await opening;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'SECRET_UNREADABLE') return false;
    throw error;
  }
}
