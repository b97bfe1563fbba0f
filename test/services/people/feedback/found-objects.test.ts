import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import type { LearningObjectHit } from '../../../../src/services/searching/discovery/results.ts';
import type { Discovery } from '../../../../src/services/searching/discovery.ts';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { searchOf } from '../../../fakes/search-of.ts';
import { type OpenedServices, openServices } from '../../../helpers/open-services.ts';

const starter = openStarterService();

let services: OpenedServices<{ now(): Date }>;
let discovery: Discovery;
beforeAll(async () => {
  services = await openServices();
  Object.assign(services.local, starter.learning);
  discovery = services.discoveryOf(DEFAULT_TENANT);
});
afterAll(() => services.close());

/** As the faces do it: with what was kept of the object when it was found. */
async function expectFeedbackTaken(items: readonly LearningObjectHit[]) {
  expect(items.length).toBeGreaterThan(0);
  const from = { email: 'ada@example.org', source: 'https://school.example.org' };
  for (const { object, requestId } of items)
    await services.feedback.giveFeedback(DEFAULT_TENANT, { ...from, url: object.url, requestId }, { role: 'staff' });
}

test('feedback is taken on whatever a search showed people, on all of its pages', async () => {
  for (const query of [searchOf(), searchOf({ model: 'extended', max: 20 })])
    for (const page of [0, 1])
      await expectFeedbackTaken((await discovery.searchLearningObjects({ ...query, page })).items);
});

test('and in random order', async () => {
  const query = searchOf({ sort: 'random' });
  for (const page of [0, 1])
    await expectFeedbackTaken((await discovery.searchLearningObjects({ ...query, page })).items);
});

test('and on whatever a plan is made of', async () => {
  const { keywords: _, page: __, max: ___, ...query } = searchOf();
  const found: LearningObjectHit[] = [];
  const text = 'We learn Python, statistics and project management.';
  for await (const event of discovery.planFromText({ text, lang: 'en', query, maxSkills: 3, perSkill: 4 }))
    if (event.kind === 'objects') found.push(...event.items);
  await expectFeedbackTaken(found);
});
