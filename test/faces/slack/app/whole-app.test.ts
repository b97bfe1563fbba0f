import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeSlack, startFakeSlack, wordsOf } from '../../../fakes/slack.ts';
import { type RunningApp, startApp } from '../../../helpers/app.ts';
import { createBrowser, locationOf } from '../install/browser.ts';
import { slackApp } from '../start-slack.ts';

let slack: FakeSlack;
let app: RunningApp;

beforeAll(async () => {
  slack = await startFakeSlack();
  app = await startApp(undefined, {
    SLACK_CLIENT_ID: slackApp.clientId,
    SLACK_CLIENT_SECRET: slackApp.clientSecret,
    SLACK_SIGNING_SECRET: slackApp.signingSecret,
    SLACK_API_URL: slack.apiUrl,
  });
  slack.connect({
    ...slackApp,
    eventsUrl: `${app.url}/slack/events`,
    redirectUrl: `${app.url}/slack/oauth_redirect`,
  });
});

afterAll(async () => {
  expect(slack.problems).toEqual([]);
  await app.close();
  await slack.close();
});

test('installs from the page of connections, searches, and is removed', async () => {
  const connections = await (await fetch(`${app.url}/connect`)).text();
  expect(connections).toContain(`href="${app.url}/slack/install"`);

  expect(wordsOf(await answerTo('/learn docker'))).toContain('not installed in this workspace');

  const browser = createBrowser();
  const toSlack = locationOf(await browser.get(`${app.url}/slack/install`));
  const page = await browser.get(await slack.approve(toSlack));
  expect(page.status).toBe(200);
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');

  const results = await answerTo('/learn python');
  expect(results.isEphemeral).toBe(true);
  expect(wordsOf(results)).toMatch(/python/i);

  await slack.uninstall('acme');
  await slack.install('acme');
  await expect.poll(async () => wordsOf(await answerTo('/learn docker'))).toContain('not installed');
});

/** The message that came for it. */
async function answerTo(command: string) {
  const before = new Set(slack.ada.sees().map(({ ts }) => ts));
  expect((await slack.ada.types(command)).ok).toBe(true);
  return slack.ada.waitsForMessage(({ ts }) => !before.has(ts));
}
