import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { openStoreAt } from '../src/compose/open-store.ts';
import { createRecordServices, type RecordServices } from '../src/compose/record-services.ts';
import { DEFAULT_TENANT } from '../src/domain/tenant.ts';
import { systemClock } from '../src/ports/clock.ts';
import type { FeedbackRecord, Store } from '../src/ports/store/store.ts';
import {
  type FakeUpstream,
  startFakeUpstream,
  UPSTREAM_KEY,
  type UpstreamReply,
  type UpstreamRequest,
} from './fakes/upstream.ts';
import { isFullRun } from './helpers/draw.ts';
import { startMongoServer } from './helpers/mongo-server.ts';
import { SECRET, secretKeysOf, tester } from './helpers/open-services.ts';
import { makeTempDir } from './helpers/temp-dir.ts';

const COUNT = isFullRun ? 1_000 : 150;
/** Two hosts work side by side, and each is killed and started anew this often. */
const HOSTS = 2;
const KILLS_EACH = isFullRun ? 10 : 3;
/** So many in each life before it ends, some time in the next third of a second. */
const GIVEN_BEFORE = isFullRun ? 30 : 15;
/** The share of the answers to those who give feedback that gets lost, so that they give it
 *  again. */
const LOST_ANSWERS = 0.1;
const CALL_MS = 400;
const timing = {
  backoff: { firstMs: 10, maxMs: 320 },
  // Long enough also for a host that a busy machine holds up for a while.
  leaseMs: 10 * CALL_MS,
  pollMs: 200,
  atOnceOfReceiver: 8,
};
/** How often what is parked is tried again at most; each time about a hundredth of it is parked
 *  once more. */
const MOST_RETRIES = 5;
const deliverer = resolve('test/helpers/deliver-until-killed.js');

const mongo = await startMongoServer();
const children = new Set<ChildProcess>();
afterAll(async () => {
  // Of a test that failed, or took too long, some may still be there.
  for (const child of children) child.kill('SIGKILL');
  await mongo?.stop();
});

/** Half of the deliveries fail, in some of which the upstream takes the feedback and the host never
 *  hears of it. Now and then the upstream wants to be left alone for two seconds, which stops a
 *  host altogether. */
function randomReply(): UpstreamReply {
  const throttled = { status: 429, body: { message: 'Slow down.' }, headers: { 'retry-after': '2' } };
  if (Math.random() < 0.003) return throttled;
  if (Math.random() < 0.5) return {};
  const failures: readonly UpstreamReply[] = [
    { status: 503, body: { message: 'Not now.' } },
    { breaks: 'reset' },
    { breaks: 'hang' },
    { breaks: 'reset-in-body' },
  ];
  return failures[Math.floor(Math.random() * failures.length)]!;
}

/** Finds feedback that is on its way twice at a time, by its key. */
function watchOverlaps() {
  const open = new Map<unknown, Set<UpstreamRequest>>();
  const overlaps: unknown[] = [];
  const watch = (request: UpstreamRequest) => {
    const key = request.headers['idempotency-key'];
    const ofKey = open.get(key) ?? new Set();
    const before = [...ofKey];
    open.set(key, ofKey.add(request));
    // That an earlier one was given up may be told a turn later.
    void nextTurn()
      .then(() => nextTurn())
      .then(() => overlaps.push(...before.filter((other) => ofKey.has(other)).map(() => key)));
    return () => void ofKey.delete(request);
  };
  return { watch, overlaps };
}

interface Scene {
  readonly address: string;
  readonly store: Store;
  readonly services: RecordServices;
  readonly upstream: FakeUpstream;
  /** What the upstream answers to one delivery after the other. */
  readonly replies: readonly UpstreamReply[];
  /** Keys of what was on its way twice at a time. */
  readonly overlaps: readonly unknown[];
  /** What was not acknowledged yet, as far as is known. */
  readonly missing: Set<number>;
}

async function openScene(address: string): Promise<Scene> {
  const { watch, overlaps } = watchOverlaps();
  const upstream = await startFakeUpstream({ watch });
  const replies = Array.from({ length: 20 * COUNT }, randomReply);
  upstream.reply('feedback', ...replies);
  const store = await openStoreAt(address, { mustExist: false });
  const services = createRecordServices({ store, secretKeys: secretKeysOf(SECRET), clock: systemClock });
  await services.tenants.prepareDefault();
  const change = {
    version: 1,
    upstream: { kind: 'direct', url: upstream.url },
    apiKey: UPSTREAM_KEY,
  } as const;
  await services.tenants.changeUpstream(tester, DEFAULT_TENANT, change);
  const missing = new Set(Array.from({ length: COUNT }, (_, number) => number));
  return { address, store, services, upstream, replies, overlaps, missing };
}

/** Starts a host that gives these, and notes what it acknowledged. Resolves when it works: when so
 *  many are. */
async function startHost(scene: Scene, numbers: readonly number[], soMany: number): Promise<ChildProcess> {
  const { address, missing } = scene;
  const settings = { address, secret: SECRET, tenantId: DEFAULT_TENANT, numbers, callMs: CALL_MS, timing };
  const child = spawn(process.execPath, [deliverer, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  let heard = 0;
  await new Promise<void>((work, fail) => {
    child.once('exit', () => fail(new Error('a host ended before it worked')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const number = /^given (\d+) \.$/.exec(line)?.[1];
      if (number !== undefined) {
        if (Math.random() > LOST_ANSWERS) missing.delete(Number(number));
        heard++;
      }
      if (heard >= soMany) work();
    });
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`a host ended with ${child.exitCode} before it was killed`);
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

/** One host of several: each of its lives begins with a share of what it has to give, and what it
 *  could not give before. */
async function liveAndDie(scene: Scene, host: number): Promise<void> {
  for (let life = 1; life <= KILLS_EACH; life++) {
    const share = [...scene.missing].filter(
      (number) => number % HOSTS === host && number < (COUNT / KILLS_EACH) * life,
    );
    const child = await startHost(scene, share, GIVEN_BEFORE);
    await sleep(Math.random() * 300);
    await kill(child);
  }
}

/** Null counts whatever its state. */
async function countOf({ store }: Scene, state: FeedbackRecord['state'] | null): Promise<number> {
  const filter = { scope: null, state, provider: null, received: { from: null, until: null }, search: '' };
  const request = { ...filter, sort: 'receivedAt', descending: false, page: 0, pageSize: 1 } as const;
  return (await store.feedback.listFeedback(request)).total;
}

/** A host that nobody kills before it is done, and an administrator who lets what is parked begin
 *  again. */
async function finish(scene: Scene): Promise<void> {
  const left = [...scene.missing];
  const host = await startHost(scene, left, left.length);
  for (let retry = 0; retry <= MOST_RETRIES; retry++) {
    while ((await countOf(scene, 'waiting')) > 0 && host.exitCode === null) await sleep(100);
    if ((await scene.services.feedbackRecords.retryAllParked(tester, null)) === 0) break;
  }
  await kill(host);
}

async function expectAllDelivered({ store, upstream, replies, overlaps }: Scene): Promise<void> {
  const all = { scope: null, state: null, provider: null, received: { from: null, until: null }, search: '' };
  const kept = await store.feedback.readFeedback(all, null, 1_000);
  expect(new Set(kept.map(({ comment }) => comment)).size).toBe(COUNT);
  const idOf = new Map(kept.map(({ comment, id }) => [comment, id]));
  const taken = new Set<string>();
  const wrong: unknown[] = [];
  upstream.requests.forEach(({ operation, body, headers }, i) => {
    const { comment } = body as { comment: string };
    // Whatever is delivered more than once can be told by its key.
    if (operation !== 'feedback' || headers['idempotency-key'] !== idOf.get(comment)) wrong.push([comment, headers]);
    if (replies[i]!.status === undefined && replies[i]!.breaks === undefined) taken.add(comment);
  });
  expect(wrong).toEqual([]);
  expect(overlaps).toEqual([]);
  expect(taken.size).toBe(COUNT);
}

async function surviveKilling(address: string): Promise<void> {
  const scene = await openScene(address);
  try {
    await Promise.all(Array.from({ length: HOSTS }, (_, host) => liveAndDie(scene, host)));
    expect(scene.upstream.requests.length).toBeGreaterThan(0);
    await finish(scene);
    expect([await countOf(scene, 'delivered'), await countOf(scene, null)]).toEqual([COUNT, COUNT]);
    await expectAllDelivered(scene);
  } finally {
    await scene.store.close();
    await scene.upstream.close();
  }
}

describe('feedback outlives hosts that are killed and an upstream that fails every second time', () => {
  test('in the embedded store', () => surviveKilling(`sqlite:${join(makeTempDir(), 'skilldock.db')}`));

  test.runIf(mongo !== null)('in MongoDB', () => surviveKilling(mongo!.newUri()));
});
