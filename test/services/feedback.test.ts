import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Upstream } from '../../src/domain/tenant.ts';
import { AppError } from '../../src/errors.ts';
import type { FeedbackFilter, FeedbackRecord } from '../../src/ports/store.ts';
import { createFeedbackService } from '../../src/services/feedback.ts';
import type { StandingClock } from '../fakes/clock.ts';
import { KNOWN_REQUEST_ID } from '../fakes/learning-service.ts';
import { type OpenedServices, openServices, tester } from '../helpers/open-services.ts';

const given = {
  url: 'https://example.org/python',
  requestId: KNOWN_REQUEST_ID,
  email: 'ada@example.org',
  source: 'https://school.example.org',
};
const every: FeedbackFilter = {
  scope: null,
  state: null,
  provider: null,
  received: { from: null, until: null },
  search: '',
};

let services: OpenedServices<StandingClock>;
/** A tenant with an upstream. */
let id: string;
beforeEach(async () => {
  services = await openServices();
  id = (await services.tenants.createTenant(tester, 'School')).id;
  const upstream = { kind: 'direct', url: 'https://api.example.org' } as const;
  await services.tenants.changeUpstream(tester, id, { version: 1, upstream, apiKey: 'api-key-0001' });
});
afterEach(() => services.close());

async function kept(filter: FeedbackFilter = every): Promise<FeedbackRecord[]> {
  const records = [];
  for await (const record of services.feedback.readFeedback(filter)) records.push(record);
  return records;
}
async function changeUpstream(upstream: Upstream) {
  const { version } = (await services.store.tenants.findTenant(id))!;
  await services.tenants.changeUpstream(tester, id, { version, upstream });
}
const upstreamAnswers = (feedback: () => Promise<void>) => {
  services.fakeUpstreams.service.feedback = feedback;
};
const unreachable = () =>
  Promise.reject(new AppError('UPSTREAM_UNREACHABLE', 'api.example.org cannot be reached.'));
const counted = async () => (await services.usage.report(null, 1)).totals.feedback;

describe('for our own engine', () => {
  test('is stored as delivered, with its time and tenant', async () => {
    await services.feedback.giveFeedback('default', { ...given, comment: 'Good' });
    const now = services.clock.now();
    expect(await kept()).toEqual([
      {
        ...given,
        id: expect.any(String),
        tenantId: 'default',
        comment: 'Good',
        provider: 'youtube',
        receivedAt: now,
        state: 'delivered',
        attempts: 1,
        dueAt: now,
        lastError: null,
        destination: null,
      },
    ]);
    expect(await counted()).toBe(1);
  });

  test('has the provider of an object that it knows, and can be found by it', async () => {
    await services.feedback.giveFeedback('default', given);
    await services.feedback.giveFeedback('default', { ...given, url: 'https://example.org/unknown' });
    expect(await kept({ ...every, provider: 'youtube' })).toMatchObject([{ url: given.url }]);
    expect(await services.feedback.listFeedbackProviders(null)).toEqual(['youtube']);
  });

  test('is judged by it right after the tenant came back to it from an upstream', async () => {
    await services.feedback.giveFeedback(id, given);
    await changeUpstream({ kind: 'local' });
    await services.feedback.giveFeedback(id, given);
    expect(services.local.calls.feedback).toHaveLength(1);
    expect(services.fakeUpstreams.service.calls.feedback).toHaveLength(1);
  });

  test('on a search that was not made here is refused and not stored', async () => {
    const refused = services.feedback.giveFeedback('default', { ...given, requestId: 'made-up' });
    await expect(refused).rejects.toMatchObject({ code: 'REQUEST_ID_INVALID' });
    expect(await kept()).toEqual([]);
    expect(await counted()).toBe(0);
  });
});

describe('for an upstream', () => {
  test('reaches it at once, as it was given', async () => {
    await services.feedback.giveFeedback(id, given);
    await services.feedback.giveFeedback(id, { ...given, comment: 'Good' });
    expect(services.fakeUpstreams.service.calls.feedback).toEqual([given, { ...given, comment: 'Good' }]);
    expect(services.local.calls.feedback).toEqual([]);
    for (const record of await kept())
      expect(record).toMatchObject({
        ...{ tenantId: id, state: 'delivered', attempts: 1, lastError: null },
        ...{ provider: null, destination: 'https://api.example.org' },
      });
  });

  test('is in the store, and nobody else takes it, while it is on its way', async () => {
    const seen: (FeedbackRecord | null)[] = [];
    upstreamAnswers(async () => {
      const soon = new Date(services.clock.now().getTime() + 59_999);
      seen.push((await kept())[0]!, await services.store.feedback.claimDueFeedback(soon, soon));
    });
    await services.feedback.giveFeedback(id, given);
    expect(seen[0]).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(seen[1]).toBeNull();
  });

  test('waits when it cannot be delivered now, and the call succeeds', async () => {
    upstreamAnswers(unreachable);
    await services.feedback.giveFeedback(id, given);
    const dueAt = new Date(services.clock.now().getTime() + 60_000);
    expect(await kept()).toMatchObject([
      { state: 'waiting', attempts: 1, dueAt, lastError: 'api.example.org cannot be reached.' },
    ]);
    expect(await counted()).toBe(1);
  });

  test('waits too where the key cannot be read, and no unexpected error is shown as it is', async () => {
    upstreamAnswers(() => Promise.reject(new Error('api-key-0001 in a header')));
    await services.feedback.giveFeedback(id, given);
    const record = (await services.store.secrets.findSecret(id, 'upstream-api-key'))!;
    await services.store.secrets.putSecret({ ...record, sealed: 'broken' });
    services.clock.advance(1_000);
    await services.tenants.changeTenant(tester, id, { version: 2, name: 'A school' });
    await services.feedback.giveFeedback(id, given);
    const [second, first] = await kept();
    expect(first).toMatchObject({ state: 'waiting', lastError: expect.not.stringContaining('api-key') });
    expect(second).toMatchObject({ state: 'waiting', lastError: expect.stringContaining('SECRET_KEY') });
  });

  test.each(['REQUEST_ID_INVALID', 'PARAMETERS_INVALID'] as const)(
    'that it refuses for good (%s) is kept as refused, and the caller is told',
    async (code) => {
      upstreamAnswers(() => Promise.reject(new AppError(code, 'no such search')));
      await expect(services.feedback.giveFeedback(id, given)).rejects.toMatchObject({ code });
      expect(await kept()).toMatchObject([{ state: 'refused', lastError: 'no such search' }]);
      expect(await counted()).toBe(0);
    },
  );

  test('of a tenant that is disabled or not there is not taken', async () => {
    await services.tenants.disableTenant(tester, id);
    await expect(services.feedback.giveFeedback(id, given)).rejects.toMatchObject({
      code: 'TENANT_DISABLED',
    });
    await expect(services.feedback.giveFeedback('x', given)).rejects.toMatchObject({
      code: 'TENANT_UNKNOWN',
    });
    expect(await kept()).toEqual([]);
  });
});

describe('trying again', () => {
  async function giveWaiting(): Promise<string> {
    upstreamAnswers(unreachable);
    await services.feedback.giveFeedback(id, given);
    return (await kept())[0]!.id;
  }

  test('delivers what waits, and is in the trail', async () => {
    const waiting = await giveWaiting();
    expect(await services.feedback.retryFeedback(tester, null, waiting)).toMatchObject({
      state: 'waiting',
      attempts: 2,
    });
    upstreamAnswers(async () => undefined);
    expect(await services.feedback.retryFeedback(tester, [id], waiting)).toMatchObject({
      state: 'delivered',
      attempts: 3,
      lastError: null,
    });
    const period = { from: null, until: null };
    const filter = { scope: null, action: 'feedback.retried', period, search: '' };
    const { items } = await services.audit.listEntries({ ...filter, ascending: true, page: 0, pageSize: 10 });
    expect(items.map(({ tenantId, details }) => [tenantId, details.state])).toEqual([
      [id, 'waiting'],
      [id, 'delivered'],
    ]);
  });

  test('what was delivered is not delivered again', async () => {
    const waiting = await giveWaiting();
    let deliveries = 0;
    upstreamAnswers(async () => {
      deliveries++;
    });
    await services.feedback.retryFeedback(tester, null, waiting);
    expect(await services.feedback.retryFeedback(tester, null, waiting)).toMatchObject({
      state: 'delivered',
    });
    expect(deliveries).toBe(1);
  });

  test('beside a delivery that is slower, and fails, keeps what it delivered', async () => {
    let fail = () => {};
    const slow = new Promise<void>((_, reject) => {
      fail = () => reject(new AppError('UPSTREAM_UNREACHABLE', 'Timed out.'));
    });
    const begun = new Promise<void>((begin) => {
      upstreamAnswers(() => {
        begin();
        return slow;
      });
    });
    const first = services.feedback.giveFeedback(id, given);
    await begun;
    upstreamAnswers(async () => undefined);
    const retried = await services.feedback.retryFeedback(tester, null, (await kept())[0]!.id);
    expect(retried).toMatchObject({ state: 'delivered', attempts: 2 });
    fail();
    await first;
    expect(await kept()).toEqual([retried]);
  });

  test.each([
    { kind: 'direct', url: 'https://other.example.org' },
    { kind: 'direct', url: 'https://api.example.org:8443' },
    { kind: 'gateway', url: 'https://api.example.org', marketplaceUrl: 'https://market.example.org' },
    { kind: 'local' },
  ] as const)('sends it nowhere once the upstream is another: %o', async (upstream) => {
    const waiting = await giveWaiting();
    let deliveries = 0;
    upstreamAnswers(async () => {
      deliveries++;
    });
    await changeUpstream(upstream);
    services.clock.advance(1_000);
    expect(await services.feedback.retryFeedback(tester, null, waiting)).toMatchObject({
      state: 'refused',
      lastError: expect.stringMatching(/^It was meant for https:\/\/api\.example\.org; .*changed since/),
    });
    expect([deliveries, services.local.calls.feedback]).toEqual([0, []]);
    // What is given from now on is for the new one, and goes there at once.
    await services.feedback.giveFeedback(id, given);
    expect((await kept()).map(({ state }) => state).toSorted()).toEqual(['delivered', 'refused']);
  });

  test('delivers to another address of the same host', async () => {
    const waiting = await giveWaiting();
    upstreamAnswers(async () => undefined);
    await changeUpstream({ kind: 'direct', url: 'https://api.example.org/v2' });
    expect(await services.feedback.retryFeedback(tester, null, waiting)).toMatchObject({
      state: 'delivered',
    });
  });

  test('what is not there, and what is of another tenant, is unknown alike', async () => {
    const waiting = await giveWaiting();
    for (const [scope, wanted] of [
      [['default'], waiting],
      [[], waiting],
      [null, 'none'],
    ] as const)
      await expect(services.feedback.retryFeedback(tester, scope, wanted)).rejects.toMatchObject({
        code: 'FEEDBACK_UNKNOWN',
      });
  });
});

describe('reading', () => {
  test('gives everything once, newest first, while more comes in', async () => {
    for (let i = 0; i < 230; i++) {
      await services.feedback.giveFeedback('default', { ...given, comment: `${i}` });
      services.clock.advance(1);
    }
    const comments = [];
    for await (const { comment } of services.feedback.readFeedback(every)) {
      comments.push(comment);
      services.clock.advance(1);
      if (comments.length % 20 === 0) await services.feedback.giveFeedback('default', given);
    }
    expect(comments).toEqual(Array.from({ length: 230 }, (_, i) => `${229 - i}`));
  });

  test('gives all that fits while its state changes', async () => {
    const { feedback } = services.store;
    await services.feedback.giveFeedback('default', given);
    const [sample] = await kept();
    const count = 1_100;
    const records = Array.from({ length: count }, (_, i) => {
      return { ...sample!, id: `w${i}`, state: 'waiting', receivedAt: new Date(i) } as const;
    });
    await services.store.transfer.writeRecords(
      'feedback',
      records.map((record) => ({ key: record.id, record: { ...record } })),
    );
    const read = [];
    for await (const { id: of } of services.feedback.readFeedback({ ...every, state: 'waiting' })) {
      read.push(of);
      await feedback.settleFeedback(of, 1, { state: 'delivered', dueAt: new Date(0), lastError: null });
    }
    expect(read).toEqual(records.map((record) => record.id).toReversed());
  });

  test('keeps to the tenants one may see', async () => {
    await services.feedback.giveFeedback('default', given);
    await services.feedback.giveFeedback(id, given);
    expect((await kept({ ...every, scope: [id] })).map(({ tenantId }) => tenantId)).toEqual([id]);
    const page = { sort: 'receivedAt', descending: true, page: 0, pageSize: 10 } as const;
    expect(await services.feedback.listFeedback({ ...every, ...page, scope: [] })).toEqual({
      items: [],
      total: 0,
    });
    expect(await services.feedback.listFeedbackProviders([id])).toEqual([]);
  });
});

test('a store that fails refuses the feedback before it is sent', async () => {
  const service = createFeedbackService({
    ...services,
    providerOf: () => null,
    feedback: { ...services.store.feedback, saveFeedback: () => Promise.reject(new Error('full')) },
  });
  await expect(service.giveFeedback(id, given)).rejects.toThrow('full');
  expect(services.fakeUpstreams.service.calls.feedback).toEqual([]);
});
