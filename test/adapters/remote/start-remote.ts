import { beforeEach } from 'vitest';
import { createUpstreams, type UpstreamsOptions } from '../../../src/adapters/remote/upstreams.ts';
import { AppError } from '../../../src/errors.ts';
import type { CallOptions, LearningService } from '../../../src/ports/learning-service.ts';
import type { UpstreamConnection, Upstreams } from '../../../src/ports/upstream.ts';
import { searchOf } from '../../fakes/search-of.ts';
import { type FakeUpstream, MARKETPLACE_KEY, startFakeUpstream, UPSTREAM_KEY } from '../../fakes/upstream.ts';
import type { UpstreamOperation } from '../../fakes/upstream-specification.ts';
import { loopbackAccess } from '../../helpers/private-access.ts';

export interface Remote {
  readonly upstream: FakeUpstream;
  readonly upstreams: Upstreams;
  /** As `upstreams`, but for these changes, and with a memory of its own; for one test. A machine
   *  that is busy for a moment must not make an answer late, so time is short only where nothing
   *  answers. */
  upstreamsWith(changes: Partial<UpstreamsOptions>): Upstreams;
  direct(changes?: Partial<UpstreamConnection>): UpstreamConnection;
  gateway(): UpstreamConnection;
}

/** Retries that do not keep tests waiting. */
const policies = { minDelayMs: 1, maxDelayMs: 5 };

export interface RemoteOptions extends Partial<UpstreamsOptions> {
  /** Of the fake upstream. */
  readonly hasExtension?: boolean;
}

/** A fake upstream and ways to it, new for each test. */
export function useRemote({ hasExtension = false, ...options }: RemoteOptions = {}): Remote {
  let upstream: FakeUpstream;
  let upstreams: Upstreams;
  const opened: { close(): Promise<void> }[] = [];
  const upstreamsWith = (changes: Partial<UpstreamsOptions>): Upstreams => {
    const created = createUpstreams({
      privateAccess: loopbackAccess,
      ...options,
      ...changes,
      policies: { ...policies, ...options.policies, ...changes.policies },
    });
    opened.push(created);
    return created;
  };
  beforeEach(async () => {
    upstream = await startFakeUpstream({ hasExtension });
    upstreams = upstreamsWith({});
    return async () => {
      for (const each of opened.splice(0)) await each.close();
      await upstream.close();
    };
  });
  return {
    get upstream() {
      return upstream;
    },
    get upstreams() {
      return upstreams;
    },
    upstreamsWith,
    direct: (changes = {}) => ({ url: upstream.url, apiKey: UPSTREAM_KEY, ...changes }),
    gateway: () => ({
      url: upstream.url,
      apiKey: UPSTREAM_KEY,
      marketplace: { url: upstream.marketplaceUrl, key: MARKETPLACE_KEY },
    }),
  };
}

/** The error of a call that must fail. */
export async function errorOf(called: Promise<unknown>): Promise<AppError> {
  const outcome = await called.then(
    () => 'no error',
    (error: unknown) => error,
  );
  if (outcome instanceof AppError) return outcome;
  throw new Error('an AppError was expected', { cause: outcome });
}

export const aFeedback = {
  url: 'https://example.org/python',
  comment: 'Good',
  requestId: 'search-of-tube',
  email: 'ada@example.org',
  source: 'https://school.example.org',
};

type CallOne = (learning: LearningService, options?: CallOptions) => Promise<unknown>;

/** One call of each operation. */
export const callAll: Readonly<Record<UpstreamOperation, CallOne>> = {
  similar: (learning, options) => learning.ask('similar', { keywords: 'data', lang: 'en' }, options),
  tagger: (learning, options) => learning.ask('tagger', { text: 'We teach SQL.', lang: 'en' }, options),
  suggest: (learning, options) => learning.ask('suggest', { keywords: 'Commu' }, options),
  provider: (learning, options) => learning.ask('listProviders', {}, options),
  type: (learning, options) => learning.ask('listTypes', {}, options),
  bloom: (learning, options) => learning.ask('listBlooms', {}, options),
  lang: (learning, options) => learning.ask('listLanguages', {}, options),
  'search-provider': (learning, options) => learning.ask('searchProvider', searchOf({ providers: ['tube'] }), options),
  feedback: (learning, options) => learning.ask('feedback', aFeedback, options),
};

export const operations = Object.keys(callAll) as readonly UpstreamOperation[];
