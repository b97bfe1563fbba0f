import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import type { SlackContext } from '../../../src/faces/slack/listener.ts';
import { shareOnce } from '../../../src/faces/slack/share.ts';
import type { SavedStates } from '../../../src/services/people/saved-states.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { type OpenedServices, openServices } from '../../helpers/open-services.ts';

const message = { text: 'Docker', blocks: [] };
const MINUTE_MS = 60_000;
const noAnswer = new AppError('SLACK_FAILED', 'Slack did not answer as it should.');

let services: OpenedServices<StandingClock>;
let posted: number;
/** The next posts fail with these. */
let failures: Error[];
beforeEach(async () => {
  services = await openServices();
  [posted, failures] = [0, []];
});
afterEach(() => services.close());

const context = {
  owner: { tenantId: 'default', person: 'slack:T1:U1' },
  channelId: 'C1',
  responseUrl: 'https://hooks.example.org/C1',
  slack: {
    async respond() {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      posted += 1;
    },
  },
} as unknown as SlackContext;

/** On a host whose store may do otherwise. */
const share = (otherwise: Partial<SavedStates> = {}) =>
  shareOnce(
    { ...context, savedStates: { ...services.savedStates, ...otherwise } },
    {
      contentId: 'docker',
      message,
      shareTo: null,
    },
  );

test('posts once a day, however often it is asked at once', async () => {
  const outcomes = await Promise.all([share(), share(), share()]);
  // While it is being posted nobody knows yet.
  expect(outcomes.toSorted()).toEqual(['done', 'unsure', 'unsure']);
  services.clock.advance(24 * 60 * MINUTE_MS - 1);
  expect(await share()).toBe('already');
  expect(posted).toBe(1);
});

test('does not post what was posted meanwhile', async () => {
  await share();
  let looks = 0;
  const isClaimed: SavedStates['isClaimed'] = async (owner, name) =>
    looks++ > 0 && services.savedStates.isClaimed(owner, name);
  expect(await share({ isClaimed })).toBe('already');
  expect(posted).toBe(1);
});

test('can be tried again at once after a refusal', async () => {
  failures.push(new AppError('SLACK_THROTTLED', 'later'));
  failures.push(new AppError('SLACK_FAILED', 'refused', { data: { slackError: 'fatal_error' } }));
  await expect(share()).rejects.toMatchObject({ code: 'SLACK_THROTTLED' });
  await expect(share()).rejects.toMatchObject({ code: 'SLACK_FAILED' });
  expect(await share()).toBe('done');
});

test('can be tried again after two minutes if Slack did not answer', async () => {
  failures.push(noAnswer);
  await expect(share()).rejects.toBe(noAnswer);
  expect(await share()).toBe('unsure');
  services.clock.advance(2 * MINUTE_MS);
  expect(await share()).toBe('done');
});

test('what a host that was ended has begun can be tried again after two minutes', async () => {
  failures.push(new AppError('SLACK_FAILED', 'refused', { data: { slackError: 'fatal_error' } }));
  const ended = share({ release: () => Promise.reject(new Error('ended')) });
  // The posting failed for this reason, not for that of the store.
  await expect(ended).rejects.toMatchObject({ code: 'SLACK_FAILED' });
  expect(await share()).toBe('unsure');
  services.clock.advance(2 * MINUTE_MS);
  expect(await share()).toBe('done');
});

test('what stands there is done, also where that cannot be remembered', async () => {
  const claim: SavedStates['claim'] = (owner, name, lifetimeMs) =>
    lifetimeMs === undefined ? Promise.reject(new Error('lost')) : services.savedStates.claim(owner, name, lifetimeMs);
  expect(await share({ claim })).toBe('done');
  expect(posted).toBe(1);
});
