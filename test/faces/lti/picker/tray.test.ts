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

async function readTray(
  deepLinking: Partial<DeepLinkingSettings> = {},
  more: Partial<Launch> = {},
): Promise<string> {
  const launch = await lti.launchToken({ deepLinking: { ...settings, ...deepLinking }, ...more });
  const answer = await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch })}`);
  const html = await answer.text();
  expect(answer.status).toBe(200);
  return /<form class="tray".*?<\/form>/s.exec(html)![0];
}

const fieldsOf = (tray: string) => [...tray.matchAll(/data-field="(\w+)"/g)].map(([, name]) => name);

test('everything that a platform takes can be set', async () => {
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

test('what it does not take is not there', async () => {
  expect(fieldsOf(await readTray({ acceptLineItem: false }, { product: 'moodle' }))).toEqual([
    'title',
    'completion',
    'target',
  ]);
  expect(fieldsOf(await readTray({ acceptTypes: ['link'] }))).toEqual(['title']);
  expect(fieldsOf(await readTray({ targets: ['window'] }))).not.toContain('target');
});

test('where one can be chosen nothing is put in order', async () => {
  const tray = await readTray({ acceptMultiple: false });
  expect(tray).toContain('data-max="1"');
  expect(tray).not.toContain('data-move');
});

test('where nothing of ours is taken it says so, and can only be cancelled', async () => {
  const tray = await readTray({ acceptTypes: ['file', 'image'] });
  expect(tray).toContain('This part of the course does not accept links.');
  expect(tray.match(/<button type="submit"/g)).toHaveLength(1);
});

test('what is created at once is said', async () => {
  expect(await readTray({ autoCreate: true })).toContain('Learners see it as soon as you add it.');
  expect(await readTray()).not.toContain('Learners see it as soon as you add it.');
});

test('what replaces an object is done as that was', async () => {
  const resourceLink = { id: 'link-9', title: null, description: null };
  const launch = await lti.launchToken({ ...linkLaunch, resourceLink });
  await choose(lti, launch, [choiceOf(lti, fullObject, { completion: 'viewed' })]);
  const answer = await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch })}`);
  expect(await answer.text()).toContain('data-completion="viewed"');
});

test('a selection is found again in the same place of a course by the same person only', async () => {
  const keyOf = async (more: Partial<Launch> = {}) =>
    /data-tray="([^"]+)"/.exec(await readTray({}, more))![1];
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

test('a request for an item of ours starts with its object', async () => {
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

test('where an object is replaced it starts with nothing, and says what it does', async () => {
  const launch = await lti.launchToken(linkLaunch);
  const answer = await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch })}`);
  const html = await answer.text();
  expect(html).toContain('Replace the resource');
  expect(html).toContain('data-initial="[]"');
  expect(html).toContain('data-completion="marked"');
});

test('the page loads one script and one style sheet', async () => {
  const launch = await lti.launchToken(linkLaunch);
  const page = await (await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch })}`)).text();
  const scripts = [...page.matchAll(/<script\b[^>]*\bsrc="([^"]+)"/g)].map(([, address]) => address!);
  const styles = [...page.matchAll(/<link rel="(?:stylesheet|modulepreload)" href="([^"]+)"/g)];
  expect(scripts).toHaveLength(1);
  expect(styles).toHaveLength(1);
  for (const address of [scripts[0]!, styles[0]![1]!]) {
    const answer = await fetch(lti.url + address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
});
