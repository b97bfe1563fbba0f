import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeepLinkingSettings, Launch } from '../../../../src/domain/lti/launch.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { type RunningLti, startLti } from '../start-lti.ts';
import { choiceOf, choose, linkLaunch, readResponse, settings } from './choose.ts';

let lti: RunningLti;
beforeAll(async () => {
  lti = await startLti();
});
afterAll(() => lti?.close());

async function readTray(deepLinking: Partial<DeepLinkingSettings> = {}, more: Partial<Launch> = {}): Promise<string> {
  const launch = await lti.launchToken({ deepLinking: { ...settings, ...deepLinking }, ...more });
  const answer = await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch })}`);
  const html = await answer.text();
  expect(answer.status).toBe(200);
  return /<form class="tray".*?<\/form>/s.exec(html)![0];
}

const fieldsOf = (tray: string) => [...tray.matchAll(/data-field="(\w+)"/g)].map(([, name]) => name);

test('offers all settings that the platform reads', async () => {
  const tray = await readTray({}, { product: 'canvas', locale: 'fr' });
  expect(fieldsOf(tray)).toEqual([
    'title',
    'graded',
    'points',
    'completion',
    'availableFrom',
    'availableUntil',
    'submitUntil',
  ]);
  expect(tray).toContain('Ajouter au cours');
});

test('leaves out settings that the platform does not read', async () => {
  expect(fieldsOf(await readTray({ acceptLineItem: false }, { product: 'moodle' }))).toEqual([
    'title',
    'completion',
    'target',
  ]);
  expect(fieldsOf(await readTray({ acceptTypes: ['link'] }))).toEqual(['title']);
  expect(fieldsOf(await readTray({ targets: ['window'] }))).not.toContain('target');
});

test('has no order where one object is accepted', async () => {
  const tray = await readTray({ acceptMultiple: false });
  expect(tray).toContain('data-max="1"');
  expect(tray).not.toContain('data-move');
});

test('can only be cancelled where the platform accepts none of our types', async () => {
  const tray = await readTray({ acceptTypes: ['file', 'image'] });
  expect(tray).toContain('This part of the course does not accept links.');
  expect(tray.match(/<button type="submit"/g)).toHaveLength(1);
});

test('says when objects are added without another step', async () => {
  expect(await readTray({ autoCreate: true })).toContain('Learners see it as soon as you add it.');
  expect(await readTray()).not.toContain('Learners see it as soon as you add it.');
});

test('keeps the completion rule of a replaced object', async () => {
  const resourceLink = { id: 'link-9', title: null, description: null };
  const launch = await lti.launchToken({ ...linkLaunch, resourceLink });
  await choose(lti, launch, [choiceOf(lti, fullObject, { completion: 'viewed' })]);
  const answer = await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch })}`);
  expect(await answer.text()).toContain('data-completion="viewed"');
});

test('has a key for the person and the place in the course', async () => {
  const keyOf = async (more: Partial<Launch> = {}) => /data-tray="([^"]+)"/.exec(await readTray({}, more))![1];
  const key = await keyOf();
  expect(await keyOf()).toBe(key);
  for (const more of [
    { context: { id: 'course-2', label: null, title: null } },
    { user: { id: 'teacher-2', name: null, email: null } },
    { custom: { placement: 'some item' } },
  ])
    expect(await keyOf(more)).not.toBe(key);
  expect(await keyOf({ context: null })).not.toBe(await keyOf({ context: null }));
});

test('starts with the object of the requested item', async () => {
  const choice = choiceOf(lti, fullObject, { title: 'Week "1"', points: 30, completion: 'viewed' });
  const { items } = await readResponse(lti, await choose(lti, await lti.launchToken(), [choice]));
  const { custom } = items[0] as { custom: Record<string, string> };
  const tray = await readTray({}, { custom: { placement: custom.placement! } });
  const json = /data-initial="([^"]*)"/.exec(tray)![1]!.replaceAll('&quot;', '"');
  const [initial, ...others] = JSON.parse(json);
  expect(others).toEqual([]);
  expect(initial).toMatchObject({
    address: 'example.org/python',
    name: 'Python for everybody',
    title: 'Week "1"',
    points: 30,
    completion: 'viewed',
  });
  // As it stands there it can be sent again.
  const { handle } = initial as { handle: string };
  await readResponse(lti, await choose(lti, await lti.launchToken(), [{ ...choice, handle }]));
});

test('starts empty, with an explanation, when an object is replaced', async () => {
  const launch = await lti.launchToken(linkLaunch);
  const answer = await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch })}`);
  const html = await answer.text();
  expect(html).toContain('Replace the resource');
  expect(html).toContain('data-initial="[]"');
  expect(html).toContain('data-completion="marked"');
});

test('loads one script and one style sheet', async () => {
  const launch = await lti.launchToken(linkLaunch);
  const page = await (await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch })}`)).text();
  const scripts = [...page.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, address]) => address!);
  const styles = [...page.matchAll(/<link rel="(?:stylesheet|modulepreload)" href="([^"]+)"/g)];
  expect(scripts).toHaveLength(1);
  expect(styles).toHaveLength(1);
  for (const address of [scripts[0]!, styles[0]![1]!]) {
    const answer = await fetch(lti.url + address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
});

test.each([
  ['Moodle, by the title of the activity', 'moodle', 'Week  "7"', '1', 'graded'],
  ['Moodle, where no activity has the title', 'moodle', 'Another', '50', 'unsure'],
  ['Moodle, without a title', 'moodle', null, '50', null],
  ['Moodle, with the name of the tool', 'moodle', 'Skilldock', '50', null],
  ['other platforms', 'canvas', 'Week "7"', '50', null],
] as const)('finds the activity of %s', async (_, product, title, max, activity) => {
  const context = { id: `course of ${product}`, label: null, title: null };
  const choice = choiceOf(lti, fullObject, { title: 'Week "7"', points: 30 });
  await choose(lti, await lti.launchToken({ product, context }), [choice]);
  const tray = await readTray({ title }, { product, context });
  const initial = JSON.parse(/data-initial="([^"]*)"/.exec(tray)![1]!.replaceAll('&quot;', '"'));
  expect(initial).toMatchObject(max === '1' ? [{ title: 'Week "7"', points: 30 }] : []);
  expect(tray).toContain(`data-max="${max}"`);
  expect(/data-tray-loss="(\w+)"/.exec(tray)?.[1] ?? null).toBe(activity);
  expect(tray.includes('Change the activity')).toBe(max === '1');
  expect(/data-points="(\d*)"/.exec(tray)![1]).toBe(activity === null ? '' : { graded: '30', unsure: '10' }[activity]);
});

test('finds a renamed activity by the title of its link, with the object that was put there', async () => {
  const context = { id: 'course of renamed', label: null, title: null };
  const choice = choiceOf(lti, fullObject, { title: 'Old name', points: 7 });
  const product = 'moodle';
  await choose(lti, await lti.launchToken({ product, context }), [choice]);
  const { deps } = lti;
  const launch = await deps.launches.getLaunch(
    await lti.launchToken({
      ...linkLaunch,
      product,
      context,
      resourceLink: { id: 'renamed', title: 'New name', description: null },
    }),
    'resource-link',
  );
  const object = {
    object: fullObject,
    requestId: null,
    title: 'Put there',
    completion: 'marked',
    points: 7,
  } as const;
  await deps.placements.replace(launch, object);
  const tray = await readTray({ title: 'New name' }, { product, context });
  expect(tray).toContain('data-tray-loss="graded"');
  expect(tray).toContain('Put there');
});
