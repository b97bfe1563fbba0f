import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCORE_SCOPE } from '../../../../src/domain/lti/launch.ts';
import { createTrayKey } from '../../../../src/faces/lti/picker/tray.ts';
import { sealHandle } from '../../../../src/faces/object-view/handle.ts';
import { bareObject, fullObject } from '../../../fakes/learning-service.ts';
import { textOf } from '../../admin/read-page.ts';
import { type RunningLti, resourceLinkLaunch, startLti } from '../start-lti.ts';
import { choiceOf, choose, countPlacements, expectRefused, linkLaunch, readResponse, settings } from './choose.ts';

let lti: RunningLti;
beforeAll(async () => {
  lti = await startLti();
});
afterAll(() => lti?.close());

const objects = (count: number) =>
  Array.from({ length: count }, (_, i) => choiceOf(lti, { ...bareObject, url: `https://example.org/${i}` }));

describe('refuses, without storing anything,', () => {
  test.each<[name: string, change: Record<string, unknown>, path: string]>([
    ['more points than the platform takes', { points: 101 }, 'chosen[0].points'],
    ['points that are not whole', { points: 1.5 }, 'chosen[0].points'],
    ['no points', { points: 0 }, 'chosen[0].points'],
    ['points as text', { points: '10' }, 'chosen[0].points'],
    ['a title that is too long', { title: 'x'.repeat(256) }, 'chosen[0].title'],
    ['a title of blanks', { title: ' \n ' }, 'chosen[0].title'],
    ['an unknown rule of completion', { completion: 'guessed' }, 'chosen[0].completion'],
    ['an unknown target', { target: 'embed' }, 'chosen[0].target'],
    ['a date that is none', { availableFrom: 'tomorrow' }, 'chosen[0].availableFrom'],
    [
      'an end before the beginning',
      { availableFrom: '2026-05-01T00:00:00Z', availableUntil: '2026-04-01T00:00:00Z' },
      'chosen[0].availableUntil',
    ],
    [
      'a deadline before the beginning',
      { availableFrom: '2026-05-01T00:00:00Z', submitUntil: '2026-05-01T00:00:00Z', points: 10 },
      'chosen[0].submitUntil',
    ],
    ['something nobody asked for', { url: 'https://evil.example' }, 'chosen[0]'],
  ])('%s', async (_, change, path) => {
    const token = await lti.launchToken();
    const said = await expectRefused(lti, token, [choiceOf(lti, fullObject, change)]);
    expect(said).toContain(path);
    // It can be corrected: the launch is not over.
    await readResponse(lti, await choose(lti, token, [choiceOf(lti)]));
  });

  test.each(['', 'nonsense', '{}', '[]', 'null'])('a list that is %j', async (chosen) => {
    await expectRefused(lti, await lti.launchToken(), chosen);
  });

  test('an endless list, with a short message', async () => {
    const huge = [Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, 1])), ...Array(5_000).fill({})];
    const said = await expectRefused(lti, await lti.launchToken(), JSON.stringify(huge));
    expect(said.length).toBeLessThan(20_000);
  });

  test('more than 50 objects', async () => {
    await expectRefused(lti, await lti.launchToken(), objects(51));
  });

  test('two objects where one is accepted', async () => {
    const token = await lti.launchToken({ deepLinking: { ...settings, acceptMultiple: false } });
    await expectRefused(lti, token, objects(2));
  });

  test('points where nothing can be graded', async () => {
    const token = await lti.launchToken({ deepLinking: { ...settings, acceptLineItem: false } });
    await expectRefused(lti, token, [choiceOf(lti, fullObject, { points: 10 })]);
  });

  test('everything where the platform accepts none of our types', async () => {
    const token = await lti.launchToken({ deepLinking: { ...settings, acceptTypes: ['file'] } });
    expect(await expectRefused(lti, token, [choiceOf(lti)])).toContain('takes no links');
  });

  test('a handle that was tampered with', async () => {
    const { handle, ...rest } = choiceOf(lti);
    const tampered = `${String(handle).slice(0, -6)}AAAAAA`;
    await expectRefused(lti, await lti.launchToken(), [{ ...rest, handle: tampered }]);
  });

  test('a handle of another tenant', async () => {
    const found = { object: fullObject, requestId: 'request-1' };
    const handle = sealHandle(found, { keyring: lti.deps.keyring, tenantId: 'lyon' });
    await expectRefused(lti, await lti.launchToken(), [{ ...choiceOf(lti), handle }]);
  });

  test('a choice of a learner', async () => {
    const token = await lti.launchToken({ role: 'learner' });
    await expectRefused(lti, token, [choiceOf(lti)], 403);
  });

  test('a request without a launch', async () => {
    await expectRefused(lti, 'v1.00000000.AAAA', [choiceOf(lti)], 401);
  });
});

test('accepts one object for an existing activity of Moodle, and keeps what was selected', async () => {
  const course = { product: 'moodle', context: { id: 'existing', label: null, title: null } } as const;
  const again = { ...course, deepLinking: { ...settings, title: 'Week 1' } };
  // A new activity may take several.
  const first = [choiceOf(lti, fullObject, { title: 'Week 1', points: 5 }), choiceOf(lti, bareObject)];
  const token = await lti.launchToken(again);
  expect((await readResponse(lti, await choose(lti, token, first))).items).toHaveLength(2);
  // Sent twice, it is answered alike.
  expect((await readResponse(lti, await choose(lti, token, first))).items).toHaveLength(2);

  const later = await lti.launchToken(again);
  expect(await expectRefused(lti, later, objects(2))).toContain('“Week 1” is in the course already');
  const draft = JSON.stringify({ 'skilldock-tray-x': { value: ['something'] } });
  const launch = await lti.deps.launches.getLaunch(later, 'deep-linking');
  await lti.deps.launches.keepDraft(launch, draft);
  const refused = await choose(lti, later, objects(2));
  expect([refused.status, textOf(await refused.text())]).toEqual([
    400,
    expect.stringContaining('Your selection is still here: keep one of them'),
  ]);
  expect(await lti.deps.launches.findDraft(launch)).toBe(draft);
  await readResponse(lti, await choose(lti, later, objects(1)));
});

test('sets the stored selection aside when it is sent, and erases it when it is cancelled', async () => {
  const send = async (action: 'choose' | 'cancel') => {
    const token = await lti.launchToken({ context: { id: `course to ${action}`, label: null, title: null } });
    const launch = await lti.deps.launches.getLaunch(token, 'deep-linking');
    const tray = createTrayKey(launch);
    const selection = { keptAt: 1, value: ['something'] };
    await lti.deps.launches.keepDraft(launch, JSON.stringify({ [`skilldock-tray-${tray}`]: selection, plan: {} }));
    await readResponse(lti, await choose(lti, token, [choiceOf(lti)], { action, tray }));
    return { stored: JSON.parse((await lti.deps.launches.findDraft(launch)) ?? '{}'), name: `skilldock-sent-${tray}` };
  };
  const { stored, name } = await send('choose');
  expect(stored).toEqual({ [name]: { keptAt: 1, value: ['something'] }, plan: {} });
  expect((await send('cancel')).stored).toEqual({ plan: {} });
});

test('accepts 50 large objects', async () => {
  const description = 'Much is said. '.repeat(300);
  const choices = Array.from({ length: 50 }, (_, i) =>
    choiceOf(lti, { ...fullObject, url: `https://example.org/${i}`, description }),
  );
  const { items } = await readResponse(lti, await choose(lti, await lti.launchToken(), choices));
  expect(items).toHaveLength(50);
});

test('repeats the first answer when a form is sent again, also at the same time', async () => {
  const token = await lti.launchToken();
  const before = await countPlacements(lti);
  const answers = await Promise.all([1, 2, 3].map(() => choose(lti, token, [choiceOf(lti)])));
  answers.push(await choose(lti, token, [choiceOf(lti)]));
  answers.push(await choose(lti, token, '', { action: 'cancel' }));
  const responses = await Promise.all(answers.map((answer) => readResponse(lti, answer)));
  expect(new Set(responses.map(({ payload }) => payload.jti)).size).toBe(1);
  for (const { html } of responses) expect(textOf(html)).toContain('Adding one resource to the course');
  expect(await countPlacements(lti)).toBe(before + 1);
  // Everything else of the launch is over.
  const picker = await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch: token })}`);
  expect(picker.status).toBe(401);
});

describe('a refusal leads back to the selection', () => {
  const refused = async (more: Record<string, unknown>, locale = 'en') => {
    const token = await lti.launchToken({ locale });
    const answer = await choose(lti, token, [choiceOf(lti), choiceOf(lti, bareObject, more)]);
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toContain(`href="/lti/picker?${new URLSearchParams({ launch: token })}"`);
    return textOf(html);
  };

  test('and names the fields to correct', async () => {
    const text = await refused({ title: '  ', points: 0 });
    expect(text).toContain(
      'Something in your selection needs a correction. Nothing was added; your selection is still here.',
    );
    expect(text).toContain('Resource 2: check “Title in the course”.');
    expect(text).toContain('Resource 2: check “Graded when completed”.');
    expect(await refused({ title: '  ' }, 'fr')).toContain('Revenir à la sélection');
  });

  test('also where a handle is no longer valid', async () => {
    expect(await refused({ handle: 'of another time' })).toContain(
      'One of the resources has expired, so nothing was added.',
    );
  });
});

test('removes line breaks and outer spaces from a title', async () => {
  const choice = choiceOf(lti, fullObject, { title: '  Week 1:\n Python ' });
  const { items } = await readResponse(lti, await choose(lti, await lti.launchToken(), [choice]));
  expect(items[0]?.title).toBe('Week 1:  Python');
});

describe('a replacement', () => {
  test('opens behind the link, with the points of the former object', async () => {
    const graded = { lineItem: 'https://lms.example.org/line/1', lineItems: null, scopes: [SCORE_SCOPE] };
    const token = await lti.launchToken({ ...linkLaunch, grading: graded });
    const answer = await choose(lti, token, [choiceOf(lti, fullObject, { completion: 'viewed' })]);
    expect(answer.status).toBe(303);
    const said = new URLSearchParams({ launch: token, said: 'replaced' });
    expect(answer.headers.get('location')).toBe(`/lti/object?${said}`);
    const chosen = async (launch: Parameters<RunningLti['launchToken']>[0]) =>
      lti.deps.placements.findChosen(await lti.deps.launches.getLaunch(await lti.launchToken(launch), 'resource-link'));
    expect(await chosen(resourceLinkLaunch)).toMatchObject({
      address: 'example.org/python',
      completion: 'viewed',
      points: 10,
    });
    // The launch goes on: it is that of the link.
    const other = choiceOf(lti, bareObject);
    expect((await choose(lti, token, [other])).status).toBe(303);
    expect(await chosen(resourceLinkLaunch)).toMatchObject({ address: 'example.org/bare', points: 10 });
  });

  test('has the points of the former object, also where it had none', async () => {
    const resourceLink = { id: 'ungraded', title: null, description: null };
    const ungraded = await lti.launchToken({ ...linkLaunch, resourceLink });
    await choose(lti, ungraded, [choiceOf(lti)]);
    const grading = { lineItem: 'https://lms.example.org/line/2', lineItems: null, scopes: [SCORE_SCOPE] };
    const token = await lti.launchToken({ ...linkLaunch, resourceLink, grading });
    await choose(lti, token, [choiceOf(lti, bareObject)]);
    const launch = await lti.deps.launches.getLaunch(token, 'resource-link');
    expect(await lti.deps.placements.findChosen(launch)).toMatchObject({
      address: 'example.org/bare',
      points: null,
    });
  });

  test('is one object, and leaves the link unchanged', async () => {
    const token = await lti.launchToken(linkLaunch);
    await expectRefused(lti, token, objects(2));
    await expectRefused(lti, token, [choiceOf(lti, fullObject, { points: 10 })]);
    await expectRefused(lti, token, [choiceOf(lti, fullObject, { target: 'iframe' })]);
  });

  test('changes nothing when it is cancelled', async () => {
    const token = await lti.launchToken(linkLaunch);
    const answer = await choose(lti, token, '', { action: 'cancel' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain('/lti/object?launch=');
  });

  test('is refused to learners', async () => {
    const answer = await choose(lti, await lti.launchToken(resourceLinkLaunch), [choiceOf(lti)]);
    expect(answer.status).toBe(403);
  });
});
