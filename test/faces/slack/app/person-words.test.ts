import { afterEach, expect, test, vi } from 'vitest';
import { createPersonWords } from '../../../../src/faces/slack/app/person-words.ts';
import { type CallSlack, createSlackRefusalError } from '../../../../src/faces/slack/slack-api/slack-api.ts';
import { createFakePictures } from '../../../fakes/pictures.ts';

afterEach(() => {
  vi.useRealTimers();
});

const refusing =
  (said: string): CallSlack =>
  async () => {
    throw createSlackRefusalError(said);
  };

test('answers people whom Slack does not know in English, without a report', async () => {
  const problems: unknown[] = [];
  const { findLocale } = createPersonWords({
    pictures: createFakePictures(),
    onProblem: (error) => problems.push(error),
  });
  expect(await findLocale('slack:T1:U1', 'U1', refusing('user_not_found'))).toBe('en');
  expect(problems).toEqual([]);
});

test('reports a failing Slack once a minute', async () => {
  vi.useFakeTimers();
  const problems: unknown[] = [];
  const { findLocale } = createPersonWords({
    pictures: createFakePictures(),
    onProblem: (error) => problems.push(error),
  });
  const askAs = (userId: string) => findLocale(`slack:T1:${userId}`, userId, refusing('fatal_error'));
  expect([await askAs('U1'), await askAs('U2')]).toEqual(['en', 'en']);
  expect(problems).toMatchObject([{ code: 'SLACK_FAILED', data: { slackError: 'fatal_error' } }]);
  vi.advanceTimersByTime(60_001);
  await askAs('U3');
  expect(problems).toHaveLength(2);
});
