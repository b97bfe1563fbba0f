import { timingSafeEqual } from 'node:crypto';
import { type ApiKeyScope, DEFAULT_TENANT } from '#domain/tenant';
import { AppError } from '#errors';
import type { RateCounterRepository } from '#ports/store/store';
import { hashKey } from '../api-keys.ts';
import { type ApiKeyFinderDeps, createApiKeyFinder, createApiKeyUseNotes } from './api-key-finder.ts';
import { createRequestCounter, type Limits, type RequestCount } from './request-counter.ts';

export interface ApiAccessDeps extends ApiKeyFinderDeps {
  readonly rateCounters: RateCounterRepository;
  readonly demoKey: string;
  readonly demoLimits?: Limits;
  /** Told when the use of a key cannot be noted; the request is answered all the same. */
  onProblem(error: unknown): void;
}

export interface Allowance extends RequestCount {
  /** Id of the key, or `demo`. */
  readonly keyId: string;
  /** The tenant that the key belongs to; the demo key's is the default one. */
  readonly tenantId: string;
}

export interface ApiAccess {
  /** Count one request of a key.
   *  Errors: KEY_MISSING, KEY_UNKNOWN, KEY_SCOPE, TENANT_DISABLED; RATE_LIMITED with `limit` and `resetSeconds` of the
   *  window in `data`. */
  authorize(presented: string | undefined, scope: ApiKeyScope): Promise<Allowance>;
}

export const demoLimits: Limits = { perSecond: 5, perDay: 1_000 };

interface UsableKey {
  readonly id: string;
  readonly tenantId: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly limits: Limits;
}

/** Decides who may call what, and how often. Hosts that share a store share the counts. */
export function createApiAccess(deps: ApiAccessDeps): ApiAccess {
  const demoHash = Buffer.from(hashKey(deps.demoKey));
  const demo: UsableKey = {
    id: 'demo',
    tenantId: DEFAULT_TENANT,
    scopes: ['competency'],
    limits: deps.demoLimits ?? demoLimits,
  };
  const count = createRequestCounter(deps.rateCounters, deps.clock);
  const findApiKey = createApiKeyFinder(deps);
  const noteUse = createApiKeyUseNotes(deps);

  async function findKey(presented: string): Promise<UsableKey> {
    const hash = hashKey(presented);
    if (timingSafeEqual(Buffer.from(hash), demoHash)) return demo;
    const record = await findApiKey(hash);
    return { id: record.id, tenantId: record.tenantId, scopes: record.scopes, limits: record };
  }

  return {
    async authorize(presented, scope) {
      if (presented === undefined || presented === '') throw missingKey();
      const { id, tenantId, scopes, limits } = await findKey(presented);
      if (!scopes.includes(scope)) throw wrongScope(id, scopes, scope);
      const counted = await count(id, limits);
      if (id !== demo.id) noteUse(id);
      return { keyId: id, tenantId, ...counted };
    },
  };
}

function missingKey(): AppError {
  return new AppError(
    'KEY_MISSING',
    'This address needs a key. Send it in the header that the API reference names.',
  );
}

function wrongScope(id: string, scopes: readonly ApiKeyScope[], scope: ApiKeyScope): AppError {
  const message =
    id === 'demo'
      ? 'The demo key works on the Competency API only. Use a personal key here.'
      : `This key may be used for ${scopes.join(', ')}, not for ${scope}. Use another key or ask for this one to be widened.`;
  return new AppError('KEY_SCOPE', message);
}
