// npm run bench:discovery [-- --searches 500 --cached 20000]; run from the project root
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/ports/clock.ts';
import { createAnswerCache } from '../src/services/searching/answer-cache.ts';
import { searchOf } from '../test/fakes/search-of.ts';
import { startFakeUpstream } from '../test/fakes/upstream.ts';
import { perProvider } from '../test/fakes/upstream-replies.ts';
import { openDiscovery } from './discovery/open-discovery.ts';
import { measureOverhead, type Overhead } from './discovery/overhead.ts';
import { startChild } from './http/start-child.ts';
import { digits, quantile } from './measure.ts';

/** What an answer of a service on the internet takes at best. */
const REALISTIC_MS = 20;
const CALLERS = 100;
const PROVIDERS = 12;
const providerIds = Array.from({ length: PROVIDERS }, (_, n) => `provider-${n}`);

const targets = {
  cachedMicroseconds: 50,
  keptMicroseconds: 3,
  overhead: 0.05,
};

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { searches: { type: 'string', default: '500' }, cached: { type: 'string', default: '20000' } },
  });
  const searches = Number(values.searches);
  const cached = await measureCached(Number(values.cached));
  const realistic = await measureOverheadOf(REALISTIC_MS, searches);
  const atOnce = await measureOverheadOf(0, searches);
  const calls = await countCalls();
  const withDead = await searchWithDeadProvider();
  report({ cached, realistic, atOnce, calls, withDead });
}

/** Microseconds, medians. */
interface Cached {
  readonly discovery: number;
  readonly severalProviders: number;
  readonly cache: number;
}

/** The same search again and again. */
async function measureCached(times: number): Promise<Cached> {
  const upstream = await startFakeUpstream({ providers: providerIds });
  const { discovery, close } = await openDiscovery(upstream.url);
  const one = searchOf({ providers: providerIds.slice(0, 1) });
  const several = searchOf({ providers: providerIds });
  const measured = {
    discovery: await medianMicroseconds(times, () => discovery.searchLearningObjects(one)),
    severalProviders: await medianMicroseconds(times, () => discovery.searchLearningObjects(several)),
    cache: await measureCacheAlone(times),
  };
  await close();
  await upstream.close();
  return measured;
}

function measureCacheAlone(times: number): Promise<number> {
  const cache = createAnswerCache({ clock: systemClock, maxBytes: 1_000_000, onProblem: console.error });
  const hour = 3_600_000;
  const question = {
    key: 'school python',
    upstream: 'localhost',
    times: { goodMs: hour, renewMs: hour, staleMs: hour },
  };
  return medianMicroseconds(times, () => cache.get(question, async () => ({ content: [] })));
}

/** A fifth of the calls, without a clock, goes before. */
async function medianMicroseconds(times: number, work: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < times / 5; n++) await work();
  const measured: number[] = [];
  for (let n = 0; n < times; n++) {
    const start = performance.now();
    await work();
    measured.push(performance.now() - start);
  }
  return quantile(measured, 0.5) * 1_000;
}

/** The upstream is a process of its own. */
async function measureOverheadOf(delayMs: number, searches: number): Promise<Overhead> {
  const script = fileURLToPath(new URL('discovery/upstream-child.js', import.meta.url));
  const child = await startChild([script, `${delayMs}`]);
  const overhead = await measureOverhead(child.url, searches);
  await child.stop();
  return overhead;
}

/** Calls that reach the upstream when many search for the same at once. */
async function countCalls(): Promise<number> {
  const upstream = await startFakeUpstream();
  upstream.reply('search-provider', { delayMs: REALISTIC_MS });
  const { discovery, close } = await openDiscovery(upstream.url);
  // Whether the upstream has our extension is asked with the first search of all.
  await discovery.searchLearningObjects(searchOf({ keywords: 'before', providers: ['tube'] }));
  const before = upstream.requests.length;
  const one = searchOf({ providers: ['tube'] });
  await Promise.all(Array.from({ length: CALLERS }, () => discovery.searchLearningObjects(one)));
  await close();
  await upstream.close();
  return upstream.requests.length - before;
}

interface WithDead {
  readonly milliseconds: number;
  readonly answered: number;
}

/** All providers at once, one of which takes the question and says nothing. */
async function searchWithDeadProvider(): Promise<WithDead> {
  const upstream = await startFakeUpstream({ providers: providerIds });
  upstream.reply('search-provider', perProvider({ 'provider-7': { breaks: 'hang' } }));
  const { discovery, close } = await openDiscovery(upstream.url);
  const start = performance.now();
  const { missing } = await discovery.searchLearningObjects(searchOf({ max: 20 }));
  const milliseconds = performance.now() - start;
  await close();
  await upstream.close();
  return { milliseconds, answered: PROVIDERS - missing.length };
}

interface Results {
  readonly cached: Cached;
  readonly realistic: Overhead;
  readonly atOnce: Overhead;
  readonly calls: number;
  readonly withDead: WithDead;
}

function report({ cached, realistic, atOnce, calls, withDead }: Results): void {
  const share = ({ direct, added }: Overhead) => `${digits((added / direct) * 100, 1)} %`;
  const times = ({ direct, added }: Overhead) => `${digits(added)} ms more than ${digits(direct)} ms`;
  console.table([
    {
      what: 'cached answer, through discovery',
      measured: `${digits(cached.discovery, 1)} µs`,
      target: `${targets.cachedMicroseconds} µs`,
    },
    {
      what: `cached answers of ${PROVIDERS} providers, merged`,
      measured: `${digits(cached.severalProviders, 1)} µs`,
      target: `${targets.cachedMicroseconds} µs`,
    },
    {
      what: 'cached answer, the cache alone',
      measured: `${digits(cached.cache, 1)} µs`,
      target: `${targets.keptMicroseconds} µs`,
    },
    {
      what: `new search, upstream of ${REALISTIC_MS} ms`,
      measured: `${share(realistic)} (${times(realistic)})`,
      target: `${targets.overhead * 100} %`,
    },
    { what: 'new search, upstream at once', measured: `${share(atOnce)} (${times(atOnce)})`, target: '' },
    { what: `calls for ${CALLERS} equal searches at once`, measured: `${calls}`, target: '1' },
    {
      what: `answers of ${PROVIDERS} providers, one dead`,
      measured: `${withDead.answered} after ${digits(withDead.milliseconds)} ms`,
      target: `${PROVIDERS - 1}`,
    },
  ]);
  console.log(JSON.stringify({ cached, realistic, atOnce, calls, withDead }));
}

await main();
