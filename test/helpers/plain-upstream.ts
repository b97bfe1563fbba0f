import type { Clock } from '../../src/ports/clock.ts';
import {
  type FakeUpstream,
  type FakeUpstreamOptions,
  MARKETPLACE_KEY,
  startFakeUpstream,
  UPSTREAM_KEY,
} from '../fakes/upstream.ts';
import { type RunningApp, startApp } from './app.ts';

export interface AppInFront {
  readonly app: RunningApp;
  readonly upstream: FakeUpstream;
  close(): Promise<void>;
}

/** The ways in which a host asks a service that has what is specified, and nothing more. */
export const plainWays = [
  { name: 'directly', isGateway: false },
  { name: 'through its gateway', isGateway: true },
] as const;

export interface InFrontOptions extends FakeUpstreamOptions {
  readonly isGateway: boolean;
  readonly clock?: Clock;
}

/** The real app in front of a strict service. */
export async function startInFront({ isGateway, clock, ...options }: InFrontOptions): Promise<AppInFront> {
  const upstream = await startFakeUpstream(options);
  const gateway = { MARKETPLACE_URL: upstream.marketplaceUrl, MARKETPLACE_KEY };
  const app = await startApp(clock, {
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: UPSTREAM_KEY,
    ...(isGateway && gateway),
    ALLOW_PRIVATE_UPSTREAM: '1',
  });
  return {
    app,
    upstream,
    async close() {
      await app.close();
      await upstream.close();
    },
  };
}

/** Three providers; what they have takes five pages of ten, the last one not full. */
export const smallCatalogue = {
  providers: ['tube', 'school', 'books'],
  counts: { tube: 23, school: 12, books: 7 },
} as const satisfies FakeUpstreamOptions;

/** Addresses of all that a service with this catalogue has, sorted. */
export function everyAddress({ counts }: typeof smallCatalogue): string[] {
  return Object.entries(counts)
    .flatMap(([id, count]) => Array.from({ length: count }, (_, rank) => `https://${id}.example/${rank}`))
    .sort();
}
