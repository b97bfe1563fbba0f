import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FeedbackSettings, Upstream } from '../../../../src/domain/tenant.ts';
import { AppError } from '../../../../src/errors.ts';
import type { FeedbackFilter, FeedbackRecord } from '../../../../src/ports/store/store.ts';
import type { StandingClock } from '../../../fakes/clock.ts';
import { KNOWN_REQUEST_ID } from '../../../fakes/learning-service.ts';
import { type OpenedServices, openServices, tester } from '../../../helpers/open-services.ts';

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

const program = { role: 'program' } as const;

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
const unreachable = () => Promise.reject(new AppError('UPSTREAM_UNREACHABLE', 'api.example.org cannot be reached.'));
const trail = async (action: string) => {
  const filter = { scope: null, action, period: { from: null, until: null }, search: '' };
  const page = { ascending: true, page: 0, pageSize: 100 };
  return (await services.audit.listEntries({ ...filter, ...page })).items;
};
const counted = async () => (await services.usage.report(null, 1)).totals.feedback;

describe('for our own engine', () => {
  test('is stored as delivered, with its time and tenant', async () => {
    await services.feedback.giveFeedback('default', { ...given, comment: 'Good' }, program);
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
        failures: 0,
        dueAt: now,
        leasedUntil: null,
        lastError: null,
        destination: null,
        giverHash: null,
      },
    ]);
    expect(await counted()).toBe(1);
  });

  test('has the provider of an object that it knows, and can be found by it', async () => {
    await services.feedback.giveFeedback('default', given, program);
    await services.feedback.giveFeedback('default', { ...given, url: 'https://example.org/unknown' }, program);
    expect(await kept({ ...every, provider: 'youtube' })).toMatchObject([{ url: given.url }]);
    expect(await services.feedback.listFeedbackProviders(null)).toEqual(['youtube']);
  });

  test('is judged by it right after the tenant came back to it from an upstream', async () => {
    await services.feedback.giveFeedback(id, given, program);
    await changeUpstream({ kind: 'local' });
    await services.feedback.giveFeedback(id, given, program);
    expect(services.local.calls.feedback).toHaveLength(1);
    expect((await kept()).map(({ state }) => state).toSorted()).toEqual(['delivered', 'waiting']);
  });

  test('on a search that was not made here is refused and not stored', async () => {
    const refused = services.feedback.giveFeedback('default', { ...given, requestId: 'made-up' }, program);
    await expect(refused).rejects.toMatchObject({ code: 'REQUEST_ID_INVALID' });
    expect(await kept()).toEqual([]);
    expect(await counted()).toBe(0);
  });
});

describe('for an upstream', () => {
  test('is stored as it was given, and the call asks nobody', async () => {
    await services.feedback.giveFeedback(id, { ...given, comment: '  Good ' }, program);
    const now = services.clock.now();
    expect(await kept()).toEqual([
      {
        ...given,
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        tenantId: id,
        comment: 'Good',
        provider: null,
        receivedAt: now,
        state: 'waiting',
        attempts: 0,
        failures: 0,
        dueAt: now,
        leasedUntil: null,
        lastError: null,
        destination: 'https://api.example.org',
        giverHash: null,
      },
    ]);
    expect(await counted()).toBe(1);
    expect(services.fakeUpstreams.connected).toEqual([]);
  });

  test('of a tenant that is disabled or not there is not taken', async () => {
    await services.tenants.disableTenant(tester, id);
    await expect(services.feedback.giveFeedback(id, given, program)).rejects.toMatchObject({
      code: 'TENANT_DISABLED',
    });
    await expect(services.feedback.giveFeedback('x', given, program)).rejects.toMatchObject({
      code: 'TENANT_UNKNOWN',
    });
    expect(await kept()).toEqual([]);
  });
});

describe('what cannot be delivered anywhere', () => {
  test.each([
    ['url', { url: 'javascript:alert(1)' }],
    ['url', { url: 'example.org/python' }],
    ['url', { url: `https://example.org/${'a'.repeat(2_000)}` }],
    ['comment', { comment: 'a'.repeat(2_001) }],
    ['request_id', { requestId: '' }],
    ['request_id', { requestId: 'r'.repeat(201) }],
    ['email', { email: 'ada' }],
    ['email', { email: `${'a'.repeat(250)}@example.org` }],
    ['source', { source: 'javascript:alert(1)' }],
    ['source', { source: 'our school' }],
  ])('is refused for its %s: %j', async (path, wrong) => {
    for (const tenantId of ['default', id])
      await expect(services.feedback.giveFeedback(tenantId, { ...given, ...wrong }, program)).rejects.toMatchObject({
        code: 'PARAMETERS_INVALID',
        problems: [{ path }],
      });
    expect(await kept()).toEqual([]);
  });

  test('is told all at once', async () => {
    const wrong = { url: '', requestId: '', email: '', source: '', comment: 'a'.repeat(2_001) };
    await expect(services.feedback.giveFeedback(id, wrong, program)).rejects.toMatchObject({
      problems: ['url', 'comment', 'request_id', 'email', 'source'].map((path) => ({ path })),
    });
  });

  test('is neither the longest there may be nor sent from an application', async () => {
    const longest = { url: `https://example.org/${'a'.repeat(1_980)}`, comment: `${'é'.repeat(2_000)} ` };
    await services.feedback.giveFeedback(id, { ...given, ...longest, source: 'slack://channel?team=T1' }, program);
    expect(await kept()).toMatchObject([{ url: longest.url, comment: longest.comment.trim() }]);
  });
});

describe('characters that no text has', () => {
  test('are left out of a comment', async () => {
    const comment = '\u0000Very\u0000 good,\r\nlong\tand\u001b[31m red\u0085 \ud83d\udc0d \udc0d\u007f\r';
    await services.feedback.giveFeedback(id, { ...given, comment }, program);
    expect(await kept()).toMatchObject([{ comment: 'Very good,\nlong\tand[31m red \ud83d\udc0d \ufffd' }]);
  });

  test('leave no comment where there is nothing else', async () => {
    await services.feedback.giveFeedback(id, { ...given, comment: ' \u0000 ' }, program);
    expect(await kept()).toMatchObject([{ comment: null }]);
  });

  test.each([
    ['url', { url: 'https://example.org/\u0000python' }],
    ['url', { url: 'https://example.org/\ud83d' }],
    ['url', { url: 'https://example.org/\npython' }],
    ['request_id', { requestId: 'request\u00001' }],
    ['request_id', { requestId: '\udc0d' }],
    ['email', { email: 'ada@example.org\u0000' }],
    ['source', { source: 'https://school.example.org/\u0000' }],
  ])('are refused in its %s: %j', async (path, wrong) => {
    const refused = services.feedback.giveFeedback(id, { ...given, ...wrong }, program);
    await expect(refused).rejects.toMatchObject({ code: 'PARAMETERS_INVALID', problems: [{ path }] });
  });
});

describe('whose address is stored', () => {
  const emailsOf = async (settings: Partial<FeedbackSettings>) => {
    const { version, feedback } = await services.tenants.getTenant(id);
    const changed = { version, settings: { ...feedback, ...settings } };
    await services.tenants.changeFeedbackSettings(tester, id, changed);
    const emails: Record<string, string> = {};
    for (const role of ['learner', 'staff', 'unknown', 'program'] as const) {
      await services.feedback.giveFeedback(id, given, { role });
      emails[role] = (await kept())[0]!.email;
      services.clock.advance(1);
    }
    return emails;
  };
  const own = given.email;

  test('that of learners is not, unless it is wanted', async () => {
    const hidden = 'feedback@skills.example.org';
    const forLearners = { learner: hidden, staff: own, unknown: hidden, program: own };
    expect(await emailsOf({})).toEqual(forLearners);
    expect(await emailsOf({ sharedEmailFor: 'nobody' })).toEqual({
      learner: own,
      staff: own,
      unknown: own,
      program: own,
    });
  });

  test('the shared one is where there is one, and may stand for everyone', async () => {
    const shared = { sharedEmail: 'library@school.example.org', sharedEmailFor: 'everyone' } as const;
    const [all] = [shared.sharedEmail];
    expect(await emailsOf(shared)).toEqual({ learner: all, staff: all, unknown: all, program: all });
  });

  test('holds for our own engine as well', async () => {
    await services.feedback.giveFeedback('default', given, { role: 'learner' });
    expect(await kept()).toMatchObject([{ email: 'feedback@skills.example.org', state: 'delivered' }]);
  });
});

describe('an idempotency key', () => {
  test.each(['default', 'upstream'])('lets a repeat (%s) be stored, and counted, once', async (where) => {
    const tenantId = where === 'upstream' ? id : 'default';
    for (let i = 0; i < 3; i++)
      await services.feedback.giveFeedback(tenantId, given, { ...program, idempotencyKey: 'key 1' });
    await Promise.all(
      [1, 2].map(() => services.feedback.giveFeedback(tenantId, given, { ...program, idempotencyKey: 'key 2' })),
    );
    const ids = (await kept()).map((record) => record.id);
    expect(new Set(ids).size).toBe(2);
    expect(ids).toHaveLength(2);
    for (const each of ids) expect(each).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(await counted()).toBe(2);
  });

  test('is the tenant’s own, and none is none', async () => {
    for (const tenantId of ['default', id])
      await services.feedback.giveFeedback(tenantId, given, { ...program, idempotencyKey: 'key' });
    for (let i = 0; i < 2; i++) await services.feedback.giveFeedback(id, given, { ...program, idempotencyKey: '' });
    expect(await kept()).toHaveLength(4);
  });

  test('that came with another feedback before loses neither of them unseen', async () => {
    await services.feedback.giveFeedback(id, given, { ...program, idempotencyKey: 'key' });
    const other = services.feedback.giveFeedback(
      id,
      { ...given, comment: 'No' },
      { ...program, idempotencyKey: 'key' },
    );
    await expect(other).rejects.toMatchObject({
      code: 'PARAMETERS_INVALID',
      problems: [{ path: 'Idempotency-Key' }],
    });
    expect(await kept()).toMatchObject([{ comment: null }]);
  });

  test.each(['program', 'learner'] as const)(
    'that came under the address of another %s before is no repeat',
    async (role) => {
      const from = { role, idempotencyKey: 'key' };
      await services.feedback.giveFeedback(id, given, from);
      const other = services.feedback.giveFeedback(id, { ...given, email: 'bob@example.org' }, from);
      await expect(other).rejects.toMatchObject({
        code: 'PARAMETERS_INVALID',
        problems: [{ path: 'Idempotency-Key' }],
      });
      await services.feedback.giveFeedback(id, given, from);
      const [{ giverHash }, ...rest] = (await kept()) as [FeedbackRecord];
      expect([giverHash, rest]).toEqual([expect.stringMatching(/^[\w-]{43}$/), []]);
    },
  );

  test('is a repeat under any address where none was noted before', async () => {
    await services.feedback.giveFeedback(id, given, { ...program, idempotencyKey: 'key' });
    const [record] = await kept();
    const older = { key: record!.id, record: { ...record!, giverHash: null } };
    await services.store.transfer.writeRecords('feedback', [older]);
    const from = { role: 'learner', idempotencyKey: 'key' } as const;
    await services.feedback.giveFeedback(id, given, from);
    expect(await kept()).toHaveLength(1);
  });

  test('can be used again for what was erased, even while it is given again', async () => {
    const from = { ...program, idempotencyKey: 'key' };
    await services.feedback.giveFeedback(id, given, from);
    await services.store.personal.removePersonal('feedback', { 'derived.email': given.email });
    await services.feedback.giveFeedback(id, { ...given, comment: 'Anew' }, from);
    expect(await kept()).toMatchObject([{ comment: 'Anew' }]);
    const { feedback } = services.store;
    const { saveFeedback } = feedback;
    vi.spyOn(feedback, 'saveFeedback').mockImplementationOnce(async (record) => {
      const isSaved = await saveFeedback(record);
      await services.store.personal.removePersonal('feedback', { 'derived.email': given.email });
      return isSaved;
    });
    await services.feedback.giveFeedback(id, { ...given, comment: 'Once more' }, from);
    expect(await kept()).toMatchObject([{ comment: 'Once more' }]);
  });
});

describe('trying again', () => {
  async function giveWaiting(): Promise<string> {
    upstreamAnswers(unreachable);
    await services.feedback.giveFeedback(id, given, program);
    return (await kept())[0]!.id;
  }

  test('delivers what waits, and is in the trail', async () => {
    const waiting = await giveWaiting();
    expect(await services.feedback.retryFeedback(tester, null, waiting)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      lastError: 'api.example.org cannot be reached.',
    });
    upstreamAnswers(async () => undefined);
    expect(await services.feedback.retryFeedback(tester, [id], waiting)).toMatchObject({
      state: 'delivered',
      attempts: 2,
      lastError: null,
    });
    expect((await trail('feedback.retried')).map(({ tenantId, details }) => [tenantId, details.state])).toEqual([
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

  test('beside a delivery that is under way delivers nothing, and gives it as leased', async () => {
    const waiting = await giveWaiting();
    let deliveries = 0;
    let end = () => {};
    const slow = new Promise<void>((resolve) => {
      end = resolve;
    });
    const begun = new Promise<void>((begin) => {
      upstreamAnswers(() => {
        deliveries++;
        begin();
        return slow;
      });
    });
    const first = services.feedback.retryFeedback(tester, null, waiting);
    await begun;
    const leasedUntil = new Date(services.clock.now().getTime() + 60_000);
    const again = await services.feedback.retryFeedback(tester, null, waiting);
    expect(again).toMatchObject({ state: 'waiting', attempts: 1, leasedUntil });
    end();
    expect(await first).toMatchObject({ state: 'delivered', attempts: 1, leasedUntil: null });
    expect(deliveries).toBe(1);
    expect(await trail('feedback.retried')).toHaveLength(1);
  });

  test('what was refused is possible too, once what was wrong is put right', async () => {
    const waiting = await giveWaiting();
    upstreamAnswers(() => Promise.reject(new AppError('REQUEST_ID_INVALID', 'No such search.')));
    const refused = await services.feedback.retryFeedback(tester, null, waiting);
    expect(refused).toMatchObject({ state: 'refused', attempts: 1, failures: 1 });
    upstreamAnswers(async () => undefined);
    const delivered = { state: 'delivered', attempts: 2, failures: 0, lastError: null };
    expect(await services.feedback.retryFeedback(tester, null, waiting)).toMatchObject(delivered);
  });

  test('begins the waits anew', async () => {
    const waiting = await giveWaiting();
    const parked = { ...(await kept())[0]!, state: 'parked', attempts: 14, failures: 14 } as const;
    await services.store.transfer.writeRecords('feedback', [{ key: waiting, record: { ...parked } }]);
    const retried = await services.feedback.retryFeedback(tester, null, waiting);
    expect(retried).toMatchObject({ state: 'waiting', attempts: 15, failures: 1 });
    expect(retried.dueAt.getTime() - services.clock.now().getTime()).toBeLessThan(40_000);
  });

  test('takes what is parked, one or all of them, whose trail has their number', async () => {
    const parked: string[] = [];
    for (const tenantId of [id, id, id, 'default']) {
      await services.feedback.giveFeedback(id, given, program);
      const [sample] = await kept();
      const record = { ...sample!, tenantId, id: `parked ${parked.length}`, state: 'parked' } as const;
      await services.store.feedback.saveFeedback(record);
      parked.push(record.id);
    }
    upstreamAnswers(async () => undefined);
    const delivered = { id: parked[0], state: 'delivered' };
    expect(await services.feedback.retryFeedback(tester, [id], parked[0]!)).toMatchObject(delivered);
    expect(await services.feedback.retryAllParked(tester, [id])).toBe(2);
    const now = services.clock.now();
    expect(await kept({ ...every, state: 'parked' })).toMatchObject([{ id: parked[3] }]);
    expect(await services.store.feedback.findFeedback(parked[1]!)).toMatchObject({
      state: 'waiting',
      attempts: 0,
      dueAt: now,
    });
    expect(await services.feedback.retryAllParked(tester, null)).toBe(1);
    expect(await services.feedback.retryAllParked(tester, null)).toBe(0);
    expect((await trail('feedback.retried')).map(({ tenantId, details }) => [tenantId, details.count])).toEqual([
      [id, undefined],
      [id, '2'],
      ['default', '1'],
    ]);
  });

  test('all of several tenants is in the trail of each, with its own number', async () => {
    await services.feedback.giveFeedback('default', given, program);
    const [sample] = await kept();
    for (const [key, tenantId] of [
      ['a', 'default'],
      ['b', id],
      ['c', id],
    ] as const) {
      await services.store.feedback.saveFeedback({ ...sample!, id: key, tenantId, state: 'parked' });
    }
    expect(await services.feedbackRecords.retryAllParked(tester, ['default', id])).toBe(3);
    const entries = await trail('feedback.retried');
    expect(entries.map(({ tenantId, details }) => [tenantId, details.count])).toEqual(
      [
        ['default', '1'],
        [id, '2'],
      ].toSorted(),
    );
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
      state: 'parked',
      failures: 0,
      lastError: expect.stringMatching(/^It was meant for https:\/\/api\.example\.org; .*changed since/),
    });
    expect([deliveries, services.local.calls.feedback]).toEqual([0, []]);
    // What is given from now on is for the new one.
    await services.feedback.giveFeedback(id, given, program);
    const destinations = (await kept()).map(({ destination }) => destination);
    expect(new Set(destinations).size).toBe(2);
  });

  test('sends it once an address that was wrong for a while is right again', async () => {
    const waiting = await giveWaiting();
    upstreamAnswers(async () => undefined);
    await changeUpstream({ kind: 'direct', url: 'https://api.exmaple.org' });
    services.clock.advance(1_000);
    const parked = { state: 'parked' };
    expect(await services.feedback.retryFeedback(tester, null, waiting)).toMatchObject(parked);
    await changeUpstream({ kind: 'direct', url: 'https://api.example.org' });
    services.clock.advance(1_000);
    const delivered = { state: 'delivered', attempts: 2 };
    expect(await services.feedback.retryFeedback(tester, null, waiting)).toMatchObject(delivered);
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
      await services.feedback.giveFeedback('default', { ...given, comment: `${i}` }, program);
      services.clock.advance(1);
    }
    const comments = [];
    for await (const { comment } of services.feedback.readFeedback(every)) {
      comments.push(comment);
      services.clock.advance(1);
      if (comments.length % 20 === 0) await services.feedback.giveFeedback('default', given, program);
    }
    expect(comments).toEqual(Array.from({ length: 230 }, (_, i) => `${229 - i}`));
  });

  test('gives all that fits while its state changes', async () => {
    const { feedback } = services.store;
    await services.feedback.giveFeedback('default', given, program);
    const [sample] = await kept();
    const count = 1_100;
    const records = Array.from({ length: count }, (_, i) => {
      return { ...sample!, id: `w${i}`, state: 'waiting', receivedAt: new Date(i) } as const;
    });
    await services.store.transfer.writeRecords(
      'feedback',
      records.map((record) => ({ key: record.id, record: { ...record } })),
    );
    const delivered = { state: 'delivered', failures: 0, dueAt: new Date(0), lastError: null } as const;
    const read = [];
    for await (const { id: of } of services.feedback.readFeedback({ ...every, state: 'waiting' })) {
      read.push(of);
      await feedback.settleFeedback(of, 1, delivered);
    }
    expect(read).toEqual(records.map((record) => record.id).toReversed());
  });

  test('keeps to the tenants one may see', async () => {
    await services.feedback.giveFeedback('default', given, program);
    await services.feedback.giveFeedback(id, given, program);
    expect((await kept({ ...every, scope: [id] })).map(({ tenantId }) => tenantId)).toEqual([id]);
    const page = { sort: 'receivedAt', descending: true, page: 0, pageSize: 10 } as const;
    expect(await services.feedback.listFeedback({ ...every, ...page, scope: [] })).toEqual({
      items: [],
      total: 0,
    });
    expect(await services.feedback.listFeedbackProviders([id])).toEqual([]);
  });
});

test('a store that fails refuses the feedback', async () => {
  const { store } = services;
  vi.spyOn(store.feedback, 'saveFeedback').mockRejectedValue(new Error('full'));
  await expect(services.feedback.giveFeedback(id, given, program)).rejects.toThrow('full');
  expect(await counted()).toBe(0);
});
