import { afterEach, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { sealHandle } from '../../../../src/faces/object-view/handle.ts';
import type { LtiPlatforms, PlatformMember } from '../../../../src/ports/lti-platforms.ts';
import { bareObject } from '../../../fakes/learning-service.ts';
import { awaitNextMillisecond, chosen, grading, type OpenedObject, openObject, textOf } from './open-object.ts';

let opened: OpenedObject;
afterEach(() => opened.close());

const membershipsUrl = 'https://lms.example.org/members';
const user = (id: string) => ({ id, name: null, email: null });

/** The service of the platform that tells names; nothing else of it is asked. */
const withMembers = (listMembers: LtiPlatforms['listMembers']) => ({
  deps: { platforms: { listMembers } as LtiPlatforms },
});

const member = (userId: string, name: string | null, rest: Partial<PlatformMember> = {}): PlatformMember => ({
  userId,
  name,
  isLearner: true,
  isActive: true,
  groupIds: [],
  ...rest,
});

test('shows instructors how many opened and completed the object, without counting them', async () => {
  opened = await openObject();
  for (const id of ['a', 'b']) await opened.page('/object', await opened.launch({ user: user(id) }));
  await opened.send('/object/done', await opened.launch({ user: user('b') }));
  const teacher = await opened.teach();
  await opened.page('/object', teacher);
  const text = textOf(await opened.page('/object', teacher));
  expect(text).toMatch(/Opened 2 Completed 1 /);
  expect(text).toContain('Teachers’ visits are not counted.');
  expect(text).not.toContain('Mark as done');
});

test('marks what was done with the former object in counts and names', async () => {
  const members = async () => [member('a', 'Ada'), member('b', 'Ben')];
  opened = await openObject({}, withMembers(members));
  const token = await opened.launch({ user: user('a') });
  await opened.send('/object/done', token);
  const teacher = await opened.teach({ membershipsUrl });
  const include = 'The totals include the resource that was here before.';
  expect(textOf(await opened.page('/object', teacher))).not.toContain(include);
  await awaitNextMillisecond();
  await opened.replace({ object: bareObject });
  await awaitNextMillisecond();
  const [placement] = [(await opened.find()).placement.id];
  await opened.send('/object/done', await opened.launch({ user: user('b') }), { placement });
  expect(textOf(await opened.page('/object', teacher))).toContain(include);
  const people = textOf(await opened.part('/object/people', teacher));
  expect(people).toMatch(/Ada .*\(previous resource\).*Ben/);
  expect(people.match(/previous resource/g)).toHaveLength(1);
});

test('does not mention a former object where there was none', async () => {
  opened = await openObject();
  const link = { custom: {}, resourceLink: { id: 'empty', title: null, description: null } };
  const teacher = await opened.teach(link);
  const launch = await opened.deps.launches.getLaunch(teacher, 'resource-link');
  await opened.services.placements.replace(launch, chosen);
  await opened.page('/object', await opened.launch(link));
  const text = textOf(await opened.page('/object', teacher));
  expect(text).toContain('Teachers’ visits are not counted.');
  expect(text).not.toContain('here before');
});

test('explains completion by viewing as it works for this object', async () => {
  opened = await openObject({ completion: 'viewed' });
  expect(textOf(await opened.page('/object', await opened.teach()))).toContain(
    'It is completed as soon as a learner presses “Open”.',
  );
});

test('ends the selection of the picker after a replacement', async () => {
  opened = await openObject();
  const token = await opened.teach();
  const said = new URLSearchParams({ launch: token, said: 'replaced' });
  const html = await (await fetch(`${opened.url}/lti/object?${said}`)).text();
  expect(textOf(html)).toContain('The link keeps its title in the course');
  const picker = await (await fetch(`${opened.url}/lti/picker?${new URLSearchParams({ launch: token })}`)).text();
  const [, key] = /data-tray="([^"]+)"/.exec(picker)!;
  expect(html).toContain(`data-sent-tray="${key}"`);
  expect(await opened.page('/object', token)).toContain('data-sent-tray=""');
});

test('takes a replacement back, to what was chosen in this course only', async () => {
  opened = await openObject();
  const token = await opened.teach();
  const { keyring } = opened.deps;
  const { tenantId } = opened.registration;
  const handle = sealHandle({ object: bareObject, requestId: null }, { keyring, tenantId });
  const response = await opened.send('/object/replace', token, { handle });
  const shown = await fetch(new URL(response.headers.get('location') ?? '', opened.url));
  expect(await shown.text()).toContain(`name="former" value="${opened.placementId}"`);
  const { placement } = await opened.find();
  expect(placement.object.url).toBe(bareObject.url);
  const undo = (former: string) => opened.send('/object/undo', token, { placement: placement.id, former });
  const elsewhere = await opened.launchToken({ context: { id: 'course-2', label: null, title: null } });
  const other = await opened.deps.launches.getLaunch(elsewhere, 'deep-linking');
  const [foreign] = await opened.services.placements.place(other, [chosen]);
  await undo(foreign!.id);
  expect((await opened.find()).placement.id).toBe(placement.id);
  await undo(opened.placementId);
  expect((await opened.find()).placement.id).toBe(opened.placementId);
});

test('ignores the form of learners when an instructor sends it', async () => {
  opened = await openObject({}, {});
  await opened.send('/object/done', await opened.teach({ grading }));
  const found = await opened.find();
  expect(await opened.services.completions.count(found)).toEqual({ opened: 0, completed: 0 });
  expect(await opened.services.completions.readUnsentScores(found)).toMatchObject({ waiting: 0 });
});

test('lists learners by name, including those who have not opened the object', async () => {
  const members = [
    member('z', 'Zoë'),
    member('a', 'Émile'),
    member('gone', 'Gone', { isActive: false }),
    member('t', 'Tess', { isLearner: false }),
  ];
  opened = await openObject(
    {},
    withMembers(async () => members),
  );
  await opened.page('/object', await opened.launch({ user: user('z') }));
  await opened.page('/object', await opened.launch({ user: user('left') }));
  const text = textOf(await opened.part('/object/people', await opened.teach({ membershipsUrl })));
  expect(text).toMatch(/Émile not yet not yet .*Zoë \w+ \d+, \d{4} not yet .*Left the course/);
  expect(text).not.toMatch(/Gone|Tess/);
});

/** Names in the rows of the table, in order. */
const namesIn = (html: string) => [...html.matchAll(/<th scope="row">([^<]*)/g)].map(([, name]) => name);

async function openLargeCourse(count: number) {
  const groupOf = (n: number) => (n % 2 === 0 ? ['even'] : ['odd']);
  const members = Array.from({ length: count }, (_, n) =>
    member(`u${n}`, `Person ${String(n).padStart(3, '0')}`, { groupIds: groupOf(n) }),
  );
  const platforms = {
    listMembers: async (_, __, { withGroups } = {}) =>
      members.map((each) => (withGroups ? each : { ...each, groupIds: [] })),
    listGroups: async () => [
      { id: 'odd', name: 'Odd ones' },
      { id: 'even', name: 'Even ones' },
      { id: 'nobody', name: 'Empty group' },
    ],
  } as Partial<LtiPlatforms> as LtiPlatforms;
  opened = await openObject({}, { deps: { platforms } });
  for (const n of [0, 1, 2]) await opened.send('/object/done', await opened.launch({ grading, user: user(`u${n}`) }));
  const teacher = await opened.teach({ membershipsUrl, groupsUrl: 'https://lms.example.org/groups' });
  const list = (fields: Readonly<Record<string, string>>) =>
    opened.part(`/object/people?${new URLSearchParams(fields)}`, teacher);
  return { teacher, list };
}

async function refuseScoreOf(userId: string) {
  const { scores } = opened.services.store;
  for (let due = new Date(Date.now() + 1e9); ; ) {
    const claimed = await scores.claimDue(due, new Date(due.getTime() + 1e9));
    if (claimed === null) return;
    const { id, attempts, dueAt, earnedAt } = claimed;
    const state = claimed.userId === userId ? 'refused' : 'delivered';
    await scores.settleScore(id, attempts, { state, failures: 0, dueAt, earnedAt, lastError: null });
  }
}

test('pages a large course, those who have not completed it first', async () => {
  const { list, teacher } = await openLargeCourse(60);
  await refuseScoreOf('u2');
  const first = await list({});
  expect(textOf(first)).toContain('3 of 60 have completed it.');
  expect(textOf(first)).toContain('Page 1 of 3');
  expect(namesIn(first)).toHaveLength(25);
  expect(namesIn(first)[0]).toBe('Person 003');
  const last = await list({ page: '3' });
  expect(namesIn(last).slice(-3)).toEqual(['Person 002', 'Person 000', 'Person 001']);
  expect(textOf(last).match(/Grade not in the gradebook/g)).toHaveLength(1);
  // The links and the fields hold the state, so the page works without a script.
  expect(last).toMatch(/<a href="[^"]*page=2" rel="prev"/);
  expect(last).not.toContain('rel="next"');
  expect(namesIn(await list({ page: '99999999' }))).toEqual(namesIn(last));
  expect(namesIn(await list({ page: '-3', name: 'x'.repeat(5_000) }))).toEqual([]);
  const address = `${opened.url}/lti/object?name=Ada&page=2&group=a&launch=${teacher}`;
  expect(await (await fetch(address)).text()).toContain('data-load="/object/people?name=Ada&amp;group=a&amp;page=2"');
});

test.each([
  [{ name: 'SON 05' }, 10, '3 of 60 have completed it. 10 names contain “SON 05”.'],
  [{ group: 'even' }, 25, '2 of 30 have completed it.'],
  [{ group: 'odd', name: '007' }, 1, '1 of 30 has completed it. 1 name contains “007”.'],
  [{ group: 'unknown' }, 25, '3 of 60 have completed it.'],
])('finds people by %j', async (fields, count, text) => {
  const { list } = await openLargeCourse(60);
  const html = await list(fields as unknown as Record<string, string>);
  expect(namesIn(html)).toHaveLength(count);
  expect(textOf(html)).toContain(text);
});

test('offers groups only where the platform offers them', async () => {
  const { list, teacher } = await openLargeCourse(3);
  expect(textOf(await list({}))).toMatch(/All groups ?Even ones ?Odd ones/);
  expect(textOf(await list({}))).not.toContain('Empty group');
  const without = await opened.part('/object/people', await opened.teach({ membershipsUrl }));
  expect(without).not.toContain('name="group"');
  const csv = await (await fetch(`${opened.url}/lti/object/people.csv?launch=${teacher}`)).text();
  expect(csv).toContain('Person 001,Odd ones,');
});

test('writes everybody into the CSV', async () => {
  const { teacher } = await openLargeCourse(60);
  const response = await fetch(`${opened.url}/lti/object/people.csv?launch=${teacher}`);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=learners-[\d-]+\.csv$/);
  expect((await response.text()).trim().split('\r\n')).toHaveLength(61);
  const learner = await opened.launch();
  expect((await fetch(`${opened.url}/lti/object/people.csv?launch=${learner}`)).status).toBe(403);
});

test('keeps the state of the list when somebody begins again', async () => {
  const { teacher } = await openLargeCourse(60);
  const { headers } = await opened.send('/object/again', teacher, { user: 'u1', name: 'Person', page: '2' });
  const to = new URL(headers.get('location')!, opened.url);
  expect(Object.fromEntries(to.searchParams)).toMatchObject({ said: 'again', name: 'Person', page: '2' });
});

test('does not list a person who opened an object as a teacher as a learner', async () => {
  opened = await openObject(
    {},
    withMembers(async () => [member('a', 'Ada'), member('t', 'Tess')]),
  );
  const asTess = await opened.teach({ membershipsUrl, user: user('t') });
  expect(textOf(await opened.part('/object/people', asTess))).toContain('Tess');
  await opened.deps.completions.noteTeacher(await opened.deps.launches.getLaunch(asTess, 'resource-link'));
  const text = textOf(await opened.part('/object/people', asTess));
  expect(text).toContain('Ada');
  expect(text).not.toContain('Tess');
});

test('lets a non-editing teacher of Moodle see the course but not replace the object', async () => {
  opened = await openObject(
    {},
    withMembers(async () => [member('n', null), member('e', null, { isLearner: false })]),
  );
  const launch = (id: string, more = {}) =>
    opened.teach({ membershipsUrl, product: 'moodle', user: user(id), ...more });
  const replaces = async (token: string) => {
    const { status } = await opened.send('/object/replace', token, { handle: 'none' });
    return [textOf(await opened.page('/object', token)).includes('Replace this resource'), status];
  };
  expect(await replaces(await launch('n'))).toEqual([false, 403]);
  // The handle is none.
  const [isOffered, status] = await replaces(await launch('e'));
  expect([isOffered, status]).not.toEqual([false, 403]);
  expect(await replaces(await launch('e', { mayChange: false }))).toEqual([false, 403]);
  expect((await replaces(await launch('n', { product: 'generic' })))[0]).toBe(true);
});

type MembersCase = [string, LtiPlatforms['listMembers'], string | null, string];

test.each<MembersCase>([
  ['does not offer them', async () => [], null, 'does not share the names of this course'],
  ...[
    { part: 'members', status: 401 },
    { part: 'members', status: 403 },
    { part: 'token', status: 400, detail: 'invalid_scope: not for this tool' },
  ].map(
    (data): MembersCase => [
      `refuses (${data.part} ${data.status})`,
      () => fail('PLATFORM_REFUSED', data),
      membershipsUrl,
      'does not share the names of this course',
    ],
  ),
  ...[
    { part: 'members', status: null },
    { part: 'members', status: 404 },
    { part: 'token', status: 400, detail: 'invalid_client' },
    { part: 'token', status: 401, detail: 'invalid_client' },
  ].map(
    (data): MembersCase => [
      `fails (${data.part} ${data.status})`,
      () => fail('PLATFORM_REFUSED', data),
      membershipsUrl,
      'could not send names just now',
    ],
  ),
  ['hides them', async () => [member('a', null)], membershipsUrl, 'without their names'],
  [
    'cannot be reached',
    () => fail('PLATFORM_UNREACHABLE'),
    membershipsUrl,
    'Your platform could not send names just now, so you see numbers only.',
  ],
  ['has nobody in the course', async () => [], membershipsUrl, 'Left the course, or no name'],
])('shows numbers and a reason where the platform %s', async (_, listMembers, url, why) => {
  opened = await openObject({}, withMembers(listMembers));
  await opened.page('/object', await opened.launch());
  const text = textOf(await opened.part('/object/people', await opened.teach({ membershipsUrl: url })));
  expect(text).toContain(why);
});

test.each([
  ['moodle', null, 'IMS LTI Names and Role Provisioning'],
  ['moodle', membershipsUrl, 'set “Share launcher’s name with tool” to “Always”'],
  ['canvas', null, 'permissions of the developer key'],
  [
    'canvas',
    membershipsUrl,
    'Canvas lists the members of this course without their names, so you see numbers only. An administrator can share names by raising the tool’s privacy level.',
  ],
  [
    'generic',
    null,
    'Your platform does not share the names of this course, so you see numbers only. An administrator can turn on the names and roles service (NRPS) in the tool’s settings.',
  ],
  [
    'generic',
    membershipsUrl,
    'Your platform lists the members of this course without their names, so you see numbers only. An administrator can share names in the privacy settings of the tool.',
  ],
] as const)('names the setting of %s (%s) where names are missing', async (product, url, setting) => {
  opened = await openObject(
    {},
    withMembers(async () => [member('a', null)]),
  );
  const teacher = await opened.teach({ product, membershipsUrl: url });
  expect(textOf(await opened.part('/object/people', teacher))).toContain(setting);
});

function fail(code: 'PLATFORM_REFUSED' | 'PLATFORM_UNREACHABLE', data: object = {}): Promise<never> {
  return Promise.reject(new AppError(code, 'No names.', { data: { ...data } }));
}

test('refuses names to learners', async () => {
  opened = await openObject(
    {},
    withMembers(async () => [member('a', 'Ada')]),
  );
  const response = await fetch(`${opened.url}/lti/object/people?launch=${await opened.launch()}`);
  expect(response.status).toBe(403);
});

test('shows reports of a broken link until the object is replaced', async () => {
  opened = await openObject();
  await opened.send('/object/feedback', await opened.launch(), { verdict: 'broken', comment: '' });
  const before = textOf(await opened.page('/object', await opened.teach()));
  expect(before).toContain('1 learner reported a broken link.');
  await opened.replace({ object: bareObject });
  expect(textOf(await opened.page('/object', await opened.teach()))).not.toContain('reported');
});

test('shows scores that the gradebook refused', async () => {
  opened = await openObject();
  const token = await opened.launch({ grading });
  await opened.send('/object/done', token);
  const { scores } = opened.services.store;
  const now = new Date();
  const claimed = await scores.claimDue(new Date(now.getTime() + 1e9), new Date(now.getTime() + 2e9));
  const { id, attempts, dueAt, earnedAt } = claimed!;
  await scores.settleScore(id, attempts, {
    state: 'refused',
    failures: 1,
    dueAt,
    earnedAt,
    lastError: 'No such user.',
  });
  const text = textOf(await opened.page('/object', await opened.teach({ grading })));
  expect(text).toContain('The gradebook rejected 1 grade.');
  expect(text).toContain('No such user.');
  expect(textOf(await opened.page('/object', token))).toContain('The gradebook rejected your grade.');
});

test('lets instructors choose an object, also where there is none yet', async () => {
  opened = await openObject();
  const token = await opened.teach();
  const picker = `href="/lti/picker?launch=${encodeURIComponent(token)}"`;
  expect(await opened.page('/object', token)).toContain(picker);
  const none = await opened.teach({
    custom: {},
    resourceLink: { id: 'new', title: null, description: null },
  });
  const html = await opened.page('/object', none);
  expect(html).toContain(`href="/lti/picker?launch=${encodeURIComponent(none)}"`);
  expect(textOf(html)).toContain('No learning resource has been chosen');
});

test('is in French for a French launch', async () => {
  opened = await openObject();
  const text = textOf(await opened.page('/object', await opened.teach({ locale: 'fr' })));
  expect(text).toContain('Remplacer cette ressource');
});
