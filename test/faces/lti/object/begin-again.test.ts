import { afterEach, beforeEach, expect, test } from 'vitest';
import { RESULT_SCOPE, SCORE_SCOPE } from '../../../../src/domain/lti/launch.ts';
import type { LtiPlatforms } from '../../../../src/ports/lti-platforms.ts';
import { type OpenedObject, openObject, textOf } from './open-object.ts';

let opened: OpenedObject;
const lineItem = 'https://lms.example.org/items/1?type=x';
const grading = { scopes: [SCORE_SCOPE, RESULT_SCOPE], lineItem, lineItems: null };
let asked: unknown[];
let answer: () => Promise<boolean>;

beforeEach(async () => {
  asked = [];
  answer = async () => true;
  opened = await openObject();
  const isResultGone: LtiPlatforms['isResultGone'] = (_, result) => {
    asked.push(result);
    return answer();
  };
  Object.assign(opened.deps.platforms, { isResultGone });
});
afterEach(() => opened.close());

/** What a learner sees who opens the link a minute after the platform took the score. */
async function openLater(sentMs = 60_000, overrides: object = { grading }): Promise<string> {
  const { scores } = opened.services.store;
  const token = await opened.launch({ grading });
  await opened.send('/object/done', token);
  const launch = await opened.deps.launches.getLaunch(token, 'resource-link');
  const score = (await opened.services.completions.findScore(launch, await opened.find()))!;
  const outcome = { state: 'delivered', failures: 0, lastError: null, earnedAt: score.earnedAt } as const;
  await scores.settleScore(score.id, score.attempts, { ...outcome, dueAt: new Date(Date.now() - sentMs) });
  return textOf(await opened.page('/object', await opened.launch(overrides)));
}

test('a score that the gradebook has no more lets the learner begin again', async () => {
  expect(await openLater()).toContain('Mark as done (10 points)');
  expect(asked).toEqual([{ lineItem, userId: expect.any(String) }]);
  // The next score is a new one, which is not asked for yet.
  const token = await opened.launch({ grading });
  await opened.send('/object/done', token);
  await opened.send('/object/done/release', token);
  expect(textOf(await opened.page('/object', token))).toContain('Sending your grade');
  expect(asked).toHaveLength(1);
});

test.each<[string, number, object, (() => Promise<boolean>)?]>([
  ['has the result', 60_000, { grading }, async () => false],
  ['does not answer', 60_000, { grading }, () => Promise.reject(new Error('down'))],
  ['took the score just now', 1_000, { grading }],
  ['does not let us ask', 60_000, { grading: { ...grading, scopes: [SCORE_SCOPE] } }],
])('a score stays, with its date, where the platform %s', async (_, sentMs, overrides, answering) => {
  if (answering !== undefined) answer = answering;
  const text = await openLater(sentMs, overrides);
  expect(text).toMatch(/Your grade \(10 points\) was sent to the gradebook on \w{3} \d+, \d{4}/);
  expect(text).not.toContain('Mark as done');
});

test('a teacher lets one learner begin again, or all', async () => {
  const token = await opened.launch({ grading });
  await opened.send('/object/done', token);
  const teacher = await opened.teach();
  expect(await opened.part('/object/people', teacher)).toContain('Let everyone start again');
  const { items } = await opened.services.completions.list(await opened.find(), { page: 0, pageSize: 1 });
  const user = items[0]!.userId;
  const counts = async () => (await opened.services.completions.count(await opened.find())).completed;
  expect(await counts()).toBe(1);
  const response = await opened.send('/object/again', teacher, { user });
  expect(response.headers.get('location')).toContain('said=again');
  expect(await counts()).toBe(0);
  expect(await opened.part('/object/people', teacher)).not.toContain('Let everyone start again');
  await opened.send('/object/done', token);
  expect(await counts()).toBe(1);
  await opened.send('/object/again', teacher);
  expect(await counts()).toBe(0);
  // Learners cannot.
  await opened.send('/object/done', token);
  expect((await opened.send('/object/again', token)).status).toBe(403);
  expect(await counts()).toBe(1);
});

test('refused scores show why, until they are dismissed, and are not sent again', async () => {
  const token = await opened.launch({ grading });
  await opened.send('/object/done', token);
  const { scores } = opened.services.store;
  const launch = await opened.deps.launches.getLaunch(token, 'resource-link');
  const find = async () => (await opened.services.completions.findScore(launch, await opened.find()))!;
  const { id, attempts, earnedAt } = await find();
  const lastError = 'lms.example.org refused with status 400: not enrolled';
  await scores.settleScore(id, attempts, {
    state: 'refused',
    failures: 1,
    dueAt: new Date(),
    earnedAt,
    lastError,
  });
  const teacher = await opened.teach();
  expect(textOf(await opened.page('/object', teacher))).toContain(lastError);
  await opened.send('/object/dismiss', teacher);
  expect(textOf(await opened.page('/object', teacher))).not.toContain('rejected');
  expect(textOf(await opened.page('/object', token))).toContain('The gradebook rejected your grade.');
  expect((await find()).state).toBe('dismissed');
});

test('somebody who teaches in the course reads that a try is not recorded', async () => {
  const teacher = await opened.deps.launches.getLaunch(await opened.teach(), 'resource-link');
  await opened.services.completions.noteTeacher(teacher);
  const trial = await opened.launch({ user: teacher.user, grading });
  expect(textOf(await opened.page('/object', trial))).toContain('You teach in this course');
  await opened.send('/object/done', trial);
  expect(await opened.services.completions.count(await opened.find())).toEqual({ opened: 0, completed: 0 });
});
