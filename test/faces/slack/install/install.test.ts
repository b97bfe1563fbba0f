import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../../../src/domain/admin.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { AppError } from '../../../../src/errors.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { tester } from '../../../helpers/open-services.ts';
import { type RunningSlack, type SlackOptions, startSlack } from '../start-slack.ts';
import { type Browser, createBrowser, locationOf } from './browser.ts';

let running: RunningSlack;
let browser: Browser;
beforeEach(() => {
  browser = createBrowser();
});
afterEach(async () => {
  expect(running.slack.problems).toEqual([]);
  await running.close();
});

const start = async (options: SlackOptions = {}) => {
  running = await startSlack({ isInstalled: false, listeners: [], ...options });
};

const begin = async (token?: string) =>
  browser.get(`${running.url}/slack/install${token === undefined ? '' : `?token=${token}`}`);

/** The whole way. @returns the last page */
async function install({ token, where }: { token?: string; where?: 'acme' | 'north' | 'world' } = {}) {
  return browser.get(await running.slack.approve(locationOf(await begin(token)), where));
}

const find = (teamId: string | null, enterpriseId: string | null = null) =>
  running.services.slackInstallations.findInstalled({
    teamId,
    enterpriseId,
    isEnterpriseInstall: teamId === null,
  });

const createTenant = async (name: string) => (await running.services.tenants.createTenant(tester, name)).id;
const createLink = async (tenantId: string) =>
  (await running.services.slackInstallLinks.create(systemActor, tenantId)).token;

describe('an installation', () => {
  test('leads to Slack with the scopes and the address to return to', async () => {
    await start();
    const response = await begin();
    expect(response.status).toBe(303);
    const to = new URL(locationOf(response));
    expect(to.origin + to.pathname).toBe(running.slack.authorizationUrl);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      scope: 'commands,chat:write,users:read',
      client_id: '111.222',
      redirect_uri: `${running.url}/slack/oauth_redirect`,
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toContain('HttpOnly; SameSite=Lax');
    expect(cookie).not.toContain('Secure');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('binds its state to the browser by a cookie, secure under https', async () => {
    await start({ deps: () => ({ publicUrl: 'https://skills.example.org' }) });
    expect((await begin()).headers.getSetCookie()[0]).toContain('; Secure');
  });

  test('ends with a page that says what to type, and with the workspace in the default tenant', async () => {
    await start();
    const response = await install();
    expect(response.status).toBe(200);
    const page = await response.text();
    const { id, name } = running.slack.teams.acme;
    expect(page).toContain(`Skilldock is installed in ${name}`);
    expect(page).toContain('/learn docker');
    expect(page).toContain(`slack://app?team=${id}&amp;id=A1SKILLDOCK`);
    expect(page).toContain(`https://slack.com/app_redirect?app=A1SKILLDOCK&amp;team=${id}`);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    const installed = await find(id);
    expect(installed?.installation).toMatchObject({
      id,
      tenantId: DEFAULT_TENANT,
      kind: 'workspace',
      name,
      appId: 'A1SKILLDOCK',
      installedBy: 'U1ADA',
      scopes: ['commands', 'chat:write', 'users:read'],
    });
    expect(installed?.botToken).toMatch(/^xoxb-/);
  });

  test('speaks the language of the browser', async () => {
    browser = createBrowser({ language: 'fr-CA,en;q=0.5' });
    await start();
    const page = await (await install()).text();
    expect(page).toContain('<html lang="fr">');
    expect(page).toContain('Pour commencer');
  });

  test('for an organisation says how to choose its workspaces', async () => {
    await start();
    const page = await (await install({ where: 'world' })).text();
    const { id, name } = running.slack.enterprise;
    expect(page).toContain(`Skilldock is installed in ${name}`);
    expect(page).toContain('Choose workspaces');
    expect((await find(null, id))?.installation).toMatchObject({ id, kind: 'organisation' });
  });

  test('renews an existing installation', async () => {
    await start();
    await install();
    expect((await install()).status).toBe(200);
    expect((await find(running.slack.teams.acme.id))?.installation.tenantId).toBe(DEFAULT_TENANT);
  });
});

describe('a link', () => {
  test('puts the workspace into its tenant, once', async () => {
    await start();
    const tenantId = await createTenant('Lycée');
    const token = await createLink(tenantId);
    expect((await install({ token })).status).toBe(200);
    expect((await find(running.slack.teams.acme.id))?.installation.tenantId).toBe(tenantId);
    const again = await begin(token);
    expect(again.status).toBe(404);
    expect(await again.text()).toContain('This link has expired');
  });

  test('that does not exist is refused', async () => {
    await start();
    const response = await begin('x'.repeat(43));
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('Install again');
  });

  test('is not used up by a cancelled installation', async () => {
    await start();
    const token = await createLink(await createTenant('Lycée'));
    const page = await browser.get(await running.slack.cancel(locationOf(await begin(token))));
    expect(page.status).toBe(400);
    const text = await page.text();
    expect(text).toContain('Nothing was installed');
    expect(text).toContain(`href="/slack/install?token=${token}"`);
    expect((await install({ token })).status).toBe(200);
  });

  test('does not take a workspace away from another institution', async () => {
    await start();
    await install();
    const token = await createLink(await createTenant('Lycée'));
    const response = await install({ token });
    expect(response.status).toBe(409);
    const text = await response.text();
    expect(text).toContain('This workspace is already connected');
    expect(text).not.toContain('Install again');
    expect((await find(running.slack.teams.acme.id))?.installation.tenantId).toBe(DEFAULT_TENANT);
    // It is as good as before for another workspace.
    expect((await install({ token, where: 'north' })).status).toBe(200);
  });
});

describe('what is refused', () => {
  const nothingInstalled = async () => expect(await find(running.slack.teams.acme.id)).toBeNull();

  test('a page that is loaded again', async () => {
    await start();
    const back = await running.slack.approve(locationOf(await begin()));
    const state = new URL(back).searchParams.get('state')!;
    await browser.get(back);
    const again = await fetch(back, { headers: { Cookie: `slack-app-oauth-state=${state}` } });
    expect(again.status).toBe(400);
    expect(await again.text()).toContain('This installation has expired');
  });

  test('another browser than the one that began', async () => {
    await start();
    const token = await createLink(await createTenant('Lycée'));
    const back = await running.slack.approve(locationOf(await begin(token)));
    const response = await createBrowser().get(back);
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain('This installation has expired');
    expect(text).not.toContain(token);
    await nothingInstalled();
  });

  test('more than ten minutes', async () => {
    const clock = createStandingClock(new Date().toISOString());
    await start({ clock });
    const back = await running.slack.approve(locationOf(await begin()));
    clock.advance(601_000);
    const response = await browser.get(back);
    expect(await response.text()).toContain('This installation has expired');
    await nothingInstalled();
  });

  test('a page without a code, and without anything', async () => {
    await start();
    await begin();
    for (const query of ['', '?state=x', '?code=x'])
      expect((await browser.get(`${running.url}/slack/oauth_redirect${query}`)).status).toBe(400);
    await nothingInstalled();
  });

  test('a wrong state, which leaves the installation that was begun as it is', async () => {
    await start();
    const token = await createLink(await createTenant('Lycée'));
    const back = await running.slack.approve(locationOf(await begin(token)));
    for (const query of ['', '?code=x', '?state=x', '?code=x&state=x', '?error=access_denied&state=x']) {
      const response = await browser.get(`${running.url}/slack/oauth_redirect${query}`);
      expect(response.status).toBe(400);
      expect(await response.text()).not.toContain(token);
    }
    await nothingInstalled();
    expect((await browser.get(back)).status).toBe(200);
    expect(await find(running.slack.teams.acme.id)).not.toBeNull();
  });

  test('stores nothing if the store fails; the link can be used again', async () => {
    let isBroken = true;
    await start({
      deps: ({ slackInstallations }) => ({
        slackInstallations: {
          ...slackInstallations,
          install: (...given) =>
            isBroken
              ? Promise.reject(new AppError('STORE_UNAVAILABLE', 'disk of the host'))
              : slackInstallations.install(...given),
        },
      }),
    });
    const token = await createLink(await createTenant('Lycée'));
    const response = await install({ token });
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(text).toContain('could not save the installation');
    expect(text).not.toContain('disk of the host');
    expect(text).toContain(`href="/slack/install?token=${token}"`);
    const [, reference] = /<code>([\w-]+)<\/code>/.exec(text)!;
    expect(running.log.join()).toContain(reference);
    await nothingInstalled();
    isBroken = false;
    expect((await install({ token })).status).toBe(200);
  });

  test('everything while Slack is off, with a page that says how to turn it on', async () => {
    await start({ deps: () => ({ findConnection: async () => null }) });
    const response = await begin();
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('Slack is not set up here');
  });

  test('more than 60 a minute from one address', async () => {
    await start();
    const statuses = [];
    for (let at = 0; at < 62; at++) statuses.push((await begin()).status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
    // Behind a proxy that is not trusted all have one address.
    const token = await createLink(await createTenant('Lycée'));
    expect((await begin(token)).status).toBe(303);
    expect((await begin()).status).toBe(429);
  });

  test('more than 60 a minute with one link', async () => {
    await start();
    const token = await createLink(await createTenant('Lycée'));
    for (let at = 0; at < 60; at++) expect((await begin(token)).status).toBe(303);
    expect((await begin(token)).status).toBe(429);
  });
});

test('stores neither states nor links in clear', async () => {
  const kept: unknown[] = [];
  await start({
    deps: ({ nonces, rateCounters }) => ({
      nonces: {
        ...nonces,
        addNonce(...given) {
          kept.push(given);
          return nonces.addNonce(...given);
        },
      },
      rateCounters: {
        ...rateCounters,
        addRatePoints(...given) {
          kept.push(given);
          return rateCounters.addRatePoints(...given);
        },
      },
    }),
  });
  const token = await createLink(await createTenant('Lycée'));
  const state = new URL(locationOf(await begin(token))).searchParams.get('state')!;
  expect(kept).toHaveLength(2);
  for (const secret of [token, state]) expect(JSON.stringify(kept)).not.toContain(secret);
});

test('logs neither codes nor states nor links', async () => {
  await start();
  const token = await createLink(await createTenant('Lycée'));
  const back = await running.slack.approve(locationOf(await begin(token)));
  await browser.get(back);
  const { searchParams } = new URL(back);
  const log = running.log.join();
  for (const secret of [token, searchParams.get('code')!, searchParams.get('state')!])
    expect(log).not.toContain(secret);
});
