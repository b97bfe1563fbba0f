import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRetention, type KeptDays } from '../../../src/services/people/retention.ts';
import { assistantGrant } from '../../contract/store/assistants.ts';
import { feedback } from '../../contract/store/records.ts';
import { createStandingClock, type StandingClock } from '../../fakes/clock.ts';
import { type OpenedServices, openServices, tester } from '../../helpers/open-services.ts';

const DAY_MS = 86_400_000;
const keptDays: KeptDays = { activity: 10, scores: 10, feedback: 10, audit: 0, uploads: 1 };
const key = { tenantId: 'default', linkId: 'a' };

let host: OpenedServices<StandingClock>;
beforeEach(async () => {
  host = await openServices(createStandingClock());
});
afterEach(() => host.close());

function open(swept: object[] = [], changed: Partial<Parameters<typeof createRetention>[0]> = {}) {
  const { store, clock, audit } = host;
  const onProblem = (error: unknown) => host.problems.push(error);
  const onSwept = (counts: object) => swept.push(counts);
  return createRetention({ ...store, keptDays, audit, clock, onSwept, onProblem, ...changed });
}

test('removes what is older than its days, once a night on one of the hosts, and says what', async () => {
  const { store, clock } = host;
  const now = clock.now().getTime();
  const ago = (days: number) => new Date(now - days * DAY_MS);
  await store.activity.noteOpened({ ...key, userId: 'old' }, ago(11));
  await store.activity.noteOpened({ ...key, userId: 'new' }, ago(9));
  const given = { tenantId: 'default', receivedAt: ago(11) };
  await store.feedback.saveFeedback(feedback('sent', { ...given, state: 'delivered' }));
  await store.feedback.saveFeedback(feedback('waiting', { ...given, state: 'waiting' }));
  const upload = { about: '', whole: null };
  await store.files.addFile({ ...upload, id: '1', name: 'upload/old', addedAt: ago(2) });
  await store.files.addFile({ ...upload, id: '2', name: 'index/old', addedAt: ago(2) });
  const swept: object[] = [];
  const results = await Promise.all([open(swept).sweep(), open(swept).sweep()]);
  const counts = { activity: 1, feedback: 1, files: 1 };
  expect(results.filter((each) => each !== null)).toEqual([counts]);
  expect(swept).toEqual([counts]);
  expect(await store.activity.findActivity({ ...key, userId: 'old' })).toBeNull();
  expect(await store.activity.findActivity({ ...key, userId: 'new' })).not.toBeNull();
  expect(await store.feedback.findFeedback('waiting')).not.toBeNull();
  expect((await store.files.listFiles('')).map(({ id }) => id)).toEqual(['2']);
  const [entry] = await store.personal.readPersonal('audit', { action: 'retention.swept' }, null, 10);
  expect(entry).toMatchObject({ details: { activity: '1', feedback: '1', files: '1' } });
  expect(await open().sweep()).toBeNull();
});

test('removes feedback after the days of its tenant, in several batches, and none of another', async () => {
  const { store, clock, tenants } = host;
  const { id: other } = await tenants.createTenant(tester, 'School');
  const receivedAt = new Date(clock.now().getTime() - 3 * DAY_MS);
  for (let i = 0; i < 510; i++)
    await store.feedback.saveFeedback(feedback(`${i}`, { tenantId: 'default', state: 'delivered', receivedAt }));
  const others = [{ tenantId: other }, { tenantId: 'default', state: 'waiting' }] as const;
  for (const [i, more] of others.entries())
    await store.feedback.saveFeedback(feedback(`other ${i}`, { state: 'delivered', receivedAt, ...more }));
  const keepFor = async (retentionDays: number) => {
    const { version, feedback: settings } = await tenants.getTenant('default');
    await tenants.changeFeedbackSettings(tester, 'default', { version, settings: { ...settings, retentionDays } });
  };
  await keepFor(4);
  expect(await open().sweep()).toEqual({});
  clock.advance(DAY_MS);
  await keepFor(3);
  expect(await open().sweep()).toEqual({ feedback: 510 });
  expect(await store.feedback.findFeedback('other 0')).not.toBeNull();
  expect(await store.feedback.findFeedback('other 1')).not.toBeNull();
});

test('removes grants that have ended and launches that are over, also from the files of the store', async () => {
  const { store, clock, file } = host;
  const now = clock.now();
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  const ofNobody = { tenantId: 'default', adminId: null };
  await store.assistants.addAssistantGrant(assistantGrant('ended', { ...ofNobody, expiresAt: now }));
  await store.assistants.addAssistantGrant(assistantGrant('works', { ...ofNobody, expiresAt: inHours(1) }));
  await store.nonces.addNonce('lti-launch 1', 'over-5f1c', inHours(-2));
  await store.nonces.addNonce('lti-launch 2', 'open-5f1c', inHours(2));
  expect(await open().sweep()).toEqual({ assistantGrants: 1 });
  expect(await store.assistants.findAssistantGrant('works')).not.toBeNull();
  const bytes = readdirSync(dirname(file)).map((each) => readFileSync(join(dirname(file), each), 'latin1'));
  expect(bytes.join()).toContain('open-5f1c');
  expect(bytes.join()).not.toContain('over-5f1c');
});

test('begins when the host does, and tries again in the same night where the store failed', async () => {
  const { store, clock } = host;
  await store.activity.noteOpened({ ...key, userId: 'old' }, new Date(clock.now().getTime() - 11 * DAY_MS));
  const removeOutdated = () => Promise.reject(new Error('full'));
  const broken = open([], { personal: { ...store.personal, removeOutdated } });
  broken.start();
  await expect.poll(() => host.problems).toEqual([new Error('full')]);
  await broken.close();
  expect(await open().sweep()).toEqual({ activity: 1 });
});
