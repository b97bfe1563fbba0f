import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFeedbackServices, type FeedbackServices } from '../../../../src/compose/people.ts';
import type { FeedbackTiming } from '../../../../src/compose/record-services.ts';
import { AppError, type ErrorCode } from '../../../../src/errors.ts';
import { type Clock, systemClock } from '../../../../src/ports/clock.ts';
import type { Feedback } from '../../../../src/ports/learning-service.ts';
import type { FeedbackRecord, Store } from '../../../../src/ports/store/store.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { type OpenedServices, openServices, tester } from '../../../helpers/open-services.ts';
import { openTestStore } from '../../../helpers/test-store.ts';

const given = {
  url: 'https://example.org/python',
  requestId: 'request-of-the-upstream',
  email: 'ada@example.org',
  source: 'https://school.example.org',
};

const program = { role: 'program' } as const;

let services: OpenedServices<Clock>;
let opened: FeedbackServices[];
let problems: unknown[];
/** A tenant with an upstream. */
let id: string;

async function open(clock: Clock = systemClock): Promise<void> {
  services = await openServices(clock);
  id = (await services.tenants.createTenant(tester, 'School')).id;
  const upstream = { kind: 'direct', url: 'https://api.example.org' } as const;
  await services.tenants.changeUpstream(tester, id, { version: 1, upstream, apiKey: 'api-key-0001' });
}
beforeEach(() => {
  opened = [];
  problems = [];
});
afterEach(async () => {
  for (const { feedbackOutbox } of opened) await feedbackOutbox.close();
  await services.close();
});

/** A host on the same store, with pauses that no test lives to see the end of unless it says so. */
function host(timing: FeedbackTiming = {}, store: Store = services.store): FeedbackServices {
  const parts = createFeedbackServices({
    ...services,
    store,
    providerOf: async () => null,
    publicUrl: 'https://skills.example.org',
    feedbackTiming: { pollMs: 600_000, ...timing },
    onProblem: (error) => problems.push(error),
  });
  opened.push(parts);
  return parts;
}

const upstreamAnswers = (feedback: (given: Feedback) => Promise<void>) => {
  services.fakeUpstreams.service.feedback = feedback;
};
/** The upstream takes its time until it is let go. */
function holdUpstream() {
  let begun = 0;
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  upstreamAnswers(() => {
    begun++;
    return held;
  });
  return { begun: () => begun, end };
}

/** @returns the id of a tenant with a service of its own */
async function createOther(): Promise<string> {
  const other = (await services.tenants.createTenant(tester, 'Other')).id;
  const upstream = { kind: 'direct', url: 'https://other.example.org' } as const;
  await services.tenants.changeUpstream(tester, other, { version: 1, upstream, apiKey: 'api-key-0002' });
  return other;
}

async function kept(): Promise<FeedbackRecord[]> {
  const filter = {
    scope: null,
    state: null,
    provider: null,
    received: { from: null, until: null },
    search: '',
  };
  const records = [];
  for await (const record of services.feedback.readFeedback(filter)) records.push(record);
  return records;
}
async function waitForState(state: FeedbackRecord['state'], attempts: number): Promise<FeedbackRecord> {
  await expect.poll(async () => (await kept())[0]).toMatchObject({ state, attempts });
  return (await kept())[0]!;
}

describe('delivering', () => {
  test('begins as soon as something is given, under the id it is kept under', async () => {
    await open();
    const taken: Feedback[] = [];
    upstreamAnswers(async (feedback) => void taken.push(feedback));
    const { feedback, feedbackOutbox } = host();
    const claim = vi.spyOn(services.store.feedback, 'claimDue');
    feedbackOutbox.start();
    // It has looked in vain, and pauses.
    await expect.poll(() => claim.mock.settledResults).toHaveLength(1);
    await feedback.giveFeedback(id, { ...given, comment: 'Good' }, program);
    const record = await waitForState('delivered', 1);
    expect(record).toMatchObject({ lastError: null, destination: 'https://api.example.org' });
    expect(taken).toEqual([{ ...given, comment: 'Good', id: record.id }]);
  });

  test('finds what was there before, and what other hosts were given', async () => {
    await open();
    upstreamAnswers(async () => undefined);
    await services.feedback.giveFeedback(id, given, program);
    host({ pollMs: 20 }).feedbackOutbox.start();
    await waitForState('delivered', 1);
    await services.feedback.giveFeedback(id, given, program);
    await expect.poll(async () => (await kept()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  test('is tried again, as the same feedback, until it is taken', async () => {
    await open();
    const ids: unknown[] = [];
    upstreamAnswers(async (feedback) => {
      ids.push(feedback.id);
      if (ids.length < 4) throw new AppError('UPSTREAM_FAILED', 'Later.');
    });
    const { feedback, feedbackOutbox } = host({ backoff: { firstMs: 5, maxMs: 10_000 } });
    feedbackOutbox.start();
    await feedback.giveFeedback(id, given, program);
    const record = await waitForState('delivered', 4);
    expect(ids).toEqual(Array(4).fill(record.id));
  });

  test('ends, parked, when the longest wait was in vain; an administrator lets it begin again', async () => {
    await open();
    upstreamAnswers(() => Promise.reject(new AppError('UPSTREAM_FAILED', 'Never.')));
    const { feedback, feedbackOutbox } = host({ backoff: { firstMs: 1, maxMs: 4 } });
    feedbackOutbox.start();
    await feedback.giveFeedback(id, given, program);
    expect(await waitForState('parked', 4)).toMatchObject({ lastError: 'Never.' });
    upstreamAnswers(async () => undefined);
    expect(await feedback.retryAllParked(tester, [id])).toBe(1);
    await waitForState('delivered', 5);
  });

  test('that is parked begins its waits anew once it is let begin again', async () => {
    await open();
    upstreamAnswers(() => Promise.reject(new AppError('UPSTREAM_FAILED', 'Never.')));
    const { feedback, feedbackOutbox } = host({ backoff: { firstMs: 1, maxMs: 4 } });
    feedbackOutbox.start();
    await feedback.giveFeedback(id, given, program);
    await waitForState('parked', 4);
    await feedback.retryAllParked(tester, null);
    expect(await waitForState('parked', 8)).toMatchObject({ failures: 4 });
  });

  test('is for a few at a time', async () => {
    await open();
    const held = holdUpstream();
    for (let i = 0; i < 20; i++) await services.feedback.giveFeedback(id, given, program);
    const { feedback, feedbackOutbox } = host({ atOnceOfReceiver: 20 });
    feedbackOutbox.start();
    await expect.poll(() => held.begun()).toBe(8);
    // That one more is there wakes it, and lets it begin none.
    await feedback.giveFeedback(id, given, program);
    await kept();
    expect(held.begun()).toBe(8);
    held.end();
    await expect.poll(async () => (await kept()).every(({ state }) => state === 'delivered')).toBe(true);
  });

  test('of one tenant, whose service is slow, leaves room for the others', async () => {
    await open();
    const slow = new Set<string>();
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    upstreamAnswers(({ url, id: of }) => {
      if (url !== given.url) return Promise.resolve();
      slow.add(of!);
      return held;
    });
    for (let i = 0; i < 20; i++) await services.feedback.giveFeedback(id, given, program);
    const { feedback, feedbackOutbox } = host();
    feedbackOutbox.start();
    await expect.poll(() => slow.size).toBe(2);
    const other = await createOther();
    for (let i = 0; i < 5; i++) {
      await feedback.giveFeedback(other, { ...given, url: `https://example.org/${i}` }, program);
    }
    const others = async () => (await kept()).filter(({ tenantId }) => tenantId === other);
    await expect.poll(async () => (await others()).map(({ state }) => state)).toEqual(Array(5).fill('delivered'));
    expect(slow.size).toBe(2);
    end();
    // There is no pause to the end of which this test lives: each that ends lets the next one begin.
    await expect.poll(() => slow.size).toBe(20);
  });

  test('leaves a service alone that cannot be asked, and begins again when it can', async () => {
    await open();
    let isPaused = true;
    let asked = 0;
    upstreamAnswers(async ({ url }) => {
      if (url !== given.url) return;
      asked++;
      if (isPaused) throw new AppError('UPSTREAM_PAUSED', 'Paused.', { retryAfterSeconds: 2 });
    });
    for (let i = 0; i < 20; i++) await services.feedback.giveFeedback(id, given, program);
    const { feedback, feedbackOutbox } = host();
    feedbackOutbox.start();
    await expect.poll(() => asked).toBeGreaterThan(0);
    const other = await createOther();
    await feedback.giveFeedback(other, { ...given, url: 'https://example.org/other' }, program);
    const ofOther = async () => (await kept()).find(({ tenantId }) => tenantId === other)?.state;
    await expect.poll(ofOther).toBe('delivered');
    // Those that were begun before it was known.
    expect(asked).toBeLessThanOrEqual(3);
    isPaused = false;
    await expect.poll(async () => (await kept()).every(({ state }) => state === 'delivered')).toBe(true);
  });

  test('is shared by hosts: each is delivered by one of them', async () => {
    await open();
    const ids: unknown[] = [];
    upstreamAnswers(async (feedback) => {
      ids.push(feedback.id);
      await nextTurn();
    });
    for (let i = 0; i < 60; i++) await services.feedback.giveFeedback(id, given, program);
    const store = openTestStore(services.file);
    const hosts = [host(), host({}, store)];
    for (const { feedbackOutbox } of hosts) feedbackOutbox.start();
    await expect.poll(() => ids.length).toBeGreaterThanOrEqual(60);
    for (const { feedbackOutbox } of hosts) await feedbackOutbox.close();
    await store.close();
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
    expect((await kept()).every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(true);
  });

  test('of a host that was killed is another’s when its lease ends, and not before', async () => {
    await open();
    const { feedback } = services.store;
    const takenAt: number[] = [];
    upstreamAnswers(async () => void takenAt.push(Date.now()));
    await services.feedback.giveFeedback(id, given, program);
    const leaseUntil = new Date(Date.now() + 150);
    await feedback.claimDue(new Date(), leaseUntil);
    host({ pollMs: 20 }).feedbackOutbox.start();
    await waitForState('delivered', 2);
    expect(takenAt).toHaveLength(1);
    expect(takenAt[0]).toBeGreaterThanOrEqual(leaseUntil.getTime());
  });

  test('of a host whose clock was a month ahead is not kept for as long', async () => {
    await open();
    const { feedback } = services.store;
    upstreamAnswers(async () => undefined);
    await services.feedback.giveFeedback(id, given, program);
    const monthAhead = Date.now() + 30 * 24 * 3_600_000;
    await feedback.claimDue(new Date(monthAhead), new Date(monthAhead + 60_000));
    host().feedbackOutbox.start();
    await waitForState('delivered', 2);
  });
});

describe('a delivery that fails', () => {
  const outcomeOf = async (error: unknown): Promise<FeedbackRecord> => {
    upstreamAnswers(() => Promise.reject(error));
    const { feedback, feedbackOutbox } = host();
    feedbackOutbox.start();
    await feedback.giveFeedback(id, given, program);
    return failed();
  };
  const failed = async () => {
    await expect.poll(async () => (await kept())[0]!.lastError).not.toBeNull();
    return (await kept())[0]!;
  };
  const secondsLeft = ({ dueAt }: FeedbackRecord) => (dueAt.getTime() - services.clock.now().getTime()) / 1000;
  beforeEach(() => open(createStandingClock()));

  test.each([
    'UPSTREAM_UNREACHABLE',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_FAILED',
    'UPSTREAM_KEY_REFUSED',
    'UPSTREAM_ADDRESS_REFUSED',
    'RESPONSE_INVALID',
    'SECRET_UNREADABLE',
    'TENANT_DISABLED',
  ] as const satisfies readonly ErrorCode[])('with %s is tried again after half a minute', async (code) => {
    const record = await outcomeOf(new AppError(code, 'What happened.'));
    expect(record).toMatchObject({
      state: 'waiting',
      attempts: 1,
      failures: 1,
      leasedUntil: null,
      lastError: 'What happened.',
    });
    expect(secondsLeft(record)).toBeGreaterThanOrEqual(30);
    expect(secondsLeft(record)).toBeLessThan(37.5);
  });

  test.each(['UPSTREAM_THROTTLED', 'UPSTREAM_PAUSED', 'UPSTREAM_BUSY'] as const)(
    'with %s and a time is tried again then, and has not failed',
    async (code) => {
      const record = await outcomeOf(new AppError(code, 'Later.', { retryAfterSeconds: 600 }));
      expect(record).toMatchObject({ state: 'waiting', attempts: 1, failures: 0, lastError: 'Later.' });
      expect(secondsLeft(record)).toBeGreaterThanOrEqual(600);
      expect(secondsLeft(record)).toBeLessThan(750);
    },
  );

  test('with UPSTREAM_THROTTLED alone has failed', async () => {
    const record = await outcomeOf(new AppError('UPSTREAM_THROTTLED', 'Later.'));
    expect(record).toMatchObject({ state: 'waiting', failures: 1 });
  });

  test('is not parked by what is no failure, however often', async () => {
    await services.feedback.giveFeedback(id, given, program);
    const [record] = await kept();
    const last = { ...record!, attempts: 40, failures: 13 };
    await services.store.transfer.writeRecords('feedback', [{ key: last.id, record: last }]);
    upstreamAnswers(() => Promise.reject(new AppError('UPSTREAM_PAUSED', 'Paused.')));
    host().feedbackOutbox.start();
    expect(await failed()).toMatchObject({ state: 'waiting', attempts: 41, failures: 13 });
  });

  test.each(['REQUEST_ID_INVALID', 'PARAMETERS_INVALID', 'TENANT_UNKNOWN'] as const)(
    'with %s is not tried again',
    async (code) => {
      const record = await outcomeOf(new AppError(code, 'No such search.'));
      expect(record).toMatchObject({ state: 'refused', attempts: 1, lastError: 'No such search.' });
    },
  );

  test('unexpectedly does not show why', async () => {
    const { state, lastError } = await outcomeOf(new Error('api-key-0001 in a header'));
    expect(state).toBe('waiting');
    expect(lastError).not.toContain('api-key');
  });

  test('because its tenant is disabled says so, and no upstream is asked', async () => {
    await services.feedback.giveFeedback(id, given, program);
    await services.tenants.disableTenant(tester, id);
    host().feedbackOutbox.start();
    expect(await failed()).toMatchObject({ state: 'waiting', lastError: expect.stringMatching(/disabled/) });
    expect(services.fakeUpstreams.service.calls.feedback).toEqual([]);
  });

  test('because a saved key cannot be read says so', async () => {
    await services.feedback.giveFeedback(id, given, program);
    const secret = (await services.store.secrets.findSecret(id, 'upstream-api-key'))!;
    await services.store.secrets.putSecret({ ...secret, sealed: 'broken' });
    host().feedbackOutbox.start();
    expect(await failed()).toMatchObject({
      state: 'waiting',
      lastError: expect.stringMatching(/SECRET_KEY/),
    });
  });
});

describe('a store that fails', () => {
  test('is told, and asked again, but not without a pause', async () => {
    await open();
    const { store } = services;
    const claim = vi.spyOn(store.feedback, 'claimDue').mockRejectedValue(new Error('locked'));
    upstreamAnswers(async () => undefined);
    const { feedback, feedbackOutbox } = host();
    feedbackOutbox.start();
    await expect.poll(() => problems).toEqual([new Error('locked')]);
    await nextTurn();
    expect(claim).toHaveBeenCalledOnce();
    await expect.poll(() => claim.mock.calls.length, { timeout: 60_000 }).toBe(2);
    claim.mockRestore();
    await feedback.giveFeedback(id, given, program);
    await waitForState('delivered', 1);
  });

  test('after the delivery only leaves it to be made again', async () => {
    await open();
    vi.spyOn(services.store.feedback, 'settleFeedback').mockRejectedValueOnce(new Error('full'));
    const ids: unknown[] = [];
    upstreamAnswers(async (feedback) => void ids.push(feedback.id));
    const { feedback, feedbackOutbox } = host({ leaseMs: 600, pollMs: 20 });
    feedbackOutbox.start();
    await feedback.giveFeedback(id, given, program);
    const record = await waitForState('delivered', 2);
    expect(problems).toEqual([new Error('full')]);
    expect(ids).toEqual([record.id, record.id]);
  });
});

describe('closing', () => {
  test('lets what is under way end, and begins nothing more', async () => {
    await open();
    const held = holdUpstream();
    for (let i = 0; i < 6; i++) await services.feedback.giveFeedback(id, given, program);
    const { feedback, feedbackOutbox } = host({ drainMs: 60_000, atOnceOfReceiver: 4 });
    feedbackOutbox.start();
    await expect.poll(() => held.begun()).toBe(4);
    const closed = feedbackOutbox.close();
    held.end();
    await closed;
    await feedback.giveFeedback(id, given, program);
    expect(held.begun()).toBe(4);
    const states = (await kept()).map(({ state, attempts }) => `${state} ${attempts}`).toSorted();
    expect(states).toEqual([...Array(4).fill('delivered 1'), ...Array(3).fill('waiting 0')]);
  });

  test.each([
    ['the signal’s reason', (signal: AbortSignal) => signal.reason],
    ['another error of giving up', () => new DOMException('Given up.', 'AbortError')],
  ])('gives up with %s what does not end: it is due at once, and has not failed', async (_which, why) => {
    await open(createStandingClock());
    let isBegun = false;
    services.fakeUpstreams.service.feedback = (_given, { signal } = {}) =>
      new Promise((_, reject) => {
        isBegun = true;
        signal!.addEventListener('abort', () => reject(why(signal!)));
      });
    await services.feedback.giveFeedback(id, given, program);
    const [record] = await kept();
    const before = { ...record!, attempts: 14, failures: 13, lastError: 'It was away.' };
    await services.store.transfer.writeRecords('feedback', [{ key: before.id, record: before }]);
    const { feedbackOutbox } = host({ drainMs: 20 });
    feedbackOutbox.start();
    await expect.poll(() => isBegun).toBe(true);
    await feedbackOutbox.close();
    expect(await kept()).toEqual([{ ...before, attempts: 15, dueAt: services.clock.now() }]);
    expect(problems).toEqual([]);
  });

  test('keeps what the service said just before it was given up', async () => {
    await open();
    let isBegun = false;
    services.fakeUpstreams.service.feedback = (_given, { signal } = {}) =>
      new Promise((_, reject) => {
        isBegun = true;
        signal!.addEventListener('abort', () => reject(new AppError('UPSTREAM_TIMEOUT', 'Too late.')));
      });
    const { feedback, feedbackOutbox } = host({ drainMs: 20 });
    feedbackOutbox.start();
    await feedback.giveFeedback(id, given, program);
    await expect.poll(() => isBegun).toBe(true);
    await feedbackOutbox.close();
    expect(await kept()).toMatchObject([{ state: 'waiting', failures: 1, lastError: 'Too late.' }]);
  });

  test('twice is waiting for the same end', async () => {
    await open();
    let end = () => {};
    const begun = new Promise<void>((begin) => {
      upstreamAnswers(() => {
        begin();
        return new Promise((resolve) => {
          end = resolve;
        });
      });
    });
    const { feedback, feedbackOutbox } = host({ drainMs: 60_000 });
    feedbackOutbox.start();
    await feedback.giveFeedback(id, given, program);
    await begun;
    const first = feedbackOutbox.close();
    const second = feedbackOutbox.close();
    end();
    await Promise.all([first, second]);
    expect(await kept()).toMatchObject([{ state: 'delivered' }]);
  });

  test('does not wait for ever for a service that does not even notice', async () => {
    await open();
    upstreamAnswers(() => new Promise(() => undefined));
    const { feedback, feedbackOutbox } = host({ drainMs: 20 });
    feedbackOutbox.start();
    await feedback.giveFeedback(id, given, program);
    await waitForState('waiting', 1);
    await feedbackOutbox.close();
    expect(await kept()).toMatchObject([{ state: 'waiting', attempts: 1 }]);
  });

  test('is possible before it was started', async () => {
    await open();
    await host().feedbackOutbox.close();
  });
});
