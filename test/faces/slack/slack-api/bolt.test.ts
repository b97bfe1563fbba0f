import { expect, test } from 'vitest';
import type { SlackConnection } from '../../../../src/faces/slack/deps.ts';
import { rememberByConnection } from '../../../../src/faces/slack/slack-api/bolt.ts';
import { slackApp } from '../start-slack.ts';

const connection = { ...slackApp, apiUrl: 'https://slack.com/api/' } as SlackConnection;

test('makes a value again only after a failure or with other credentials', async () => {
  let made = 0;
  const appOf = rememberByConnection(async () => {
    if (++made === 1) throw new Error('no');
    return made;
  });
  await expect(appOf(connection)).rejects.toThrow('no');
  expect(await appOf(connection)).toBe(2);
  expect(await appOf(connection)).toBe(2);
  expect(await appOf({ ...connection, signingSecret: 'another' })).toBe(3);
});
