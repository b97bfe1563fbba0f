import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { AppError } from '../../../../src/errors.ts';
import type { SlackConnection } from '../../../../src/faces/slack/deps.ts';
import { eraseAfterRemoval } from '../../../../src/faces/slack/install/removal.ts';
import { createSlackWorkspaces } from '../../../../src/faces/slack/slack-api/slack-api.ts';
import { createStandingClock, type StandingClock } from '../../../fakes/clock.ts';
import { anyInstallation, type RunningSigned, startSigned, TEAM } from '../app/start-signed.ts';
import { type RunningSlack, startSlack, toInstallation } from '../start-slack.ts';

let running: RunningSlack;
let clock: StandingClock;
beforeEach(async () => {
  clock = createStandingClock(new Date().toISOString());
  running = await startSlack({ clock, listeners: [] });
  clock.advance(60_000);
});
afterEach(() => running.close());

const find = () => running.services.store.slackInstallations.findInstallation(running.slack.teams.acme.id);
const expectErased = () => expect.poll(find).toBeNull();

/** An organisation is installed, uninstalled, and erased by its own id. */
async function eraseOrganisation(): Promise<void> {
  const grant = running.slack.install('world');
  await running.deps.slackInstallations.install(toInstallation(grant), DEFAULT_TENANT);
  clock.advance(60_000);
  const { id } = running.slack.enterprise;
  const findOrganisation = () => running.services.store.slackInstallations.findInstallation(id);
  expect(await findOrganisation()).not.toBeNull();
  await running.slack.uninstall('world');
  await expect.poll(findOrganisation).toBeNull();
}

test.each([
  [['app_uninstalled', 'tokens_revoked']],
  [['tokens_revoked', 'app_uninstalled']],
  [['tokens_revoked']],
  [['app_uninstalled', 'app_uninstalled']],
] as const)(
  'what tells of a removal erases the workspace, in any order and as often as it comes: %s',
  async (events) => {
    const acks = await running.slack.uninstall('acme', events as never);
    expect(acks.every(({ ok }) => ok)).toBe(true);
    await expectErased();
    expect(running.services.problems).toEqual([]);
  },
);

test('keeps an installation that is newer than the removal', async () => {
  const [ack] = await running.slack.uninstall('acme', ['app_uninstalled']);
  await expectErased();
  clock.advance(2_000);
  await running.deps.slackInstallations.install(toInstallation(running.slack.install('acme')), DEFAULT_TENANT);
  expect((await running.slack.retries(ack!.delivery)).ok).toBe(true);
  await eraseOrganisation();
  expect(await find()).not.toBeNull();
});

test('erases an organisation by its id', async () => {
  await eraseOrganisation();
  expect(await find()).not.toBeNull();
});

test('removes the app from a workspace at Slack', async () => {
  const installed = await running.deps.slackInstallations.findInstalled({
    teamId: running.slack.teams.acme.id,
    enterpriseId: null,
    isEnterpriseInstall: false,
  });
  const workspaces = createSlackWorkspaces(running.deps);
  await workspaces.uninstall(installed!.botToken);
  expect(running.slack.calls.map(({ method }) => method)).toContain('apps.uninstall');
  await expect(workspaces.uninstall('xoxb-unknown')).rejects.toMatchObject({ code: 'SLACK_NOT_INSTALLED' });
});

test('erases on a revoked token of the app, not of a person', async () => {
  const signed = await startSigned({ listeners: [], answer: tokenRevoked });
  const has = async () => (await signed.services.store.slackInstallations.findInstallation(TEAM)) !== null;
  const later = { event_time: Math.floor(Date.now() / 1_000) + 5 };
  await signed.event({ type: 'tokens_revoked', tokens: { oauth: ['UADA'], bot: [] } }, later);
  await signed.event({ type: 'tokens_revoked', tokens: {} }, later);
  expect(await has()).toBe(true);
  await signed.event({ type: 'tokens_revoked', tokens: { bot: ['UBOT'] } }, later);
  await expect.poll(has).toBe(false);
  await signed.close();
});

describe('a removal', () => {
  let signed: RunningSigned;
  afterEach(() => signed.close());

  const has = async () => (await signed.services.store.slackInstallations.findInstallation(TEAM)) !== null;
  const uninstalled = () =>
    signed.event({ type: 'app_uninstalled' }, { event_time: Math.floor(Date.now() / 1_000) + 5 });

  /** The app of the host, changed in part. */
  const startWith = async (change: (real: SlackConnection) => Partial<SlackConnection>) => {
    signed = await startSigned({
      listeners: [],
      answer: tokenRevoked,
      deps: (real) => ({
        listConnections: async () => (await real.listConnections()).map((each) => ({ ...each, ...change(each) })),
      }),
    });
  };

  test('is tried again until it succeeds', async () => {
    let failing = 2;
    await startWith(({ erase }) => ({
      erase: (...given) => (failing-- > 0 ? Promise.reject(storeLost()) : erase(...given)),
    }));
    expect((await uninstalled()).status).toBe(200);
    await expect.poll(has).toBe(false);
    expect(signed.services.problems).toMatchObject([storeLost(), storeLost()]);
  });

  test('is tried once more when the host stops', async () => {
    let isLost = true;
    let tries = 0;
    await startWith(() => ({
      erase: async () => {
        tries++;
        if (isLost) throw storeLost();
        return true;
      },
    }));
    await uninstalled();
    await expect.poll(() => tries).toBe(2);
    isLost = false;
    await signed.close();
    expect(tries).toBe(3);
  });

  test('of another app of the host erases nothing', async () => {
    const erased: string[] = [];
    await startWith(() => ({ erase: async (id) => erased.push(id) > 0 }));
    await uninstalled();
    await expect.poll(() => erased).toEqual([TEAM]);
    expect(await has()).toBe(true);
  });
});

test('asks Slack if the clocks do not tell which came first', async () => {
  let isRevoked = false;
  const answer = () => (isRevoked ? tokenRevoked() : undefined);
  const signed = await startSigned({ listeners: [], answer });
  const find = () => signed.services.store.slackInstallations.findInstallation(TEAM);
  const uninstalled = async (second: number) => {
    await signed.event({ type: 'app_uninstalled' }, { event_time: Math.floor(Date.now() / 1_000) + second });
    return signed.callsOf('auth.test', second > 0 ? 1 : 2);
  };
  await uninstalled(60);
  expect(await find()).not.toBeNull();
  isRevoked = true;
  await uninstalled(-60);
  await expect.poll(find).toBeNull();
  await signed.close();
});

test('keeps the data if Slack refuses the token for another reason, and asks again', async () => {
  const signed = await startSigned({
    listeners: [],
    answer: () => ({ body: { ok: false, error: 'invalid_auth' } }),
  });
  await signed.event({ type: 'app_uninstalled' }, { event_time: Math.floor(Date.now() / 1_000) - 60 });
  await signed.callsOf('auth.test', 2);
  expect(await signed.services.store.slackInstallations.findInstallation(TEAM)).not.toBeNull();
  await signed.close();
});

const tokenRevoked = () => ({ body: { ok: false, error: 'token_revoked' } });
const storeLost = () => new AppError('STORE_UNAVAILABLE', 'Lost.');

describe('the daily check of workspaces', () => {
  const { signal } = new AbortController();

  test.each([
    ['account_inactive', null],
    ['token_revoked', null],
    ['invalid_auth', TEAM],
    ['ratelimited', TEAM],
    [null, TEAM],
  ])('after Slack answers %s, leaves %s', async (error, left) => {
    const answer = () => ({ body: error === null ? { ok: true } : { ok: false, error } });
    const signed = await startSigned({ listeners: [], answer });
    await eraseAfterRemoval(signed.deps, signal);
    expect(signed.calls).toMatchObject([{ method: 'auth.test', token: 'xoxb-of-acme' }]);
    const found = await signed.services.store.slackInstallations.findInstallation(TEAM);
    expect(found?.id ?? null).toBe(left);
    await signed.close();
  });

  test('erases what interrupted removals have left', async () => {
    const signed = await startSigned({ listeners: [] });
    const { secrets } = signed.services;
    const name = 'slack-bot-token:T0GONE:1' as const;
    const origin = 'https://slack.com';
    await secrets.putSecret(DEFAULT_TENANT, name, { plain: 'xoxb-gone', boundTo: origin });
    expect(await secrets.findSecret(DEFAULT_TENANT, name, origin)).not.toBeNull();
    await eraseAfterRemoval(signed.deps, signal);
    expect(await secrets.findSecret(DEFAULT_TENANT, name, origin)).toBeNull();
    await signed.close();
  });

  test('keeps an installation that was renewed while Slack was asked', async () => {
    let answer = () => {};
    const after = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const signed = await startSigned({
      listeners: [],
      answer: () => ({ after, body: { ok: false, error: 'token_revoked' } }),
    });
    const looking = eraseAfterRemoval(signed.deps, signal);
    await expect.poll(() => signed.calls).toHaveLength(1);
    await signed.deps.slackInstallations.install({ ...anyInstallation, botToken: 'xoxb-new' }, DEFAULT_TENANT);
    answer();
    await looking;
    expect(await signed.services.store.slackInstallations.findInstallation(TEAM)).not.toBeNull();
    await signed.close();
  });
});
