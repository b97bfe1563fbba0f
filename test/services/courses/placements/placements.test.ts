import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Launch } from '../../../../src/domain/lti/launch.ts';
import type { ChosenObject } from '../../../../src/services/courses/placements/placement-records.ts';
import type { StandingClock } from '../../../fakes/clock.ts';
import { bareObject, fullObject, KNOWN_REQUEST_ID } from '../../../fakes/learning-service.ts';
import { type OpenedServices, openServices, tester } from '../../../helpers/open-services.ts';
import { anyPlatform, linkLaunch, makeLaunch } from '../launch-samples.ts';

const registration = { ...anyPlatform, id: 'registration-1' };

const chosen: ChosenObject = {
  object: fullObject,
  requestId: KNOWN_REQUEST_ID,
  title: 'Python',
  completion: 'marked',
  points: 10,
};

const titled = (title: string): ChosenObject => ({
  ...chosen,
  title,
  object: { ...bareObject, url: `https://example.org/${title}` },
});

let services: OpenedServices<StandingClock>;

beforeEach(async () => {
  services = await openServices();
});

afterEach(() => services.close());

const launchOf = (overrides: Partial<Launch> = {}, platform = registration) =>
  makeLaunch(platform, { clock: services.clock, ...overrides });

/** A second later than what was placed before. */
async function place(title: string, overrides: Partial<Launch> = {}): Promise<string> {
  services.clock.advance(1_000);
  const [placement] = await services.placements.place(launchOf(overrides), [titled(title)]);
  return placement!.id;
}

const linkOf = (id: string, custom: Record<string, string> = {}) =>
  launchOf({ ...linkLaunch, resourceLink: { ...linkLaunch.resourceLink, id }, custom });

async function shownAt(launch: Launch): Promise<string | null> {
  return (await services.placements.openLink(launch))?.placement.title ?? null;
}

describe('what is chosen', () => {
  test('is kept as it was chosen, in its order', async () => {
    const launch = launchOf();
    const placed = await services.placements.place(launch, [chosen, titled('b'), titled('a')]);
    expect(placed.map(({ title }) => title)).toEqual(['Python', 'b', 'a']);
    expect(placed[0]).toEqual({
      ...chosen,
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      tenantId: 'default',
      registrationId: registration.id,
      contextId: 'course-1',
      person: 'lti:registration-1:teacher-1',
      address: 'example.org/python',
      placedAt: services.clock.now(),
    });
    for (const each of placed) expect(await services.store.placements.findPlacement('default', each.id)).toEqual(each);
  });

  test('are counted when they are first opened in the course, not in a copy', async () => {
    const embeds = async () => (await services.usage.report(['default'], 1)).totals.embeds;
    const placement = await place('a');
    expect(await embeds()).toBe(0);
    for (const id of ['link-1', 'link-1']) await shownAt(linkOf(id, { placement }));
    expect(await embeds()).toBe(1);
    await shownAt(linkOf('copied', { placement, link_history: 'link-1' }));
    expect(await embeds()).toBe(1);
    // No platform launches plain links.
    const { deepLinking } = launchOf();
    await services.placements.place(launchOf({ deepLinking: { ...deepLinking!, acceptTypes: ['link'] } }), [chosen]);
    expect(await embeds()).toBe(2);
  });

  test('are opened or only sent, by address', async () => {
    const { placements } = services;
    await shownAt(linkOf('link-1', { placement: await place('a') }));
    for (const title of ['a', 'b']) await place(title);
    expect(await placements.listAddresses(launchOf())).toEqual({ opened: ['example.org/a'], sent: ['example.org/b'] });
    expect(await placements.listAddresses(launchOf({ context: null }))).toEqual({ opened: [], sent: [] });
  });

  test('may be nothing, in no course', async () => {
    expect(await services.placements.place(launchOf(), [])).toEqual([]);
    const [placement] = await services.placements.place(launchOf({ context: null }), [chosen]);
    expect(placement!.contextId).toBeNull();
  });

  test('is refused with everything that is out of bounds, and nothing is kept', async () => {
    const wrong: ChosenObject[] = [
      chosen,
      { ...chosen, title: ' ', points: 1.5, completion: 'never' as ChosenObject['completion'] },
      { ...chosen, title: 't'.repeat(256), points: 101, requestId: 'r'.repeat(201) },
      { ...chosen, points: 0, object: { ...fullObject, description: 'é'.repeat(33_000) } },
    ];
    const refused = services.placements.place(launchOf(), wrong);
    await expect(refused).rejects.toMatchObject({
      code: 'PARAMETERS_INVALID',
      problems: [
        ...[{ path: 'chosen[1].title' }, { path: 'chosen[1].completion' }, { path: 'chosen[1].points' }],
        ...[{ path: 'chosen[2].title' }, { path: 'chosen[2].points' }, { path: 'chosen[2].requestId' }],
        ...[{ path: 'chosen[3].object' }, { path: 'chosen[3].points' }],
      ],
    });
    expect(await services.placements.listRecent(launchOf())).toEqual([]);
    const good = { ...chosen, title: 't'.repeat(255), points: 100 };
    expect(await services.placements.place(launchOf(), Array(50).fill(good))).toHaveLength(50);
    await expect(services.placements.place(launchOf(), Array(51).fill(good))).rejects.toMatchObject({
      problems: [{ path: 'chosen' }],
    });
  });
});

test('nothing is placed for a tenant that is gone or disabled', async () => {
  const { id: tenantId } = await services.tenants.createTenant(tester, 'School');
  await services.tenants.disableTenant(tester, tenantId);
  const refused = (id: string) => services.placements.place(launchOf({ tenantId: id }), [chosen]);
  await expect(refused(tenantId)).rejects.toMatchObject({ code: 'TENANT_DISABLED' });
  await expect(refused('none')).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
});

describe('a link', () => {
  test('shows what its parameter says, and is kept with it', async () => {
    const placement = await place('a');
    const launch = linkOf('link-1', { placement });
    const text = JSON.stringify([registration.id, '1', 'link-1', placement]);
    expect(await services.placements.openLink(launch)).toMatchObject({
      link: {
        id: createHash('sha256').update(text).digest('hex'),
        tenantId: 'default',
        registrationId: registration.id,
        deploymentId: '1',
        contextId: 'course-1',
        resourceLinkId: 'link-1',
        placementId: placement,
        firstOpenedAt: services.clock.now(),
      },
      placement: { id: placement, title: 'a' },
    });
    const { link } = (await services.placements.openLink(launch))!;
    services.clock.advance(1_000);
    expect((await services.placements.openLink(launch))!.link).toEqual(link);
  });

  test('shows nothing where nothing was chosen for it, nor outside of links', async () => {
    expect(await shownAt(linkOf('link-1'))).toBeNull();
    expect(await shownAt(linkOf('link-1', { placement: 'none' }))).toBeNull();
    const placement = await place('a');
    expect(await shownAt(launchOf({ custom: { placement } }))).toBeNull();
    expect(await shownAt(linkOf('link-2', { placement }))).toBe('a');
  });

  test('shows nothing of another tenant', async () => {
    const placement = await place('a');
    const other = { ...registration, tenantId: 'other' };
    const launch = launchOf({ ...linkLaunch, custom: { placement } }, other);
    expect(await shownAt(launch)).toBeNull();
    expect(await services.placements.findChosen(launch)).toBeNull();
    expect(await shownAt(launchOf({ ...linkLaunch, custom: { placement } }))).toBe('a');
  });

  test('is another one under another registration or deployment', async () => {
    await shownAt(linkOf('link-1', { placement: await place('a') }));
    expect(await shownAt(linkOf('link-1'))).toBe('a');
    expect(await shownAt({ ...linkOf('link-1'), deploymentId: '2' })).toBeNull();
    expect(await shownAt({ ...linkOf('link-1'), registrationId: 'registration-2' })).toBeNull();
  });

  test('shows what was put behind it here, although its parameter says what was there first', async () => {
    const launch = linkOf('link-1', { placement: await place('a') });
    await shownAt(launch);
    services.clock.advance(1_000);
    const { link, placement } = await services.placements.replace(launch, titled('b'));
    expect([link.placementId, placement.title]).toEqual([placement.id, 'b']);
    expect(await shownAt(launch)).toBe('b');
    expect(await services.placements.findChosen(launch)).toEqual(placement);
  });

  test('shows what was chosen anew in the platform, also after it was replaced here', async () => {
    const launch = linkOf('link-1', { placement: await place('a') });
    await shownAt(launch);
    services.clock.advance(1_000);
    await services.placements.replace(launch, titled('b'));
    const anew = linkOf('link-1', { placement: await place('c') });
    expect(await shownAt(anew)).toBe('c');
    expect(await shownAt(linkOf('link-1'))).toBe('c');
  });

  test('that had nothing gets something', async () => {
    await services.placements.replace(linkOf('link-1'), titled('a'));
    expect(await shownAt(linkOf('link-1'))).toBe('a');
  });

  test('is replaced as things are placed: within bounds, for a link, and counted', async () => {
    const { placements } = services;
    const invalid = { code: 'PARAMETERS_INVALID' };
    await expect(placements.replace(launchOf(), chosen)).rejects.toMatchObject(invalid);
    await expect(placements.replace(linkOf('link-1'), titled(''))).rejects.toMatchObject(invalid);
    await placements.replace(linkOf('link-1'), chosen);
    expect((await services.usage.report(['default'], 1)).totals.embeds).toBe(1);
  });

  test('that is opened while another object is put behind it shows that one', async () => {
    const launch = linkOf('link-1', { placement: await place('a') });
    services.clock.advance(1_000);
    const { placements } = services.store;
    const { openLink } = placements;
    vi.spyOn(placements, 'openLink').mockImplementationOnce(async (record) => {
      await services.placements.replace(launch, titled('b'));
      return openLink(record);
    });
    expect(await shownAt(launch)).toBe('b');
    expect(await shownAt(launch)).toBe('b');
  });
});

describe('a copied link', () => {
  test('shows what the one it was copied from shows now, the nearest first', async () => {
    const first = linkOf('link-1', { placement: await place('a') });
    await shownAt(first);
    services.clock.advance(1_000);
    await services.placements.replace(first, titled('b'));
    await shownAt(linkOf('link-2', { placement: await place('c') }));
    const custom = { ...first.custom, link_history: ' link-9, link-1 ,link-2' };
    expect(await shownAt(linkOf('link-3', custom))).toBe('b');
  });

  test('is found where the platform encodes ids, and where it does not', async () => {
    await services.placements.replace(linkOf('100% of a,b'), titled('a'));
    expect(await shownAt(linkOf('link-2', { link_history: 'x%,100%25%20of%20a%2Cb' }))).toBe('a');
    await services.placements.replace(linkOf('50%'), titled('b'));
    expect(await shownAt(linkOf('link-3', { link_history: '50%' }))).toBe('b');
  });

  test('goes its own way from then on', async () => {
    const [first, copy] = [linkOf('link-1'), linkOf('link-2', { link_history: 'link-1' })];
    await services.placements.replace(first, titled('a'));
    expect(await shownAt(copy)).toBe('a');
    await services.placements.replace(copy, titled('b'));
    expect([await shownAt(first), await shownAt(copy)]).toEqual(['a', 'b']);
  });

  test('that was chosen anew before it was opened shows that', async () => {
    await services.placements.replace(linkOf('link-1'), titled('a'));
    const custom = { placement: await place('b'), link_history: 'link-1' };
    expect(await shownAt(linkOf('link-2', custom))).toBe('b');
  });

  test('looks at the last twenty', async () => {
    await services.placements.replace(linkOf('link-1'), titled('a'));
    const others = Array.from({ length: 20 }, (_, i) => `other-${i}`);
    const after = (count: number) => ({ link_history: [...others.slice(0, count), 'link-1'].join(',') });
    expect(await shownAt(linkOf('link-2', after(20)))).toBeNull();
    expect(await shownAt(linkOf('link-2', after(19)))).toBe('a');
  });
});

test('what a deep-linking request is about is found, and opened by nobody', async () => {
  const id = await place('a');
  expect(await services.placements.findChosen(launchOf({ custom: { placement: id } }))).toMatchObject({ id });
  expect(await services.placements.findChosen(launchOf())).toBeNull();
  await services.placements.findChosen(linkOf('link-1', { placement: id }));
  expect(await shownAt(linkOf('link-1'))).toBeNull();
});

describe('what was chosen before', () => {
  const recent = async (overrides: Partial<Launch> = {}) =>
    (await services.placements.listRecent(launchOf(overrides))).map(({ title }) => title);
  const ofColleagues = async (overrides: Partial<Launch> = {}) =>
    (await services.placements.listOfColleagues(launchOf(overrides))).map(({ title }) => title);
  const [other, colleague] = [
    { context: { id: 'course-2', label: null, title: null } },
    { user: { id: 'teacher-2', name: null, email: null } },
  ];

  test('in this course is listed by anyone, the newest first, each object once', async () => {
    for (const title of ['a', 'b']) await place(title);
    await place('c', other);
    await place('a', colleague);
    expect(await recent()).toEqual(['a', 'b']);
    expect(await recent({ ...other, ...colleague })).toEqual(['c']);
    expect(await recent({ context: null })).toEqual([]);
  });

  test('in the courses that this one was copied from is listed too', async () => {
    for (const title of ['a', 'b']) await place(title, other);
    await place('c');
    expect(await recent({ custom: { context_history: 'course-3,course-2' } })).toEqual(['c', 'b', 'a']);
  });

  test('by colleagues is listed for others, from every platform of the tenant', async () => {
    await place('mine');
    await place('a', colleague);
    await place('b', { ...other, registrationId: 'registration-2' });
    const { id: tenantId } = await services.tenants.createTenant(tester, 'School');
    await place('theirs', { tenantId, ...colleague });
    expect(await ofColleagues()).toEqual(['b', 'a']);
    expect(await ofColleagues(colleague)).toEqual(['b', 'mine']);
  });

  test('is at most twenty objects', async () => {
    for (let i = 0; i < 21; i++) await place(`${i}`);
    expect(await recent()).toEqual(Array.from({ length: 20 }, (_, i) => `${20 - i}`));
    expect(await ofColleagues(colleague)).toHaveLength(20);
  });
});
