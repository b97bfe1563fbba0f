import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAudit } from '../read-audit.ts';
import { fieldOf, problemOf, textOf } from '../read-page.ts';
import { anyApp, anyWorkspace } from '../slack.ts';
import { type AdminOptions, type RunningAdmin, type SignedInBrowser, someone, startAdmin } from '../start-admin.ts';

const PATH = '/workspaces/app';

let admin: RunningAdmin;
let owner: SignedInBrowser;

async function start(options: AdminOptions = {}): Promise<void> {
  admin = await startAdmin({ publicUrl: 'https://skills.example.org', ...options });
  owner = await admin.signInAs('owner');
}

/** In place of the one that each test begins with. */
async function restart(options: AdminOptions): Promise<void> {
  await admin.close();
  await start(options);
}

beforeEach(() => start());
afterEach(() => admin.close());

const saved = () => admin.deps.slackCredentials.find();
const lastEntry = async () => (await readAudit(admin)).at(-1);

/** No page may have them. */
const expectNoSecrets = (page: string) => {
  for (const secret of [anyApp.clientSecret, anyApp.signingSecret]) expect(page).not.toContain(secret);
};

describe('the secrets', () => {
  test('are saved by owners; of what is saved, the ends are shown', async () => {
    const answer = await owner.post(PATH, { ...anyApp });
    expect(answer.headers.get('location')).toBe(`/admin${PATH}?notice=slack-app-saved`);
    const page = await owner.follow(answer);
    expect(textOf(page)).toContain('saved, ends in …c1c1, since Mar 1, 2026');
    expect(textOf(page)).toContain('saved, ends in …5959, since Mar 1, 2026');
    expect(fieldOf(page, 'clientId')).toBe(anyApp.clientId);
    expect(fieldOf(page, 'clientSecret')).toBe('');
    expectNoSecrets(page);
    expect(await saved()).toEqual(anyApp);
    expect(await lastEntry()).toMatchObject({
      action: 'slack-app.saved',
      tenantId: null,
      target: anyApp.clientId,
      actor: { name: owner.name },
    });
    expectNoSecrets(JSON.stringify(await readAudit(admin)) + admin.log.join());
  });

  test('stay where a field is left empty', async () => {
    await admin.deps.slackCredentials.save(someone, anyApp);
    const { clientId } = anyApp;
    await owner.post(PATH, { clientId, clientSecret: '', signingSecret: 'another-signing-secret' });
    expect(await saved()).toEqual({ ...anyApp, signingSecret: 'another-signing-secret' });
  });

  test('that cannot be are refused, with what was typed but for the secrets', async () => {
    const answer = await owner.post(PATH, { ...anyApp, clientId: '12345', signingSecret: 'short' });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(problemOf(page, 'clientId')).toContain('This is not a client ID');
    expect(problemOf(page, 'signingSecret')).toContain('This is not a Slack secret');
    expect(problemOf(page, 'clientSecret')).toBeUndefined();
    expect(textOf(page)).toMatch(/Client ID: This is not a client ID.* Signing Secret: This is not a Slack secret/);
    expect(fieldOf(page, 'clientId')).toBe('12345');
    expect(fieldOf(page, 'clientSecret')).toBe('');
    expect(textOf(page)).toContain('Type it again: secrets are never sent back to the page.');
    expectNoSecrets(page);
    expect(await saved()).toBeNull();
  });

  test.each(['clientId', 'clientSecret', 'signingSecret'])(
    'in place of %s: a token is refused, and not shown',
    async (field) => {
      const token = 'xoxb-1111-2222-abcdefghijkl';
      const page = await (await owner.post(PATH, { ...anyApp, [field]: token })).text();
      expect(problemOf(page, field)).toContain(
        field === 'clientId' ? 'two numbers separated by a dot' : 'This is a token',
      );
      expect(page + JSON.stringify(await readAudit(admin)) + admin.log.join()).not.toContain(token);
      expect(await saved()).toBeNull();
    },
  );

  test('of another app are asked for, also in French', async () => {
    await admin.deps.slackCredentials.save(someone, anyApp);
    const french = await admin.signInAs('owner', null, { language: 'fr' });
    const answer = await french.post(PATH, { clientId: '1.2', clientSecret: '', signingSecret: '' });
    const page = await answer.text();
    expect(problemOf(page, 'clientSecret')).toContain('Copiez-le depuis');
    expect(textOf(page)).toContain('Secret client (Client Secret) : Copiez-le');
    expect(problemOf(page, 'signingSecret')).toBeDefined();
    expect(await saved()).toEqual(anyApp);
  });

  test('are for owners alone', async () => {
    const [manager, viewer] = [await admin.signInAs('manager'), await admin.signInAs('viewer')];
    await admin.deps.slackCredentials.save(someone, anyApp);
    for (const browser of [manager, viewer]) {
      const page = await browser.page(PATH);
      expect(textOf(page)).toContain('Only owners can change this.');
      expect(textOf(page)).toContain(anyApp.clientId);
      expect(page).not.toContain('name="clientSecret"');
      expect((await browser.post(PATH, { ...anyApp, clientId: '1.2' })).status).toBe(403);
      expect((await browser.get(`${PATH}/remove`)).status).toBe(403);
      expect((await browser.post(`${PATH}/remove`)).status).toBe(403);
    }
    expect((await owner.post(PATH, { ...anyApp, clientId: '1.2' }, { csrf: null })).status).toBe(403);
    expect((await owner.post(`${PATH}/remove`, {}, { csrf: null })).status).toBe(403);
    expect(await saved()).toEqual(anyApp);
  });

  test('of the environment are shown, but not changed', async () => {
    await restart({ slackApp: anyApp });
    const page = await owner.page(PATH);
    expect(textOf(page)).toContain('which takes precedence over secrets saved here');
    expect(textOf(page)).toContain(anyApp.clientId);
    expect(page).not.toContain('name="clientSecret"');
    expectNoSecrets(page);
    const answer = await owner.post(PATH, { ...anyApp, clientId: '1.2' });
    expect(answer.status).toBe(422);
    expect(textOf(await answer.text())).toContain('The environment of this server defines the Slack app');
    expect((await owner.get(`${PATH}/remove`)).headers.get('location')).toBe(`/admin${PATH}`);
    expect((await owner.post(`${PATH}/remove`)).status).toBe(409);
    expect(await saved()).toEqual(anyApp);
  });

  test('that cannot be read are entered again', async () => {
    await admin.deps.slackCredentials.save(someone, anyApp);
    const record = await admin.store.secrets.findSecret('default', 'slack-app');
    const sealed = `${record!.sealed.slice(0, -6)}AAAAAA`;
    await admin.store.secrets.putSecret({ ...record!, sealed, updatedAt: new Date() });
    expect(textOf(await owner.page(PATH))).toContain('cannot be read');
    expect(await owner.page('')).toContain('data-concern="slack-app-unreadable"');
    await owner.follow(await owner.post(PATH, { ...anyApp }));
    expect(await saved()).toEqual(anyApp);
  });
});

describe('removing the app', () => {
  test('says who is not answered then, and can be undone', async () => {
    await admin.deps.slackCredentials.save(someone, anyApp);
    await admin.deps.slackInstallations.install(anyWorkspace, 'default');
    expect(textOf(await owner.page(`${PATH}/remove`))).toContain('One workspace is still connected.');
    const page = await owner.follow(await owner.post(`${PATH}/remove`));
    expect(textOf(page)).toContain('Slack app removed from this server.');
    expect(await saved()).toBeNull();
    expect(await lastEntry()).toMatchObject({ action: 'slack-app.removed', target: anyApp.clientId });
    expect(await owner.page('')).toContain('data-concern="slack-app-missing"');
  });

  test('that is not there leads back', async () => {
    expect((await owner.get(`${PATH}/remove`)).headers.get('location')).toBe(`/admin${PATH}`);
  });
});
