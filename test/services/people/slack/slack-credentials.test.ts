import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import type { SlackAppForm } from '../../../../src/services/people/slack/slack-credentials.ts';
import {
  createSlackCredentials,
  type SlackCredentialsDeps,
} from '../../../../src/services/people/slack/slack-credentials.ts';
import type { StandingClock } from '../../../fakes/clock.ts';
import { type OpenedServices, openServices, tester } from '../../../helpers/open-services.ts';

const app = {
  clientId: '111.222',
  clientSecret: 'client-secret-of-111',
  signingSecret: 'signing-secret-of-111',
};

const otherApp = {
  clientId: '333.444',
  clientSecret: 'client-secret-of-333',
  signingSecret: 'signing-secret-of-333',
};

const nothing = { source: null, clientId: null, clientSecret: null, signingSecret: null };

let services: OpenedServices<StandingClock>;

let time = 0;

beforeEach(async () => {
  services = await openServices();
});

afterEach(() => services.close());

/** Another host on the same store. */
const openHost = (more: Partial<SlackCredentialsDeps> = {}) =>
  createSlackCredentials(
    { ...services, environmentApp: undefined, apiOrigin: 'https://slack.com', ...more },
    () => time,
  );

async function actionsDone(): Promise<[string, string][]> {
  const filter = { scope: null, action: null, search: '', period: { from: null, until: null } };
  const { items } = await services.audit.listEntries({ ...filter, ascending: true, page: 0, pageSize: 10 });
  const ofApp = items.filter(({ action }) => action.startsWith('slack-app.'));
  return ofApp.map(({ action, target }) => [action, target]);
}

test('there is none until one is saved, and none after it is removed', async () => {
  const host = openHost();
  expect(await host.find()).toBeNull();
  expect(await host.describe()).toEqual(nothing);
  await host.save(tester, app);
  expect(await host.find()).toEqual(app);
  const updatedAt = services.clock.now();
  expect(await host.describe()).toEqual({
    source: 'saved',
    clientId: '111.222',
    clientSecret: { lastFour: '-111', updatedAt },
    signingSecret: { lastFour: '-111', updatedAt },
  });
  await host.remove(tester);
  await host.remove(tester);
  expect(await host.find()).toBeNull();
  expect(await host.describe()).toEqual(nothing);
  expect(await actionsDone()).toEqual([
    ['slack-app.saved', '111.222'],
    ['slack-app.removed', '111.222'],
  ]);
});

test('its secrets are sealed, and go to no other Slack', async () => {
  await openHost().save(tester, app);
  const record = await services.store.secrets.findSecret('default', 'slack-app');
  expect(JSON.stringify(record)).not.toMatch(/secret-of|of-1|-111/);
  expect(await openHost({ apiOrigin: 'https://evil.example' }).find()).toBeNull();
});

describe('what is left out', () => {
  beforeEach(() => openHost().save(tester, app));

  test('stays as it is', async () => {
    const host = openHost();
    await host.save(tester, { clientId: ' 111.222 ', signingSecret: 'another-signing-secret' });
    expect(await host.find()).toEqual({ ...app, signingSecret: 'another-signing-secret' });
    await host.save(tester, {
      clientId: '111.222',
      clientSecret: ' another-client-secret ',
      signingSecret: '',
    });
    expect(await host.find()).toMatchObject({
      clientSecret: 'another-client-secret',
      signingSecret: 'another-signing-secret',
    });
  });

  test('is asked for where the app is another one', async () => {
    const host = openHost();
    await expect(
      host.save(tester, { clientId: otherApp.clientId, clientSecret: otherApp.clientSecret }),
    ).rejects.toMatchObject({
      code: 'FORM_INVALID',
      problems: [{ path: 'signingSecret', problem: 'must be given' }],
    });
    expect(await host.find()).toEqual(app);
  });
});

test.each<[string, SlackAppForm, string[]]>([
  ['nothing', { clientId: '' }, ['clientId', 'clientSecret', 'signingSecret']],
  ['an id of words', { ...app, clientId: 'my app' }, ['clientId']],
  ['an id that is one number', { ...app, clientId: '111' }, ['clientId']],
  ['a token as id', { ...app, clientId: 'xoxb-111-222-abcdef' }, ['clientId']],
  ['a token of the bot as secret', { ...app, clientSecret: 'xoxb-111-222-abcdef' }, ['clientSecret']],
  ['a token of the app as secret', { ...app, signingSecret: 'xapp-1-A111-222-abcdef' }, ['signingSecret']],
  ['one secret twice', { ...app, signingSecret: app.clientSecret }, ['signingSecret']],
  [
    'one token twice',
    { ...app, clientSecret: 'xoxe-1-abcdefgh', signingSecret: 'xoxe-1-abcdefgh' },
    ['clientSecret', 'signingSecret'],
  ],
  ['a short secret', { ...app, clientSecret: 'short' }, ['clientSecret']],
  ['a secret with a line break', { ...app, signingSecret: 'signing-secret\nof-111' }, ['signingSecret']],
])('refuses %s, all problems at once', async (_what, form, paths) => {
  const error = await openHost()
    .save(tester, form)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'FORM_INVALID' });
  expect((error as AppError).problems.map(({ path }) => path)).toEqual(paths);
  expect(await openHost().find()).toBeNull();
});

test('two hosts that save at once leave one app or the other, whole', async () => {
  for (let round = 0; round < 5; round++) {
    await Promise.all([openHost().save(tester, app), openHost().save(tester, otherApp)]);
    expect([app, otherApp]).toContainEqual(await openHost().find());
  }
});

test('what another host saves is seen within two seconds, without asking the store each time', async () => {
  const host = openHost();
  await host.save(tester, app);
  expect(await host.find()).toEqual(app);
  await openHost().save(tester, otherApp);
  expect(await host.find()).toEqual(app);
  time += 2_000;
  expect(await host.find()).toEqual(otherApp);
});

describe('a store that', () => {
  type FindSecret = () => Promise<string | null>;
  const saved: FindSecret = async () => JSON.stringify(app);
  const lost: FindSecret = () => Promise.reject(new AppError('STORE_UNAVAILABLE', 'Lost.'));
  const silent: FindSecret = () => new Promise(() => undefined);
  let findSecret: FindSecret;
  const openOver = () => openHost({ secrets: { ...services.secrets, findSecret: () => findSecret() } });

  test('was lost for a moment is asked again', async () => {
    const host = openOver();
    findSecret = lost;
    await expect(host.find()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    findSecret = saved;
    expect(await host.find()).toEqual(app);
  });

  test.each([
    ['is lost', () => lost],
    ['says nothing', () => silent],
  ])('%s leaves what was read last', async (_what, failing) => {
    const host = openOver();
    findSecret = saved;
    expect(await host.find()).toEqual(app);
    findSecret = failing();
    time += 2_000;
    expect(await host.find()).toEqual(app);
    findSecret = async () => null;
    time += 2_000;
    expect(await host.find()).toBeNull();
  });

  test('gives what was there before a change, late, does not undo the change', async () => {
    const host = openOver();
    findSecret = saved;
    await host.find();
    let answer: (json: string) => void = () => undefined;
    findSecret = () => new Promise((resolve) => (answer = resolve));
    time += 2_000;
    await host.find();
    findSecret = saved;
    await services.secrets.putSecret('default', 'slack-app', { plain: '{}', boundTo: 'https://slack.com' });
    await host.remove(tester);
    answer(JSON.stringify(app));
    await new Promise((done) => setImmediate(done));
    findSecret = lost;
    expect(await host.find()).toBeNull();
  });
});

test('the environment goes before what is saved, and cannot be changed here', async () => {
  await openHost().save(tester, app);
  const host = openHost({ environmentApp: otherApp });
  expect(await host.find()).toEqual(otherApp);
  expect(await host.describe()).toEqual({ ...nothing, source: 'environment', clientId: '333.444' });
  for (const change of [host.save(tester, app), host.remove(tester)])
    await expect(change).rejects.toMatchObject({ code: 'SLACK_SETTINGS_FIXED', kind: 'conflict' });
  expect(await openHost().find()).toEqual(app);
});

test('what cannot be read any more is said, and can be saved anew or removed', async () => {
  await openHost().save(tester, app);
  const record = (await services.store.secrets.findSecret('default', 'slack-app'))!;
  await services.store.secrets.putSecret({ ...record, sealed: `${record.sealed.slice(0, -8)}AAAAAAAA` });
  const host = openHost();
  await expect(host.find()).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
  expect(await host.describe()).toEqual({ ...nothing, source: 'saved' });
  await host.save(tester, otherApp);
  expect(await host.find()).toEqual(otherApp);
});
