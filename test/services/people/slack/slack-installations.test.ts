import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toSlackPerson } from '../../../../src/domain/slack.ts';
import type { SlackInstallationRepository } from '../../../../src/ports/store/store.ts';
import type { SlackSource } from '../../../../src/services/people/slack/recent-installs.ts';
import {
  createSlackInstallations,
  type NewSlackInstallation,
} from '../../../../src/services/people/slack/slack-installations.ts';
import type { StandingClock } from '../../../fakes/clock.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { type OpenedServices, openServices, tester } from '../../../helpers/open-services.ts';
import { acme } from '../slack-samples.ts';

const source: SlackSource = { teamId: 'T1', enterpriseId: null, isEnterpriseInstall: false };

const unknown = { code: 'SLACK_WORKSPACE_UNKNOWN', kind: 'not_found' };

let services: OpenedServices<StandingClock>;

let lyon: string;

let time = 1;

beforeEach(async () => {
  services = await openServices();
  lyon = (await services.tenants.createTenant(tester, 'Lyon')).id;
});

afterEach(() => services.close());

/** Another host on the same store. */
const openHost = (more: Partial<SlackInstallationRepository> = {}) =>
  createSlackInstallations(
    {
      ...services,
      installations: { ...services.store.slackInstallations, ...more },
      tenants: services.store.tenants,
      apiOrigin: 'https://slack.com',
      onProblem: (error) => services.problems.push(error),
    },
    () => time,
  );

async function workspaceActions(): Promise<unknown[]> {
  const filter = { scope: null, action: null, search: '', period: { from: null, until: null } };
  const { items } = await services.audit.listEntries({ ...filter, ascending: true, page: 0, pageSize: 100 });
  return items.filter(({ action }) => action.startsWith('workspace.'));
}

async function tokensLeft(): Promise<string[]> {
  const secrets = await services.store.secrets.listSecrets(null, 100);
  return secrets.map(({ name }) => name).filter((name) => name.startsWith('slack-bot-token:'));
}

describe('installing', () => {
  test('keeps the workspace, its token and who did it, in the default tenant unless told otherwise', async () => {
    const { slackInstallations, clock } = services;
    const { botToken, ...plain } = acme;
    const installation = { ...plain, tenantId: 'default', installedAt: clock.now() };
    expect(await slackInstallations.install(acme, null)).toEqual(installation);
    expect(await slackInstallations.findInstalled(source)).toEqual({ installation, botToken });
    expect(await slackInstallations.install({ ...acme, id: 'T2' }, lyon)).toMatchObject({ tenantId: lyon });
    expect(await workspaceActions()).toMatchObject([
      {
        action: 'workspace.connected',
        tenantId: 'default',
        target: 'Acme',
        details: { id: 'T1', kind: 'workspace', installedBy: 'U1' },
      },
      { tenantId: lyon },
    ]);
    expect(JSON.stringify(await workspaceActions())).not.toContain('xoxb');
  });

  test('again renews it, in the tenant that it has, with one token', async () => {
    const host = openHost();
    await host.install(acme, lyon);
    expect(await host.findInstalled(source)).toMatchObject({ botToken: 'xoxb-1' });
    services.clock.advance(1_000);
    const renewed = await host.install({ ...acme, name: 'Acme & Co', botToken: 'xoxb-2' }, null);
    expect(renewed).toMatchObject({ tenantId: lyon, name: 'Acme & Co' });
    expect(await host.findInstalled(source)).toEqual({ installation: renewed, botToken: 'xoxb-2' });
    expect(await tokensLeft()).toHaveLength(1);
  });

  test('several times at once leaves one token, that of who came last', async () => {
    const { slackInstallations } = services.store;
    await openHost().install(acme, null);
    services.clock.advance(1_000);
    const overtaken = openHost({
      // Someone else installs it between the look and the change.
      async putInstallation(record) {
        services.clock.advance(1_000);
        await openHost().install({ ...acme, botToken: 'xoxb-2' }, null);
        return slackInstallations.putInstallation(record);
      },
    });
    await overtaken.install({ ...acme, botToken: 'xoxb-3' }, null);
    expect(await openHost().findInstalled(source)).toMatchObject({ botToken: 'xoxb-3' });
    expect(await tokensLeft()).toHaveLength(1);
  });

  test('does not take it from another tenant, not even in the same moment', async () => {
    const host = openHost();
    await host.install(acme, lyon);
    const taken = { code: 'SLACK_WORKSPACE_TAKEN', kind: 'conflict' };
    await expect(host.install({ ...acme, botToken: 'xoxb-2' }, 'default')).rejects.toMatchObject(taken);
    const late = openHost({ findInstallation: async () => null });
    await expect(late.install({ ...acme, botToken: 'xoxb-2' }, null)).rejects.toMatchObject(taken);
    expect(await host.findInstalled(source)).toMatchObject({ botToken: 'xoxb-1' });
    expect(await tokensLeft()).toHaveLength(1);
  });

  test('is for a tenant that is there and active', async () => {
    await expect(openHost().install(acme, 'none')).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
    await services.tenants.disableTenant(tester, lyon);
    await expect(openHost().install(acme, lyon)).rejects.toMatchObject({ code: 'TENANT_DISABLED' });
    expect(await tokensLeft()).toEqual([]);
  });
});

describe('a request', () => {
  const organisation: NewSlackInstallation = { ...acme, id: 'E1', kind: 'organisation', botToken: 'xoxb-e' };

  test('of a workspace is that of its organisation where it has none of its own', async () => {
    const host = openHost();
    await host.install(organisation, null);
    await host.install(acme, null);
    const idFor = async (from: Partial<SlackSource>) =>
      (await host.findInstalled({ ...source, ...from }))?.installation.id;
    expect(await idFor({ enterpriseId: 'E1' })).toBe('T1');
    expect(await idFor({ teamId: 'T7', enterpriseId: 'E1' })).toBe('E1');
    expect(await idFor({ enterpriseId: 'E1', isEnterpriseInstall: true })).toBe('E1');
    expect(await idFor({ teamId: 'T7' })).toBeUndefined();
    expect(await host.findInstalled({ teamId: null, enterpriseId: null, isEnterpriseInstall: true })).toBeNull();
  });

  test('finds nothing where the token is for another Slack or is gone, nor in a tenant that is being deleted', async () => {
    await openHost().install(acme, lyon);
    const deps = {
      ...services,
      installations: services.store.slackInstallations,
      tenants: services.store.tenants,
      onProblem: () => {},
    };
    const elsewhere = createSlackInstallations({ ...deps, apiOrigin: 'http://localhost:1' });
    expect(await elsewhere.findInstalled(source)).toBeNull();
    await services.tenants.disableTenant(tester, lyon);
    await expect(openHost().findInstalled(source)).rejects.toMatchObject({ code: 'TENANT_DISABLED' });
    const record = (await services.store.tenants.findTenant(lyon))!;
    await services.store.tenants.replaceTenant({
      ...record,
      status: 'deleting',
      version: record.version + 1,
    });
    expect(await openHost().findInstalled(source)).toBeNull();
  });

  test('asks the store once a second, however many come at once', async () => {
    let reads = 0;
    const { findInstallation } = services.store.slackInstallations;
    const host = openHost({
      findInstallation: (id) => {
        reads++;
        return findInstallation(id);
      },
    });
    await openHost().install(acme, null);
    const found = await Promise.all(Array.from({ length: 50 }, () => host.findInstalled(source)));
    expect(new Set(found.map((each) => each?.botToken))).toEqual(new Set(['xoxb-1']));
    expect(reads).toBe(1);
    await openHost().disconnect(tester, null, 'T1');
    time += 999;
    expect(await host.findInstalled(source)).not.toBeNull();
    time += 2;
    expect(await host.findInstalled(source)).toBeNull();
    expect(reads).toBe(2);
  });

  test('remembers only briefly that there is nothing, and a failure not at all', async () => {
    let isLost = true;
    const { findInstallation } = services.store.slackInstallations;
    const host = openHost({
      findInstallation: (id) => (isLost ? Promise.reject(new Error('lost')) : findInstallation(id)),
    });
    await expect(host.findInstalled(source)).rejects.toThrow('lost');
    isLost = false;
    expect(await host.findInstalled(source)).toBeNull();
    await openHost().install(acme, null);
    time += 201;
    expect(await host.findInstalled(source)).toMatchObject({ botToken: 'xoxb-1' });
  });

  test('finds at once what this host has installed', async () => {
    const host = openHost();
    expect(await host.findInstalled(source)).toBeNull();
    await host.install(acme, null);
    expect(await host.findInstalled(source)).toMatchObject({ botToken: 'xoxb-1' });
  });
});

describe('disconnecting', () => {
  const person = toSlackPerson('T1', 'U1');

  test('erases the token and the people of the workspace, and nobody else', async () => {
    const { shelf, people } = services;
    await services.slackInstallations.install(acme, null);
    await services.slackInstallations.install({ ...acme, id: 'T12', botToken: 'xoxb-12' }, null);
    const owners = [person, toSlackPerson('T12', 'U1')].map((name) => ({
      tenantId: 'default',
      person: name,
    }));
    for (const owner of owners) {
      await people.noteSearch(owner, 'docker');
      await shelf.save(owner, { object: fullObject, requestId: null });
    }
    expect(await services.slackInstallations.disconnect(tester, ['default'], 'T1')).toBe('xoxb-1');
    expect(await services.slackInstallations.findInstalled(source)).toBeNull();
    await services.slackInstallations.close();
    const left = owners.map(async (owner) => [
      (await people.listSearches(owner)).length,
      (await shelf.list(owner, { page: 0, pageSize: 1 })).total,
    ]);
    expect(await Promise.all(left)).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(await tokensLeft()).toEqual([expect.stringContaining('slack-bot-token:T12:')]);
    expect((await workspaceActions()).at(-1)).toMatchObject({
      action: 'workspace.disconnected',
      actor: tester,
      target: 'Acme',
    });
  });

  describe('while somebody is still being answered', () => {
    const ada = { tenantId: 'default', person };
    const listSearches = () => services.people.listSearches(ada);
    const removing = () =>
      openHost({
        async removeInstallation(...given) {
          const removed = await services.store.slackInstallations.removeInstallation(...given);
          await services.people.noteSearch(ada, 'docker');
          return removed;
        },
      });
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    test('leaves nothing of them a minute later, however often that fails first', async () => {
      await openHost().install(acme, null);
      await removing().disconnect(tester, null, 'T1');
      expect(await listSearches()).toHaveLength(1);
      const lost = vi.spyOn(services.people, 'forgetAll').mockRejectedValueOnce(new Error('lost'));
      await vi.advanceTimersByTimeAsync(60_000);
      await expect.poll(() => services.problems).toEqual([new Error('lost')]);
      expect(await listSearches()).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(60_000);
      await expect.poll(listSearches).toEqual([]);
      lost.mockRestore();
    });

    test('leaves nothing of them when the host closes before that', async () => {
      const host = removing();
      await host.install(acme, null);
      await host.disconnect(tester, null, 'T1');
      await host.close();
      expect(await listSearches()).toEqual([]);
    });

    test('leaves nothing of them when the host closes in the middle of that, even where it fails', async () => {
      const host = removing();
      await host.install(acme, null);
      await host.disconnect(tester, null, 'T1');
      const { forgetAll } = services.people;
      let fail = (_error: Error) => {};
      const forgetting = vi
        .spyOn(services.people, 'forgetAll')
        .mockImplementationOnce(() => new Promise((_done, failed) => (fail = failed)));
      await vi.advanceTimersByTimeAsync(60_000);
      await expect.poll(() => forgetting).toHaveBeenCalledOnce();
      forgetting.mockImplementation(forgetAll);
      const closing = host.close();
      fail(new Error('lost'));
      await closing;
      expect(await listSearches()).toEqual([]);
      expect(await tokensLeft()).toEqual([]);
      forgetting.mockRestore();
    });

    test('leaves what they do after it was installed again, and the new token', async () => {
      const host = removing();
      await host.install(acme, null);
      await host.disconnect(tester, null, 'T1');
      services.clock.advance(1_000);
      await host.install({ ...acme, botToken: 'xoxb-2' }, null);
      await host.close();
      expect(await listSearches()).toHaveLength(1);
      expect(await tokensLeft()).toHaveLength(1);
      expect(await host.findInstalled(source)).toMatchObject({ botToken: 'xoxb-2' });
    });
  });

  test('works once, within one’s scope', async () => {
    const host = openHost();
    await host.install(acme, lyon);
    await expect(host.disconnect(tester, ['default'], 'T1')).rejects.toMatchObject(unknown);
    await expect(host.getInstallation(['default'], 'T1')).rejects.toMatchObject(unknown);
    expect(await host.getInstallation([lyon], 'T1')).toMatchObject({ id: 'T1' });
    await host.disconnect(tester, [lyon], 'T1');
    await expect(host.disconnect(tester, null, 'T1')).rejects.toMatchObject(unknown);
  });

  test('works in a disabled tenant, and without a token that can be read', async () => {
    await openHost().install(acme, lyon);
    await services.tenants.disableTenant(tester, lyon);
    const [name = ''] = await tokensLeft();
    const record = (await services.store.secrets.findSecret(lyon, name))!;
    await services.store.secrets.putSecret({ ...record, sealed: `${record.sealed.slice(0, -8)}AAAAAAAA` });
    const host = openHost();
    expect(await host.disconnect(tester, null, 'T1')).toBeNull();
    await host.close();
    expect(await tokensLeft()).toEqual([]);
  });
});

describe('what hosts leave that end too early', () => {
  const ada = { tenantId: 'default', person: toSlackPerson('T1', 'U1') };
  const HOUR_MS = 3_600_000;
  const lost = new Error('lost');

  test('within a minute after a removal, is erased with the token by which it is found', async () => {
    const host = openHost();
    await host.install(acme, null);
    await host.install({ ...acme, id: 'T2', botToken: 'xoxb-2' }, lyon);
    services.clock.advance(HOUR_MS + 1);
    await host.disconnect(tester, null, 'T1');
    await services.people.noteSearch(ada, 'docker');
    const other = { tenantId: lyon, person: toSlackPerson('T2', 'U1') };
    await services.people.noteSearch(other, 'docker');
    await openHost().eraseLeftovers();
    expect(await services.people.listSearches(ada)).toEqual([]);
    expect(await services.people.listSearches(other)).toHaveLength(1);
    expect(await tokensLeft()).toEqual([expect.stringContaining('slack-bot-token:T2:')]);
  });

  test('in the middle of installing, goes without what is installed, after an hour', async () => {
    await openHost().install(acme, null);
    services.clock.advance(1_000);
    const host = openHost({ putInstallation: () => Promise.reject(lost) });
    await expect(host.install({ ...acme, botToken: 'xoxb-2' }, null)).rejects.toBe(lost);
    await expect(host.install({ ...acme, id: 'T2' }, null)).rejects.toBe(lost);
    await services.people.noteSearch(ada, 'docker');
    services.clock.advance(HOUR_MS);
    await host.eraseLeftovers();
    expect(await tokensLeft()).toHaveLength(3);
    services.clock.advance(1);
    await host.eraseLeftovers();
    expect(await tokensLeft()).toHaveLength(1);
    expect(await services.people.listSearches(ada)).toHaveLength(1);
    expect(await openHost().findInstalled(source)).toMatchObject({ botToken: 'xoxb-1' });
  });

  test('of one workspace stays until another time where that fails, and nothing else', async () => {
    const host = openHost();
    await host.install(acme, null);
    await host.install({ ...acme, id: 'T2' }, null);
    services.clock.advance(HOUR_MS + 1);
    for (const id of ['T1', 'T2']) await host.disconnect(tester, null, id);
    const forgetting = vi.spyOn(services.people, 'forgetAll').mockRejectedValueOnce(lost);
    await host.eraseLeftovers();
    forgetting.mockRestore();
    expect(services.problems).toEqual([lost]);
    expect(await tokensLeft()).toEqual([expect.stringContaining('slack-bot-token:T1:')]);
    await host.eraseLeftovers();
    expect(await tokensLeft()).toEqual([]);
  });
});

describe('Slack saying that the app was removed', () => {
  const at = (ms: number) => new Date(services.clock.now().getTime() + ms);

  test('erases the same, once, however often and in whatever order it is said', async () => {
    const host = openHost();
    await host.install(acme, null);
    const said = await Promise.all([host.erase('T1', at(2)), host.erase('T1', at(1)), host.erase('T1', at(2))]);
    expect(said.filter(Boolean)).toHaveLength(1);
    expect(await host.erase('T1', at(3))).toBe(false);
    expect(await host.erase('never', at(3))).toBe(false);
    expect(await host.findInstalled(source)).toBeNull();
    await host.close();
    expect(await tokensLeft()).toEqual([]);
    const actions = (await workspaceActions()).map((entry) => (entry as { action: string }).action);
    expect(actions).toEqual(['workspace.connected', 'workspace.removed-in-slack']);
  });

  test('does nothing to what was installed after that', async () => {
    const host = openHost();
    await host.install(acme, null);
    const removedAt = at(1_000);
    services.clock.advance(2_000);
    await host.install({ ...acme, botToken: 'xoxb-2' }, null);
    await services.people.noteSearch({ tenantId: 'default', person: toSlackPerson('T1', 'U1') }, 'docker');
    expect(await host.erase('T1', removedAt)).toBe(false);
    expect(await host.findInstalled(source)).toMatchObject({ botToken: 'xoxb-2' });
    const owner = { tenantId: 'default', person: toSlackPerson('T1', 'U1') };
    expect(await services.people.listSearches(owner)).toHaveLength(1);
  });

  test.each([
    ['slow', -299_000],
    ['fast', 299_000],
  ])('does as Slack says of the token where our clock may be %s', async (_which, apartMs) => {
    const host = openHost();
    await host.install(acme, null);
    const asked: string[] = [];
    const answering = (isInstalled: boolean) => async (token: string) => {
      asked.push(token);
      return isInstalled;
    };
    expect(await host.erase('T1', at(apartMs), answering(true))).toBe(false);
    await expect(host.erase('T1', at(apartMs), () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await host.erase('T1', at(apartMs), answering(false))).toBe(true);
    expect(asked).toEqual(['xoxb-1', 'xoxb-1']);
  });

  test('asks nobody about what is long ago, or whose token cannot be read', async () => {
    const host = openHost();
    await host.install(acme, null);
    const never = () => Promise.reject(new Error('never asked'));
    expect(await host.erase('T1', at(-301_000), never)).toBe(false);
    expect(await host.erase('T1', at(301_000), never)).toBe(true);
    await host.install(acme, null);
    const [name = ''] = await tokensLeft();
    await services.store.secrets.removeSecret('default', name);
    expect(await host.erase('T1', at(1_000), never)).toBe(true);
  });

  test('leaves what is installed again while Slack is asked', async () => {
    const host = openHost();
    await host.install(acme, null);
    const isInstalled = async () => {
      services.clock.advance(1);
      await openHost().install({ ...acme, botToken: 'xoxb-2' }, null);
      return false;
    };
    expect(await host.erase('T1', at(60_000), isInstalled)).toBe(false);
    expect(await host.findInstalled(source)).toMatchObject({ botToken: 'xoxb-2' });
  });

  test('leaves what is installed again at that very moment with its token', async () => {
    const { slackInstallations } = services.store;
    const host = openHost({
      // Someone installs it on another host between the look and the removal.
      async removeInstallation(id, installedUntil) {
        services.clock.advance(2_000);
        await openHost().install({ ...acme, botToken: 'xoxb-2' }, null);
        return slackInstallations.removeInstallation(id, installedUntil);
      },
    });
    await openHost().install(acme, null);
    expect(await host.erase('T1', at(1_000))).toBe(false);
    expect(await host.findInstalled(source)).toMatchObject({ botToken: 'xoxb-2' });
    expect(await tokensLeft()).toHaveLength(1);
  });
});
