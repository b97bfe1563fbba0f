import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPlanContent } from '../../../src/services/people/plans/plans.ts';
import { fullObject } from '../../fakes/learning-service.ts';
import { type Home, startHome } from './start-home.ts';

let home: Home;
beforeAll(async () => {
  home = await startHome();
});
afterAll(() => home?.close());

test('a shared plan has a page and files for whoever has its link, until the link ends', async () => {
  const { plans } = home.services;
  const ada = { tenantId: 'default', person: 'lti:moodle:ada' };
  const start = startPlanContent('A <plan>', [{ object: fullObject, requestId: null }]);
  const { id } = await plans.make(ada, start);
  const { shareToken } = await plans.share(ada, id, true);
  const page = await home.page(`/plans/${shareToken}`);
  expect(page).toContain('<h1>A &lt;plan&gt;</h1>');
  expect(page).toContain('<meta name="robots" content="noindex">');
  expect(page).toContain('href="https://example.org/python"');
  const cartridge = await home.get(`/plans/${shareToken}/imscc`);
  expect(cartridge.headers.get('content-disposition')).toContain('A-plan.imscc');
  await home.page(`/plans/${shareToken}/exe`, 404);
  await home.page(`/plans/${id}`, 404);
  await plans.share(ada, id, false);
  await home.page(`/plans/${shareToken}`, 404);
});
