import { describe, expect, test } from 'vitest';
import { migrate } from '../../../../src/adapters/store/sqlite/migrations/migrations.ts';
import { createSqliteStore } from '../../../../src/adapters/store/sqlite/sqlite-store.ts';
import { initialDefaults, initialFeedbackSettings } from '../../../../src/domain/tenant.ts';
import { registration } from '../../../contract/store/lti-records.ts';
import { answer, at, shelved } from '../../../contract/store/records.ts';
import { installation, person } from '../../../contract/store/slack-records.ts';
import {
  makeFirstVersion,
  makeFourthVersion,
  makeSecondVersion,
  makeThirdVersion,
  newPath,
  openRaw,
  openStore,
} from './databases.ts';

const whole = { scope: null, search: '', descending: false, page: 0, pageSize: 10 } as const;

describe('a database of the first version', () => {
  test('gets a default tenant, which everything there was belongs to', async () => {
    const path = newPath();
    makeFirstVersion(path);
    const { tenants, apiKeys, feedback } = openStore(path);
    expect(await tenants.findTenant('default')).toEqual({
      id: 'default',
      name: 'Default institution',
      status: 'active',
      upstream: { kind: 'local' },
      defaults: initialDefaults,
      branding: { title: null, accent: null },
      suggestions: 'approval',
      hasAssistants: true,
      feedback: initialFeedbackSettings,
      createdAt: new Date(1_234),
      updatedAt: new Date(1_234),
      version: 1,
    });
    const key = { tenantId: 'default', perSecond: 20, perDay: 50_000, revokedAt: null, lastUsedAt: null };
    expect((await apiKeys.listApiKeys({ ...whole, sort: 'name' })).items).toEqual([
      {
        ...key,
        id: 'k1',
        name: 'Clé d’Ève',
        keyHash: 'hash 1',
        scopes: ['competency', 'learning-objects', 'feedback'],
        createdAt: new Date(2_000),
        expiresAt: new Date(9_000),
      },
      {
        ...key,
        id: 'k2',
        name: 'Two',
        keyHash: 'hash 2',
        scopes: ['competency'],
        perSecond: 5,
        perDay: 100,
        createdAt: new Date(1_500),
        expiresAt: null,
        revokedAt: new Date(8_000),
      },
    ]);
    expect(await feedback.findFeedback('f1')).toEqual({
      id: 'f1',
      tenantId: 'default',
      url: 'https://example.org/É',
      comment: 'it\'s "good"',
      requestId: 'r1',
      email: 'Ada@example.org',
      source: 'https://school.org',
      provider: null,
      receivedAt: new Date(1_234),
      state: 'delivered',
      attempts: 0,
      failures: 0,
      dueAt: new Date(1_234),
      leasedUntil: null,
      lastError: null,
      destination: null,
      giverHash: null,
    });
  });

  test('can be searched and changed like a new one', async () => {
    const path = newPath();
    makeFirstVersion(path);
    const { tenants, apiKeys, feedback } = openStore(path);
    const search = async (list: Promise<{ total: number }>) => (await list).total;
    expect(await search(tenants.listTenants({ ...whole, sort: 'name', search: 'INSTITUTION' }))).toBe(1);
    expect(await search(apiKeys.listApiKeys({ ...whole, sort: 'name', search: 'cle d’eve' }))).toBe(1);
    const anyFeedback = {
      ...whole,
      state: null,
      provider: null,
      received: { from: null, until: null },
    } as const;
    for (const part of ['example.org/e', 'IT\'S "good"', 'ada@']) {
      expect(await search(feedback.listFeedback({ ...anyFeedback, sort: 'url', search: part }))).toBe(1);
    }
    expect(await apiKeys.revokeApiKey('k1', new Date(5_000))).toBe(true);
    await tenants.removeTenant('default');
    expect(await apiKeys.findApiKey('k1')).toBeNull();
  });

  test('without a key or feedback gets no tenant', async () => {
    const path = newPath();
    makeFirstVersion(path);
    openRaw(path).exec('DELETE FROM feedback; DELETE FROM api_keys');
    expect(await openStore(path).tenants.listTenants({ ...whole, sort: 'name' })).toEqual({
      items: [],
      total: 0,
    });
  });
});

describe('a database of the second version', () => {
  test('gives its tenants the initial settings for feedback, and keeps what they had', async () => {
    const path = newPath();
    makeSecondVersion(path);
    const { tenants } = openStore(path);
    const kept = (await tenants.findTenant('lyon'))!;
    expect(kept).toEqual({
      id: 'lyon',
      name: 'École',
      status: 'disabled',
      upstream: { kind: 'local' },
      defaults: { lang: 'fr' },
      branding: { title: null, accent: null },
      suggestions: 'approval',
      hasAssistants: true,
      feedback: initialFeedbackSettings,
      createdAt: new Date(1_000),
      updatedAt: new Date(2_000),
      version: 7,
    });
    const changed = { ...kept, feedback: { ...initialFeedbackSettings, retentionDays: 30 }, version: 8 };
    expect(await tenants.replaceTenant(changed)).toBe(true);
    expect(await tenants.findTenant('lyon')).toEqual(changed);
  });

  test('finds its feedback by address in any case', async () => {
    const path = newPath();
    makeSecondVersion(path);
    const { feedback } = openStore(path);
    expect(await feedback.eraseFeedbackOf(['lyon'], 'ève@EXAMPLE.org')).toEqual([
      { tenantId: 'lyon', count: 2 },
    ]);
    expect(await feedback.findFeedback('f3')).toMatchObject({ email: 'eve@example.org' });
  });

  test('has shelves and shared answers', async () => {
    const path = newPath();
    makeSecondVersion(path);
    const { shelf, answers } = openStore(path);
    expect(await shelf.addToShelf(shelved('example.org'), 1)).toBe('added');
    await answers.keepAnswer('a', answer('{}'));
    expect(await answers.findAnswer('a', at(1))).toEqual(answer('{}'));
  });
});

describe('a database of the third version', () => {
  test('can have platforms, and keeps what it had', async () => {
    const path = newPath();
    makeThirdVersion(path);
    const { feedback, ltiRegistrations } = openStore(path);
    expect(await ltiRegistrations.addRegistration(registration('a'))).toBe(true);
    expect(await ltiRegistrations.findRegistration('a')).toEqual(registration('a'));
    expect(await feedback.findFeedback('f3')).toMatchObject({ email: 'eve@example.org' });
  });
});

describe('a database of the fourth version', () => {
  test('can have the Slack app and people, and keeps what it had', async () => {
    const path = newPath();
    makeFourthVersion(path);
    const { feedback, slackInstallations, people } = openStore(path);
    expect(await slackInstallations.putInstallation(installation('T1'))).toBeNull();
    expect(await slackInstallations.findInstallation('T1')).toEqual(installation('T1'));
    expect(await people.savePerson(person('slack:T1:U1'))).toBe(true);
    expect(await feedback.findFeedback('f3')).toMatchObject({ email: 'eve@example.org' });
  });
});

describe('the schema', () => {
  test('is the same, whichever version the database was made by', () => {
    const makers = [makeFirstVersion, makeSecondVersion, makeThirdVersion, makeFourthVersion];
    const schemas = [...makers, () => undefined].map((make) => {
      const path = newPath();
      make(path);
      openStore(path);
      return openRaw(path).prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
    });
    const fresh = schemas.pop()!;
    for (const schema of schemas) expect(schema).toEqual(fresh);
    expect(fresh.length).toBeGreaterThan(11);
  });

  test('is brought up to date once, even where another process does it at the same time', async () => {
    const path = newPath();
    const database = openRaw(path);
    let isOvertaken = false;
    const overtaken = new Proxy(database, {
      get(target, name) {
        // The other one comes between the look at the schema and the lock.
        if (!isOvertaken && (name === 'transaction' || name === 'exec')) {
          isOvertaken = true;
          openStore(path);
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    migrate(overtaken);
    expect(isOvertaken).toBe(true);
    migrate(database);
    await expect(openStore(path).check()).resolves.toBeUndefined();
  });

  test('that could not be brought up to date is as it was', () => {
    const path = newPath();
    makeFirstVersion(path);
    const database = openRaw(path);
    database.exec('CREATE TABLE nonces (a)');
    expect(() => createSqliteStore(path)).toThrow(expect.objectContaining({ code: 'STORE_UNAVAILABLE' }));
    expect(database.prepare('SELECT count(*) AS keys FROM api_keys').get()).toMatchObject({ keys: 2 });
    database.exec('DROP TABLE nonces');
    openStore(path);
  });

  test('of a newer version is not touched', () => {
    const path = newPath();
    openRaw(path).pragma('user_version = 99');
    expect(() => createSqliteStore(path)).toThrow(
      expect.objectContaining({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('newer version'),
      }),
    );
  });
});
