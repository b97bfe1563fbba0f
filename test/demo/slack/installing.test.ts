import { afterEach, beforeEach, expect, test } from 'vitest';
import { credentials, type RunningBolt, startBolt } from './start-bolt.ts';

let bolt: RunningBolt;
beforeEach(async () => {
  bolt = await startBolt();
});
afterEach(async () => {
  await bolt.close();
  expect(bolt.slack.problems).toEqual([]);
});

const redirectUri = () => bolt.slack.core.app().redirectUrl;

function linkWith(changes: Record<string, string> = {}): string {
  const parameters = {
    client_id: credentials.clientId,
    scope: 'commands,chat:write',
    redirect_uri: redirectUri(),
    state: 'of-the-app',
    ...changes,
  };
  return `${bolt.slack.authorizationUrl}?${new URLSearchParams(parameters)}`;
}

async function redeem(code: string, changes: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const response = await fetch(`${bolt.slack.apiUrl}oauth.v2.access`, {
    method: 'POST',
    body: new URLSearchParams({
      code,
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
      redirect_uri: redirectUri(),
      ...changes,
    }),
  });
  return (await response.json()) as Record<string, unknown>;
}

const codeOf = async (where?: 'north' | 'world') =>
  new URL(await bolt.slack.approve(linkWith(), where)).searchParams.get('code')!;

test('somebody who allows it goes back with state and a code, which gives a token once', async () => {
  const back = new URL(await bolt.slack.approve(linkWith(), 'north'));
  expect(back.origin + back.pathname).toBe(redirectUri());
  expect(back.searchParams.get('state')).toBe('of-the-app');
  const code = back.searchParams.get('code')!;
  const grant = await redeem(code);
  expect(grant).toMatchObject({
    ok: true,
    app_id: 'A1SKILLDOCK',
    authed_user: { id: 'U1OLGA' },
    scope: 'commands,chat:write',
    token_type: 'bot',
    team: { id: 'T1NORTH', name: 'North Campus' },
    enterprise: { id: 'E1WORLD' },
    is_enterprise_install: false,
  });
  expect(await bolt.call('auth.test', {}, String(grant.access_token))).toMatchObject({ ok: true });
  expect(await redeem(code)).toMatchObject({ ok: false, error: 'code_already_used' });
});

test('an organisation has no team', async () => {
  expect(await redeem(await codeOf('world'))).toMatchObject({
    team: null,
    enterprise: { id: 'E1WORLD' },
    is_enterprise_install: true,
  });
});

test('a code is for the app and the address that it was given for', async () => {
  expect(await redeem('other')).toMatchObject({ error: 'invalid_code' });
  expect(await redeem(await codeOf(), { client_id: 'other' })).toMatchObject({ error: 'invalid_client_id' });
  expect(await redeem(await codeOf(), { client_secret: 'x' })).toMatchObject({ error: 'bad_client_secret' });
  expect(await redeem(await codeOf(), { redirect_uri: 'https://x.example/' })).toMatchObject({
    error: 'bad_redirect_uri',
  });
});

test('somebody who does not allow it goes back with an error', async () => {
  const back = new URL(await bolt.slack.cancel(linkWith()));
  expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 'of-the-app' });
});

test.each([
  ['another app', { client_id: 'other' }, 'client_id'],
  ['an address that is not the app’s', { redirect_uri: 'https://x.example/' }, 'redirect_uri'],
  ['no scopes', { scope: '' }, 'scope is missing'],
  ['no state', { state: '' }, 'state is missing'],
])('Slack’s page refuses a link with %s', async (_name, changes, reason) => {
  await expect(bolt.slack.approve(linkWith(changes))).rejects.toThrow(reason);
});

test('the same workspace keeps its token when it installs again, and gets another one after it was removed', async () => {
  expect(bolt.slack.install('acme').token).toBe(bolt.token);
  const told: string[] = [];
  bolt.app.event('app_uninstalled', async ({ event }) => void told.push(event.type));
  bolt.app.event('tokens_revoked', async ({ event }) => void told.push(event.type));
  const acks = await bolt.slack.uninstall('acme', ['tokens_revoked', 'app_uninstalled']);
  expect(acks.map(({ ok }) => ok)).toEqual([true, true]);
  expect(told).toEqual(['tokens_revoked', 'app_uninstalled']);
  expect(await bolt.call('auth.test', {})).toMatchObject({ error: 'account_inactive' });
  expect(bolt.slack.install('acme').token).not.toBe(bolt.token);
});

test('an app that removes itself is told so', async () => {
  const told: object[] = [];
  bolt.app.event('app_uninstalled', async ({ body }) => void told.push(body));
  const { token } = bolt.slack.install('world');
  const given = { client_id: credentials.clientId, client_secret: credentials.clientSecret };
  expect(await bolt.call('apps.uninstall', given, token)).toEqual({ ok: true });
  await bolt.slack.core.settle();
  expect(told).toMatchObject([
    { team_id: 'E1WORLD', enterprise_id: 'E1WORLD', authorizations: [{ is_enterprise_install: true }] },
  ]);
});
