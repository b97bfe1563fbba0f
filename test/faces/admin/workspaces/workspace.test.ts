import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noPreferences } from '../../../../src/domain/person.ts';
import { toSlackPerson } from '../../../../src/domain/slack.ts';
import { AppError } from '../../../../src/errors.ts';
import type { SlackInstallationRecord } from '../../../../src/ports/store/store.ts';
import { readAudit } from '../read-audit.ts';
import { rowsOf, textOf } from '../read-page.ts';
import { anyApp, anyWorkspace } from '../slack.ts';
import { type RunningAdmin, type SignedInBrowser, someone, startAdmin } from '../start-admin.ts';

let admin: RunningAdmin;
let manager: SignedInBrowser;
let workspace: SlackInstallationRecord;
/** Tokens whose app Slack was asked to remove, and what it does then. */
let uninstalled: string[];
let refuse: () => void;
const path = `/tenants/lyon/workspaces/${anyWorkspace.id}`;

beforeEach(async () => {
  uninstalled = [];
  refuse = () => undefined;
  const slackWorkspaces = {
    async uninstall(token: string) {
      refuse();
      uninstalled.push(token);
    },
  };
  admin = await startAdmin({ deps: { slackWorkspaces } });
  await admin.addTenant('Lyon');
  await admin.addTenant('Paris');
  manager = await admin.signInAs('manager', ['lyon']);
  await admin.deps.slackCredentials.save(someone, anyApp);
  workspace = await admin.deps.slackInstallations.install(anyWorkspace, 'lyon');
});
afterEach(() => admin.close());

const connected = async () => {
  const all = { scope: null, search: '', page: 0, pageSize: 100 } as const;
  return (await admin.deps.slackInstallations.listInstallations(all)).items;
};

const actions = [
  ['get', ''],
  ['get', '/disconnect'],
  ['post', '/disconnect'],
] as const;

test('no action reaches a workspace of another tenant', async () => {
  const foreign = await admin.signInAs('manager', ['paris']);
  const both = await admin.signInAs('manager', ['lyon', 'paris']);
  const inTheirs = `/tenants/paris/workspaces/${workspace.id}`;
  for (const [method, action] of actions) {
    const answers = await Promise.all([
      foreign[method](path + action),
      foreign[method](inTheirs + action),
      // Nor whoever has both, by the wrong one.
      both[method](inTheirs + action),
    ]);
    expect([action, ...answers.map(({ status }) => status)]).toEqual([action, 404, 404, 404]);
  }
  expect(await connected()).toEqual([workspace]);
});

test('every action but looking is for managers, by forms of ours', async () => {
  const viewer = await admin.signInAs('viewer', ['lyon']);
  for (const [method, action] of actions) {
    const isLooking = method === 'get' && action === '';
    expect([action, (await viewer[method](path + action)).status]).toEqual([action, isLooking ? 200 : 403]);
  }
  expect((await manager.post(`${path}/disconnect`, {}, { csrf: null })).status).toBe(403);
  expect(await connected()).toEqual([workspace]);
});

describe('the page', () => {
  test('has all that is known, and no way to change it for viewers', async () => {
    const viewer = await admin.signInAs('viewer', ['lyon']);
    const page = await viewer.page(path);
    const text = textOf(page);
    for (const known of ['Faculty of Lyon', 'T0001', 'Workspace', 'U0042', 'A0001', 'Mar 1, 2026, 10:00 AM'])
      expect(text).toContain(known);
    expect(text).toContain('commands, chat:write, users:read');
    expect(text).not.toContain('The app lacks these permissions:');
    expect(page).not.toContain('/disconnect');
    expect(page).not.toContain(anyWorkspace.botToken);
  });

  test('leads to the audit trail of it', async () => {
    const href = /href="\/admin(\/audit\?[^"]*)"/.exec(await manager.page(path))![1]!.replaceAll('&amp;', '&');
    const rows = rowsOf(await manager.page(href));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain('Slack workspace connected');
  });

  test('says what an installation of long ago may not do', async () => {
    await admin.deps.slackInstallations.install({ ...anyWorkspace, scopes: ['commands'] }, 'lyon');
    expect(textOf(await manager.page(path))).toContain('The app lacks these permissions: chat:write, users:read.');
  });

  test('says why nobody is answered where the tenant is disabled', async () => {
    await admin.deps.tenants.disableTenant(someone, 'lyon');
    expect(textOf(await manager.page(path))).toContain(
      'Nobody in this workspace gets an answer until an owner enables it.',
    );
  });
});

describe('disconnecting', () => {
  const someoneThere = { tenantId: 'lyon', person: toSlackPerson(anyWorkspace.id, 'U1') };

  test('says first what goes', async () => {
    const text = textOf(await manager.page(`${path}/disconnect`));
    expect(text).toContain('Disconnect Faculty of Lyon?');
    expect(text).toContain('The data of its people is deleted');
    expect(await connected()).toEqual([workspace]);
  });

  test('removes it with its token and its people, and the app at Slack', async () => {
    const person = {
      ...someoneThere,
      shelfPerson: someoneThere.person,
      recentSearches: [],
      savedSearches: [],
      version: 1,
    };
    await admin.store.people.savePerson({ ...person, preferences: { ...noPreferences, lang: 'fr' } });
    const answer = await manager.post(`${path}/disconnect`);
    expect(answer.headers.get('location')).toBe('/admin/workspaces?tenant=lyon&notice=workspace-disconnected');
    expect(textOf(await manager.follow(answer))).toContain('The app has been removed from it in Slack');
    expect(await connected()).toEqual([]);
    expect(uninstalled).toEqual([anyWorkspace.botToken]);
    expect(await admin.store.people.findPerson(someoneThere)).toBeNull();
    expect((await readAudit(admin)).at(-1)).toMatchObject({
      action: 'workspace.disconnected',
      tenantId: 'lyon',
      target: 'Faculty of Lyon',
      actor: { name: manager.name },
    });
    expect(admin.log.join()).not.toContain(anyWorkspace.botToken);
  });

  test('where Slack cannot be reached goes on here, and says what to do there', async () => {
    refuse = () => {
      throw new AppError('SLACK_FAILED', 'Slack did not answer.');
    };
    const page = textOf(await manager.follow(await manager.post(`${path}/disconnect`)));
    expect(page).toContain('disconnected here');
    expect(page).toContain('must remove it in Slack under “Manage apps”');
    expect(await connected()).toEqual([]);
    expect(admin.log.join()).toContain('SLACK_FAILED');
  });

  test('where the token cannot be read does not ask Slack', async () => {
    const name = `slack-bot-token:${workspace.id}:${workspace.installedAt.getTime()}`;
    const saved = await admin.store.secrets.findSecret('lyon', name);
    const sealed = `${saved!.sealed.slice(0, -6)}AAAAAA`;
    await admin.store.secrets.putSecret({ ...saved!, sealed, updatedAt: new Date() });
    expect(textOf(await manager.follow(await manager.post(`${path}/disconnect`)))).toContain(
      'Slack could not be reached',
    );
    expect(uninstalled).toEqual([]);
    expect(await connected()).toEqual([]);
  });

  test('twice says that it is gone', async () => {
    await manager.post(`${path}/disconnect`);
    const answer = await manager.post(`${path}/disconnect`);
    expect(answer.status).toBe(404);
    expect(textOf(await answer.text())).toContain('This workspace does not exist, or belongs to another tenant.');
  });
});
