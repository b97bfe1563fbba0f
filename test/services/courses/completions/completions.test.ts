import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Launch, LINE_ITEM_SCOPE, SCORE_SCOPE } from '../../../../src/domain/lti/launch.ts';
import type { Placement } from '../../../../src/domain/lti/placement.ts';
import type { ScoreRecord } from '../../../../src/ports/store/store.ts';
import { UNDO_MS } from '../../../../src/services/courses/completions/completions.ts';
import type { OpenedLink } from '../../../../src/services/courses/placements/links.ts';
import { createStandingClock, type StandingClock } from '../../../fakes/clock.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { type OpenedServices, openServices } from '../../../helpers/open-services.ts';
import { anyPlatform, learnerLaunch, linkLaunch, makeLaunch } from '../launch-samples.ts';

const first = { page: 0, pageSize: 10 };

const nothing = {
  completedAt: null,
  isOfEarlierObject: false,
  score: null,
  sentAt: null,
  undoableUntil: null,
  verdict: null,
  isTeacher: false,
};

let services: OpenedServices<StandingClock>;

beforeEach(async () => {
  services = await openServices(createStandingClock('2026-03-01T10:00:00.700Z'));
});

afterEach(() => services.close());

const launchOf = (overrides: Partial<Launch> = {}) =>
  makeLaunch({ ...anyPlatform, id: 'registration-1' }, { clock: services.clock, ...learnerLaunch, ...overrides });

/** A link with an object behind it that is worth ten points. */
async function open(chosen: Partial<Placement> = {}): Promise<OpenedLink> {
  const teacher = launchOf({ role: 'instructor' });
  const rest = {
    object: fullObject,
    requestId: null,
    title: 'Python',
    completion: 'marked',
    points: 10,
  } as const;
  return services.placements.replace(teacher, { ...rest, ...chosen });
}

const scoreOf = ({ link }: OpenedLink): Promise<ScoreRecord | null> =>
  services.store.scores.findScore('default', `${link.id} ${learnerLaunch.user.id}`);

describe('a learner', () => {
  test('opens an object, and does it when it is marked', async () => {
    const [opened, launch] = [await open(), launchOf()];
    expect(await services.completions.noteOpened(launch, opened)).toEqual(nothing);
    expect(await services.completions.count(opened)).toEqual({ opened: 1, completed: 0 });
    services.clock.advance(1_000);
    const completedAt = services.clock.now();
    const undoableUntil = new Date(completedAt.getTime() + UNDO_MS);
    const done = { ...nothing, completedAt, score: 'waiting', undoableUntil };
    expect(await services.completions.complete(launch, opened)).toEqual(done);
    expect(await services.completions.count(opened)).toEqual({ opened: 1, completed: 1 });
    services.clock.advance(1_000);
    expect(await services.completions.complete(launch, opened)).toEqual(done);
    expect(await services.completions.noteOpened(launch, opened)).toEqual(done);
    expect(await services.completions.list(opened, first)).toMatchObject({
      items: [{ userId: 'learner 1', lastOpenedAt: services.clock.now(), completedAt }],
      total: 1,
    });
  });

  test('can undo a completion, and nothing is sent before that is over', async () => {
    const [opened, launch] = [await open(), launchOf()];
    const { completions, clock, store } = services;
    await completions.complete(launch, opened);
    const claim = () => store.scores.claimDue(clock.now(), clock.now());
    expect(await claim()).toBeNull();
    expect(await completions.undo(launch, opened)).toEqual(nothing);
    expect(await completions.count(opened)).toEqual({ opened: 1, completed: 0 });
    const countFinished = async () => (await services.insight.countObject('default', fullObject.url)).finished;
    expect(await countFinished()).toBe(0);
    clock.advance(UNDO_MS);
    expect(await claim()).toBeNull();

    // Done again, and the page is left: the score is due at once, and stays.
    await completions.complete(launch, opened);
    await completions.release(launch, opened);
    expect(await claim()).toMatchObject({ points: 10, state: 'waiting' });
    expect(await completions.undo(launch, opened)).toMatchObject({ score: 'waiting', undoableUntil: null });
    expect(await countFinished()).toBe(1);
    expect(await completions.count(opened)).toEqual({ opened: 1, completed: 1 });
  });

  test('cannot undo a completion later', async () => {
    const opened = await open({ points: null });
    const { completions, clock } = services;
    await completions.complete(launchOf(), opened);
    clock.advance(UNDO_MS);
    const completedAt = new Date(clock.now().getTime() - UNDO_MS);
    expect(await completions.undo(launchOf(), opened)).toEqual({ ...nothing, completedAt });
  });

  test('does an object by opening it where that is how it is done', async () => {
    const url = 'https://www.youtube.com/watch?v=kqtD5dpn9C8';
    const opened = await open({ completion: 'viewed', object: { ...fullObject, url } });
    const completedAt = services.clock.now();
    const done = { ...nothing, completedAt, score: 'waiting' };
    expect(await services.completions.noteOpened(launchOf(), opened)).toEqual(done);
    services.clock.advance(1_000);
    expect(await services.completions.noteOpened(launchOf(), opened)).toEqual(done);
  });

  test('does it by going there where its page cannot show it', async () => {
    const { completions } = services;
    const [opened, launch] = [await open({ completion: 'viewed' }), launchOf()];
    expect(await completions.noteOpened(launch, opened)).toEqual(nothing);
    expect(await completions.find(launch, opened)).toEqual(nothing);
    const done = { ...nothing, completedAt: services.clock.now(), score: 'waiting' };
    expect(await completions.noteFollowed(launch, opened)).toEqual(done);
    expect(await completions.find(launch, opened)).toEqual(done);
  });

  test('stays done where the object is replaced, with the one before', async () => {
    const launch = launchOf();
    await services.completions.complete(launch, await open());
    services.clock.advance(1);
    const replaced = await open();
    expect(await services.completions.find(launch, replaced)).toMatchObject({ isOfEarlierObject: true });
  });

  test('says what an object is worth, as often as she likes, of the object that is there', async () => {
    const [opened, launch] = [await open(), launchOf()];
    const { completions } = services;
    expect(await completions.giveVerdict(launch, opened, 'useful')).toEqual({
      ...nothing,
      verdict: 'useful',
    });
    expect((await completions.giveVerdict(launch, opened, 'broken')).verdict).toBe('broken');
    expect((await completions.noteOpened(launch, opened)).verdict).toBe('broken');
    expect(await completions.countVerdicts(opened)).toEqual({ useful: 0, notUseful: 0, broken: 1 });
    const other = await open({ title: 'Another' });
    expect(await completions.noteOpened(launch, other)).toEqual(nothing);
    expect(await completions.countVerdicts(other)).toEqual({ useful: 0, notUseful: 0, broken: 0 });
  });
});

test.each(['instructor', 'other'] as const)('nothing is noted or sent for who is %s', async (role) => {
  const opened = await open({ completion: 'viewed' });
  const { completions } = services;
  const launch = launchOf({ role });
  expect(await completions.noteOpened(launch, opened)).toEqual(nothing);
  expect(await completions.complete(launch, opened)).toEqual(nothing);
  expect(await completions.giveVerdict(launch, opened, 'useful')).toEqual(nothing);
  expect(await completions.count(opened)).toEqual({ opened: 0, completed: 0 });
  expect(await scoreOf(opened)).toBeNull();
});

test('a teacher who tries an object as a learner is neither counted nor sent, before or after', async () => {
  const [opened, trial] = [await open(), launchOf()];
  const { completions } = services;
  // Before anybody knew.
  await completions.complete(trial, opened);
  await completions.complete(launchOf({ user: { ...trial.user, id: 'learner 2' } }), opened);
  const asTeacher = launchOf({ role: 'instructor' });
  await completions.noteTeacher(asTeacher);
  const teachers = await completions.listTeachers(asTeacher);
  expect(await completions.count(opened, teachers)).toEqual({ opened: 1, completed: 1 });
  expect(await completions.readUnsentScores(opened, teachers)).toMatchObject({ waiting: 1 });
  const teaching = { ...nothing, isTeacher: true };
  for (const state of [
    await completions.find(trial, opened),
    await completions.noteOpened(trial, opened),
    await completions.complete(trial, opened),
    await completions.giveVerdict(trial, opened, 'useful'),
  ])
    expect(state).toEqual(teaching);
  const elsewhere = launchOf({ context: { id: 'another course', label: null, title: null } });
  expect(await completions.find(elsewhere, opened)).toMatchObject({ isTeacher: false });
});

describe('the score', () => {
  test('has all points, at the second it was earned', async () => {
    const opened = await open();
    await services.completions.complete(launchOf(), opened);
    expect(await scoreOf(opened)).toEqual({
      id: `${opened.link.id} learner 1`,
      tenantId: 'default',
      registrationId: 'registration-1',
      linkId: opened.link.id,
      userId: 'learner 1',
      lineItem: learnerLaunch.grading.lineItem,
      newLineItem: null,
      points: 10,
      earnedAt: new Date('2026-03-01T10:00:00Z'),
      state: 'waiting',
      attempts: 0,
      failures: 0,
      dueAt: new Date(services.clock.now().getTime() + UNDO_MS),
      leasedUntil: null,
      lastError: null,
    });
    expect(await services.completions.readUnsentScores(opened)).toEqual({
      waiting: 1,
      parked: 0,
      refused: 0,
      reasons: [],
    });
  });

  test.each([true, false])('is sent with a later time after beginning again (alone: %j)', async (isAlone) => {
    const [opened, launch] = [await open(), launchOf()];
    const other = launchOf({ user: { ...learnerLaunch.user, id: 'learner 2' } });
    const { completions } = services;
    for (const each of [launch, other]) await completions.complete(each, opened);
    const before = await scoreOf(opened);
    services.clock.advance(5_000);
    expect(await completions.resetCompletions(opened, isAlone ? launch.user.id : null)).toBe(isAlone ? 1 : 2);
    expect(await completions.noteOpened(launch, opened)).toEqual(nothing);
    expect((await completions.find(other, opened)).score).toBe(isAlone ? 'waiting' : null);
    expect(await completions.count(opened)).toEqual({ opened: 2, completed: isAlone ? 1 : 0 });
    const state = await completions.complete(launch, opened);
    expect(state).toMatchObject({ completedAt: services.clock.now(), score: 'waiting' });
    const after = (await scoreOf(opened))!;
    expect(after.earnedAt > before!.earnedAt).toBe(true);
    expect(after).toMatchObject({ state: 'waiting', lineItem: before!.lineItem });
  });

  test.each<[string, Partial<Launch>, Partial<Placement>]>([
    ['has no line item', { grading: { ...learnerLaunch.grading, lineItem: null } }, {}],
    ['does not let us send scores', { grading: { ...learnerLaunch.grading, scopes: ['lineitem'] } }, {}],
    ['has no grading at all', { grading: null }, {}],
    ['is worth no points', {}, { points: null }],
  ])('is none where the link %s', async (_which, overrides, chosen) => {
    const opened = await open(chosen);
    const state = await services.completions.complete(launchOf(overrides), opened);
    const completedAt = services.clock.now();
    expect(state).toEqual({ ...nothing, completedAt, undoableUntil: new Date(completedAt.getTime() + UNDO_MS) });
    expect(await scoreOf(opened)).toBeNull();
  });

  test('is for a new line item where the platform leaves that to us', async () => {
    const opened = await open();
    const lineItems = 'https://lms.example.org/items';
    const grading = { scopes: [SCORE_SCOPE, LINE_ITEM_SCOPE], lineItem: null, lineItems };
    await services.completions.complete(launchOf({ grading }), opened);
    const { placement, link } = opened;
    const newLineItem = { container: lineItems, label: placement.title, resourceId: placement.id };
    expect(await scoreOf(opened)).toMatchObject({
      lineItem: '',
      newLineItem: { ...newLineItem, resourceLinkId: link.resourceLinkId },
    });
  });

  test('is sent later where the link was graded later, or where its host stopped before', async () => {
    const opened = await open();
    const { completedAt } = await services.completions.complete(launchOf({ grading: null }), opened);
    services.clock.advance(60_000);
    const state = await services.completions.noteOpened(launchOf(), opened);
    expect(state).toEqual({ ...nothing, completedAt, score: 'waiting' });
    expect((await scoreOf(opened))!.earnedAt).toEqual(new Date('2026-03-01T10:01:00Z'));
  });

  test('is sent again to another line item, with a later second, and to the same one not', async () => {
    const opened = await open();
    await services.completions.complete(launchOf(), opened);
    const before = await scoreOf(opened);
    await services.completions.complete(launchOf(), opened);
    expect(await scoreOf(opened)).toEqual(before);
    const lineItem = 'https://lms.example.org/items/2';
    const anew = launchOf({ ...linkLaunch, grading: { ...learnerLaunch.grading, lineItem } });
    await services.completions.complete(anew, opened);
    expect(await scoreOf(opened)).toMatchObject({ lineItem, earnedAt: new Date('2026-03-01T10:00:01Z') });
  });
});
