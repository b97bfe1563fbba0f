import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFeedbackRetention } from '../../../../src/services/people/feedback/feedback-records.ts';
import type { StandingClock } from '../../../fakes/clock.ts';
import { KNOWN_REQUEST_ID } from '../../../fakes/learning-service.ts';
import { type OpenedServices, openServices, tester } from '../../../helpers/open-services.ts';

const DAY_MS = 86_400_000;
const given = {
  url: 'https://example.org/python',
  requestId: KNOWN_REQUEST_ID,
  email: 'ada@example.org',
  source: 'https://school.example.org',
};

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(() => services.close());

async function keepFor(retentionDays: number | null): Promise<void> {
  const { version, feedback } = await services.tenants.getTenant('default');
  const settings = { ...feedback, retentionDays };
  await services.tenants.changeFeedbackSettings(tester, 'default', { version, settings });
}
const everything = { state: null, provider: null, received: { from: null, until: null }, search: '' };
async function countOf(tenantId: string): Promise<number> {
  const page = { sort: 'receivedAt', descending: true, page: 0, pageSize: 1 } as const;
  const scope = [tenantId];
  return (await services.feedback.listFeedback({ ...everything, ...page, scope })).total;
}

test('removes what a tenant has had longer than it wants, of no other tenant, in several batches', async () => {
  const { id } = await services.tenants.createTenant(tester, 'School');
  await services.feedback.giveFeedback(id, given, { role: 'program' });
  for (let i = 0; i < 510; i++) await services.feedback.giveFeedback('default', given, { role: 'program' });
  services.clock.advance(DAY_MS);
  await services.feedback.giveFeedback('default', given, { role: 'program' });
  services.clock.advance(1);
  await services.feedbackRetention.removeOld();
  expect(await countOf('default')).toBe(511);
  await keepFor(2);
  await services.feedbackRetention.removeOld();
  expect(await countOf('default')).toBe(511);
  await keepFor(1);
  const removing = vi.spyOn(services.store.feedback, 'removeFeedbackBefore');
  await services.feedbackRetention.removeOld();
  expect(await countOf('default')).toBe(1);
  expect(await countOf(id)).toBe(1);
  expect(removing).toHaveBeenCalledTimes(2);
});

test('goes on where another host has taken away some of what it found', async () => {
  await keepFor(1);
  const { clock, store } = services;
  // Of the first two batches, others were quicker with nearly all of it.
  const batches = [true, true, false];
  const removeFeedbackBefore = vi.fn(async () => batches.shift()!);
  const deps = { ...store, clock, onProblem: () => {} };
  await createFeedbackRetention({ ...deps, feedback: { removeFeedbackBefore } }).removeOld();
  expect(removeFeedbackBefore).toHaveBeenCalledTimes(3);
});

test('begins when the host does, and lives through a store that fails', async () => {
  await keepFor(1);
  await services.feedback.giveFeedback('default', given, { role: 'program' });
  services.clock.advance(DAY_MS + 1);
  const problems: unknown[] = [];
  const { clock, store } = services;
  const deps = { ...store, clock, onProblem: (error: unknown) => problems.push(error) };
  const broken = createFeedbackRetention({
    ...deps,
    feedback: { removeFeedbackBefore: () => Promise.reject(new Error('full')) },
  });
  broken.start();
  await expect.poll(() => problems).toEqual([new Error('full')]);
  await broken.close();
  const retention = createFeedbackRetention(deps);
  retention.start();
  await expect.poll(() => countOf('default')).toBe(0);
  await retention.close();
});
