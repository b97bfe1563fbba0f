import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCourseServices, type ScoreTiming } from '../../../../src/compose/courses.ts';
import type { Launch } from '../../../../src/domain/lti/launch.ts';
import { AppError } from '../../../../src/errors.ts';
import { type Clock, systemClock } from '../../../../src/ports/clock.ts';
import type { LtiRegistrationRecord, ScoreRecord } from '../../../../src/ports/store/store.ts';
import { makeSigningKeyPair } from '../../../../src/services/courses/lti-registrations/signing-keys.ts';
import type { OpenedLink } from '../../../../src/services/courses/placements/links.ts';
import type { Outbox } from '../../../../src/services/host/outbox.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { createFakeLtiPlatforms, type FakeLtiPlatforms } from '../../../fakes/lti-platforms.ts';
import { type OpenedServices, openServices, tester } from '../../../helpers/open-services.ts';
import { openTestStore } from '../../../helpers/test-store.ts';
import { anyPlatform, learnerLaunch, makeLaunch } from '../launch-samples.ts';

let services: OpenedServices<Clock>;

let platforms: FakeLtiPlatforms;

let registration: LtiRegistrationRecord;

let opened: OpenedLink;

let outboxes: Outbox[];

async function open(clock: Clock = systemClock): Promise<void> {
  services = await openServices(clock);
  registration = await services.ltiRegistrations.create(tester, anyPlatform);
  opened = await linkOf(registration, 10);
}

beforeEach(() => {
  platforms = createFakeLtiPlatforms();
  outboxes = [];
});

afterEach(async () => {
  for (const outbox of outboxes) await outbox.close();
  await services.close();
});

function linkOf(of: LtiRegistrationRecord, points: number): Promise<OpenedLink> {
  const launch = makeLaunch(of, { clock: services.clock, ...learnerLaunch, role: 'instructor' });
  const chosen = {
    object: fullObject,
    requestId: null,
    title: 'Python',
    completion: 'marked',
    points,
  } as const;
  return services.placements.replace(launch, chosen);
}

function launchOf(user: string, { link = opened, ...more }: Partial<Launch> & { link?: OpenedLink } = {}): Launch {
  const by = { ...registration, id: link.link.registrationId };
  return makeLaunch(by, {
    clock: services.clock,
    ...learnerLaunch,
    user: { id: user, name: null, email: null },
    ...more,
  });
}

/** Marks the link as done and leaves the page, which sends the score. */
async function complete(user = 'learner 1', link = opened) {
  const launch = launchOf(user, { link });
  const state = await services.completions.complete(launch, link);
  await services.completions.release(launch, link);
  return state;
}

/** With pauses that no test lives to see the end of unless it says so. */
function startOutbox(timing: ScoreTiming = {}, parts = services as Pick<OpenedServices<Clock>, 'createScoreOutbox'>) {
  const outbox = parts.createScoreOutbox(platforms, { pollMs: 600_000, ...timing });
  outboxes.push(outbox);
  outbox.start();
  return outbox;
}

const kept = (user = 'learner 1', link = opened): Promise<ScoreRecord | null> =>
  services.store.scores.findScore('default', `${link.link.id} ${user}`);

async function waitFor(expected: Partial<ScoreRecord>, user?: string): Promise<ScoreRecord> {
  await expect.poll(() => kept(user)).toMatchObject(expected);
  return (await kept(user))!;
}

const refusing = (error: unknown) => () => Promise.reject(error);

describe('a score', () => {
  test('arrives as soon as it is earned', async () => {
    await open();
    const claim = vi.spyOn(services.store.scores, 'claimDue');
    startOutbox();
    // It has looked in vain, and pauses.
    await expect.poll(() => claim.mock.settledResults).toHaveLength(1);
    expect(await complete()).toMatchObject({ score: 'waiting' });
    const { earnedAt } = await waitFor({ state: 'delivered', attempts: 1, lastError: null });
    const { lineItem } = learnerLaunch.grading;
    expect(platforms.taken).toEqual([{ lineItem, userId: 'learner 1', points: 10, earnedAt }]);
    expect(await services.ltiScores.countUnsent(registration)).toEqual({ waiting: 0, parked: 0, refused: 0 });
  });

  test('that waited before the host began arrives, of many learners', async () => {
    await open();
    const users = Array.from({ length: 20 }, (_, i) => `learner-${i}`);
    for (const user of users) await complete(user);
    startOutbox();
    await expect.poll(() => platforms.taken).toHaveLength(20);
    expect(new Set(platforms.taken.map(({ userId }) => userId))).toEqual(new Set(users));
  });

  test('is tried again until the platform takes it', async () => {
    await open();
    platforms.answer = async () => {
      if (platforms.asked() < 4) throw new AppError('PLATFORM_UNREACHABLE', 'Later.');
    };
    startOutbox({ backoff: { firstMs: 5, maxMs: 10_000 } });
    await complete();
    await waitFor({ state: 'delivered', attempts: 4, lastError: null });
    expect(platforms.asked()).toBe(4);
  });

  test('ends, parked, when the longest wait was in vain; an administrator sends it again', async () => {
    await open();
    platforms.answer = refusing(new AppError('PLATFORM_UNREACHABLE', 'Never.'));
    startOutbox({ backoff: { firstMs: 1, maxMs: 4 } });
    await complete();
    await waitFor({ state: 'parked', failures: 4, lastError: 'Never.' });
    expect(await services.ltiScores.countUnsent(registration)).toEqual({ waiting: 0, parked: 1, refused: 0 });
    platforms.answer = null;
    expect(await services.ltiScores.retry(tester, registration)).toBe(1);
    await waitFor({ state: 'delivered', failures: 0 });
    expect(await services.ltiScores.retry(tester, registration)).toBe(0);
    const filter = { scope: null, action: 'registration.scores-retried', search: '' };
    const period = { from: null, until: null };
    const entries = { ...filter, period, ascending: true, page: 0, pageSize: 10 };
    expect((await services.audit.listEntries(entries)).items).toMatchObject([
      { tenantId: 'default', target: 'LMS', details: { count: '1' } },
    ]);
  });

  test('that the platform has of the same second or a later one is sent with a later one', async () => {
    const clock = createStandingClock();
    await open(clock);
    const earlier = new Date('2026-03-01T09:59:58Z');
    await complete();
    const score = (await kept())!;
    await services.store.scores.putScore({ ...score, earnedAt: earlier });
    await platforms.submitScore(registration, { ...score, earnedAt: new Date('2026-03-01T09:59:59Z') });
    startOutbox();
    await waitFor({ state: 'delivered', attempts: 2, earnedAt: clock.now() });
    expect(platforms.taken.at(-1)).toMatchObject({ earnedAt: clock.now() });
    expect(platforms.asked()).toBe(3);
  });

  test('that is outdated whatever its second waits, and begins with a later one', async () => {
    const clock = createStandingClock();
    await open(clock);
    platforms.answer = refusing(new AppError('PLATFORM_SCORE_OUTDATED', 'There is a later one.'));
    startOutbox();
    await complete();
    const score = await waitFor({ state: 'waiting', failures: 1, lastError: 'There is a later one.' });
    expect(score.earnedAt).toEqual(new Date('2026-03-01T10:00:01Z'));
    expect(score.dueAt.getTime() - clock.now().getTime()).toBeGreaterThanOrEqual(30_000);
  });
});

describe('a delivery that fails', () => {
  const outcomeOf = async (error: unknown): Promise<ScoreRecord> => {
    platforms.answer = refusing(error);
    startOutbox();
    await complete();
    return waitFor({ attempts: 1, leasedUntil: null, lastError: expect.any(String) });
  };
  const refused = (data: Record<string, unknown>) => new AppError('PLATFORM_REFUSED', 'Refused.', { data });
  beforeEach(() => open(createStandingClock()));

  test.each<[string, unknown]>([
    ['PLATFORM_UNREACHABLE', new AppError('PLATFORM_UNREACHABLE', 'Later.')],
    ['PLATFORM_THROTTLED and no time', new AppError('PLATFORM_THROTTLED', 'Later.')],
    ['a key that cannot be read', new AppError('SECRET_UNREADABLE', 'Sealed.')],
    ['what nobody expected', new Error('secret in a header')],
    ['a permission that is missing (401)', refused({ status: 401, part: 'score' })],
    ['a permission that is missing (403)', refused({ status: 403, part: 'score' })],
    ['a line item that is not there (404)', refused({ status: 404, part: 'score' })],
    ['an address that is not called', refused({ status: null, part: 'score' })],
    ['an address that has moved (302)', refused({ status: 302, part: 'score' })],
    ['a method that is not taken (405)', refused({ status: 405, part: 'score' })],
    ['a type that is not taken (415)', refused({ status: 415, part: 'score' })],
    ['a token that is refused', refused({ status: 400, part: 'token' })],
  ])('with %s is tried again after half a minute', async (_what, error) => {
    const score = await outcomeOf(error);
    expect(score).toMatchObject({ state: 'waiting', failures: 1 });
    expect(score.lastError).not.toContain('secret');
    const seconds = (score.dueAt.getTime() - services.clock.now().getTime()) / 1_000;
    expect(seconds).toBeGreaterThanOrEqual(30);
    expect(seconds).toBeLessThanOrEqual(37.5);
  });

  test.each([400, 409, 410, 412, 422])('with status %d is not tried again', async (status) => {
    const score = await outcomeOf(refused({ status, part: 'score' }));
    expect(score).toMatchObject({ state: 'refused', failures: 1, lastError: 'Refused.' });
    expect(await services.completions.readUnsentScores(opened)).toMatchObject({
      waiting: 0,
      parked: 0,
      refused: 1,
    });
    platforms.answer = null;
    await services.ltiScores.retry(tester, registration);
    await waitFor({ state: 'delivered' });
  });

  test.each([
    ['moodle', 400, 'refused'],
    ['moodle', 404, 'waiting'],
    ['canvas', 400, 'refused'],
    ['canvas', 410, 'refused'],
    ['canvas', 422, 'waiting'],
    ['sakai', 400, 'waiting'],
    ['sakai', 410, 'refused'],
    ['blackboard', 422, 'refused'],
    ['brightspace', 403, 'waiting'],
  ] as const)('of %s with status %d is %s', async (product, status, state) => {
    const changed = { ...registration, product, version: registration.version + 1 };
    expect(await services.store.ltiRegistrations.replaceRegistration(changed)).toBe(true);
    expect(await outcomeOf(refused({ status, part: 'score' }))).toMatchObject({ state });
  });

  test('is sent at once when the learner launches again, unless it is refused for good', async () => {
    const unpublished = refused({ status: 404, part: 'score' });
    expect(await outcomeOf(unpublished)).toMatchObject({ state: 'waiting', failures: 1 });
    platforms.answer = null;
    const grading = { scopes: [], lineItem: null, lineItems: null };
    await services.completions.resendScore(launchOf('learner 1', { grading }), opened);
    expect(await kept()).toMatchObject({ state: 'waiting', attempts: 1 });
    await services.completions.resendScore(launchOf('learner 1'), opened);
    await waitFor({ state: 'delivered' });
    // What is delivered stays so.
    await services.completions.resendScore(launchOf('learner 1'), opened);
    expect(await kept()).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  test('with PLATFORM_THROTTLED and a time has not failed, and leaves the platform alone until then', async () => {
    const score = await outcomeOf(new AppError('PLATFORM_THROTTLED', 'Later.', { retryAfterSeconds: 600 }));
    expect(score).toMatchObject({ state: 'waiting', failures: 0 });
    expect(score.dueAt.getTime() - services.clock.now().getTime()).toBeGreaterThanOrEqual(600_000);
    platforms.answer = null;
    await complete('learner 2');
    const other = await services.ltiRegistrations.create(tester, { ...anyPlatform, clientId: 'client-2' });
    const link = await linkOf(other, 20);
    await complete('learner 1', link);
    await expect.poll(() => kept('learner 1', link)).toMatchObject({ state: 'delivered' });
    expect(await kept('learner 2')).toMatchObject({ state: 'waiting', attempts: 0 });
  });
});

test('a score of a registration that was removed is refused with words', async () => {
  await open();
  await complete();
  await services.ltiRegistrations.remove(tester, registration.id);
  startOutbox();
  await waitFor({ state: 'refused', lastError: expect.stringMatching(/removed/) });
  expect(platforms.asked()).toBe(0);
});

test('scores of a registration that is inactive wait, however long, and go when it is active', async () => {
  await open();
  const users = ['learner 1', 'learner 2', 'learner 3'];
  for (const user of users) await complete(user);
  await services.ltiRegistrations.deactivate(tester, registration.id);
  startOutbox({ backoff: { firstMs: 5, maxMs: 10 } });
  await expect.poll(async () => (await kept())!.attempts).toBeGreaterThanOrEqual(10);
  const lastError = expect.stringMatching(/^LMS is deactivated/);
  expect(await kept()).toMatchObject({ state: 'waiting', failures: 0, lastError });
  expect(platforms.asked()).toBe(0);
  await services.ltiRegistrations.activate(tester, registration.id);
  for (const user of users) await waitFor({ state: 'delivered', lastError: null }, user);
});

test('a score of a tenant that is disabled waits', async () => {
  await open();
  const { id: tenantId } = await services.tenants.createTenant(tester, 'School');
  const platform = { ...anyPlatform, tenantId, clientId: 'client-2' };
  registration = await services.ltiRegistrations.create(tester, platform);
  opened = await linkOf(registration, 10);
  await complete();
  await services.tenants.disableTenant(tester, tenantId);
  startOutbox();
  const find = () => services.store.scores.findScore(tenantId, `${opened.link.id} learner 1`);
  await expect.poll(find).toMatchObject({ state: 'waiting', lastError: expect.stringMatching(/disabled/) });
  expect(platforms.asked()).toBe(0);
});

describe('many scores', () => {
  test('for a slow platform leave room for the others, which are of the same tenant', async () => {
    await open();
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    platforms.answer = ({ points }) => (points === 10 ? held : Promise.resolve());
    for (let i = 0; i < 10; i++) await complete(`learner-${i}`);
    startOutbox();
    await expect.poll(() => platforms.asked()).toBe(2);
    const other = await services.ltiRegistrations.create(tester, { ...anyPlatform, clientId: 'client-2' });
    const link = await linkOf(other, 20);
    await complete('learner 1', link);
    await expect.poll(() => kept('learner 1', link)).toMatchObject({ state: 'delivered' });
    expect(platforms.asked()).toBe(3);
    end();
    await expect.poll(() => platforms.asked()).toBe(11);
  });

  test('are shared by hosts: each is delivered by one of them', async () => {
    await open();
    const users = Array.from({ length: 40 }, (_, i) => `learner-${i}`);
    for (const user of users) await complete(user);
    platforms.answer = () => nextTurn();
    const store = openTestStore(services.file);
    const { keyring, secrets, usage, insight, audit, clock } = services;
    const onProblem = (error: unknown) => void services.problems.push(error);
    const parts = { store, keyring, secrets, usage, insight, audit, clock, makeKeyPair: makeSigningKeyPair, onProblem };
    const both = [startOutbox(), startOutbox({}, createCourseServices(parts) as typeof services)];
    await expect.poll(() => platforms.asked()).toBeGreaterThanOrEqual(40);
    for (const outbox of both) await outbox.close();
    await store.close();
    expect(platforms.asked()).toBe(40);
    for (const user of users) expect(await kept(user)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(services.problems).toEqual([]);
  });
});

test('a delivery that does not end is given up with the host: it is due at once, and has not failed', async () => {
  const clock = createStandingClock();
  await open(clock);
  platforms.answer = () => new Promise(() => undefined);
  await complete();
  const outbox = startOutbox({ drainMs: 20 });
  await expect.poll(() => platforms.asked()).toBe(1);
  clock.advance(5_000);
  await outbox.close();
  expect(await kept()).toMatchObject({ state: 'waiting', attempts: 1, failures: 0, lastError: null });
  expect(await kept()).toMatchObject({ leasedUntil: null, dueAt: clock.now() });
});
