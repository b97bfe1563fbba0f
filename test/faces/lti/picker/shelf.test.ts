import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import { sealHandle } from '../../../../src/faces/object-view/handle.ts';
import { bareObject, fullObject } from '../../../fakes/learning-service.ts';
import { textOf } from '../../admin/read-page.ts';
import { type RunningLti, startLti } from '../start-lti.ts';
import { choiceOf, choose, readResponse } from './choose.ts';

let lti: RunningLti;
beforeAll(async () => {
  lti = await startLti();
});
afterAll(() => lti?.close());

const teacher = (id: string) => lti.launchToken({ user: { id, name: null, email: null } });

async function show(launch: string, query: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${lti.url}/lti/picker/shelf?${new URLSearchParams(query)}`, {
    headers: { Authorization: `Bearer ${launch}` },
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

function change(launch: string, action: 'save' | 'remove', object: LearningObject, tenantId = 'default') {
  const handle = sealHandle({ object, requestId: 'request-1' }, { keyring: lti.deps.keyring, tenantId });
  return fetch(`${lti.url}/lti/picker/shelf`, {
    method: 'POST',
    body: new URLSearchParams({ action, handle }),
    headers: { Authorization: `Bearer ${launch}` },
  });
}

const addressesOf = (html: string) => [...html.matchAll(/data-address="([^"]+)"/g)].map(([, found]) => found);

test('lists saved objects for the person who saved them, and removes them', async () => {
  const [ada, ben] = [await teacher('ada'), await teacher('ben')];
  expect(await (await change(ada, 'save', fullObject)).json()).toEqual({ isSaved: true });
  expect(await (await change(ada, 'save', fullObject)).json()).toEqual({ isSaved: true });
  const html = await show(ada);
  expect(addressesOf(html)).toEqual(['example.org/python']);
  expect(html).toContain('data-save aria-pressed="true"');
  expect(textOf(await show(ben))).toContain('Nothing saved yet.');
  expect(await (await change(ada, 'remove', fullObject)).json()).toEqual({ isSaved: false });
  expect(addressesOf(await show(ada))).toEqual([]);
});

test('lists saved objects page by page', async () => {
  const launch = await teacher('collector');
  for (let i = 0; i < 21; i++) await change(launch, 'save', { ...bareObject, url: `https://example.org/${i}` });
  const first = await show(launch);
  expect(addressesOf(first)).toHaveLength(20);
  expect(first).toContain('data-shelf-next="1"');
  const second = await show(launch, { tab: 'saved', page: '1' });
  expect(addressesOf(second)).toHaveLength(1);
  expect(second).not.toContain('data-shelf-next');
  // What cannot be read is the beginning.
  expect(addressesOf(await show(launch, { tab: 'nothing', page: '-1' }))).toHaveLength(20);
});

test('says that the shelf is full', async () => {
  const launch = await lti.launchToken({ locale: 'fr', user: { id: 'full', name: null, email: null } });
  const owner = { tenantId: 'default', person: `lti:${lti.registration.id}:full` };
  for (let i = 0; i < 500; i++)
    await lti.services.shelf.save(owner, {
      object: { ...bareObject, url: `https://example.org/${i}` },
      requestId: null,
    });
  expect(await (await change(launch, 'save', fullObject)).json()).toEqual({
    isSaved: false,
    problem: 'Votre étagère est pleine (500 ressources). Retirez-en pour en enregistrer d’autres.',
  });
});

test('lists objects of the course and of colleagues separately', async () => {
  const course = { id: 'course-7', label: null, title: null };
  const launchOf = (id: string, context = course) =>
    lti.launchToken({ user: { id, name: null, email: null }, context });
  expect(textOf(await show(await launchOf('carl'), { tab: 'recent' }))).toContain('Nothing has been added');
  expect(textOf(await show(await launchOf('carl'), { tab: 'colleagues' }))).toContain('Nobody else');
  await readResponse(lti, await choose(lti, await launchOf('carl'), [choiceOf(lti)]));
  const elsewhere = { ...course, id: 'course-8' };
  await readResponse(lti, await choose(lti, await launchOf('dora', elsewhere), [choiceOf(lti, bareObject)]));
  expect(addressesOf(await show(await launchOf('carl'), { tab: 'recent' }))).toEqual(['example.org/python']);
  const ofColleagues = await show(await launchOf('carl'), { tab: 'colleagues' });
  expect(addressesOf(ofColleagues)).toEqual(['example.org/bare']);
  expect(ofColleagues).not.toContain('dora');
});

test('does not save an object that no search of the tenant found', async () => {
  const launch = await teacher('eve');
  const answer = await change(launch, 'save', fullObject, 'lyon');
  expect(answer.status).toBe(400);
  expect(addressesOf(await show(launch))).toEqual([]);
});
