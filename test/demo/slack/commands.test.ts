import { afterEach, beforeEach, expect, test } from 'vitest';
import { answer, type RunningBolt, startBolt } from './start-bolt.ts';

let bolt: RunningBolt;
beforeEach(async () => {
  bolt = await startBolt();
});
afterEach(async () => {
  await bolt.close();
  expect(bolt.slack.problems).toEqual([]);
});

test('a command comes with who, where and what', async () => {
  let seen: object = {};
  bolt.app.command('/learn', async ({ ack, command }) => {
    seen = command;
    await ack();
  });
  const ack = await bolt.slack.ada.types('/learn docker  “level” & more');
  expect(ack).toMatchObject({ ok: true, status: 200, body: null, error: null });
  expect(seen).toMatchObject({
    command: '/learn',
    text: 'docker  “level” & more',
    team_id: 'T1ACME',
    channel_id: 'C1ACMEGENERAL',
    channel_name: 'general',
    user_id: 'U1ADA',
    api_app_id: 'A1SKILLDOCK',
    is_enterprise_install: 'false',
  });
  expect(seen).not.toHaveProperty('enterprise_id');
  expect(bolt.slack.ada.sees()).toEqual([]);
});

test('what is answered at once only the person sees', async () => {
  bolt.app.command('/learn', async ({ ack }) => ack({ text: 'Five results' }));
  await bolt.slack.ada.types('/learn docker');
  expect(bolt.slack.ada.sees()).toMatchObject([{ from: 'app', text: 'Five results', isEphemeral: true }]);
  expect(bolt.slack.benoit.sees()).toEqual([]);
  expect(bolt.slack.ada.in('random').sees()).toEqual([]);
});

test('a plain text is an answer, too', async () => {
  bolt.app.command('/learn', async ({ ack }) => ack('Hello'));
  await bolt.slack.ada.types('/learn');
  expect(bolt.slack.ada.sees()).toMatchObject([{ text: 'Hello', isEphemeral: true }]);
});

test('an answer to everybody shows the command as well', async () => {
  bolt.app.command('/learn', async ({ ack }) => ack({ text: 'Five results', response_type: 'in_channel' }));
  await bolt.slack.ada.types('/learn docker');
  expect(bolt.slack.benoit.sees()).toMatchObject([
    { from: 'person', userId: 'U1ADA', text: '/learn docker' },
    { from: 'app', text: 'Five results', isEphemeral: false },
  ]);
});

test('an answer that Slack would not take is reported, and not shown', async () => {
  bolt.app.command('/learn', async ({ ack }) => ack({ text: 'Hello <!channel>' }));
  await bolt.slack.ada.types('/learn docker');
  expect(bolt.slack.ada.sees()).toEqual([]);
  expect(bolt.slack.takeProblems()).toEqual(['/learn, answer: text: calls everybody with <!channel>']);
});

test('a late answer comes through the response URL', async () => {
  bolt.app.command('/learn', async ({ ack, respond }) => {
    await ack();
    await respond({ text: 'Five results' });
  });
  await bolt.slack.ada.types('/learn docker');
  const message = await bolt.slack.ada.waitsForMessage();
  expect(message).toMatchObject({ text: 'Five results', isEphemeral: true });
});

test('a response URL works five times', async () => {
  const url = await responseUrlOfCommand();
  for (let use = 0; use < 5; use += 1) expect(await answer(url, { text: 'x' })).toEqual({ status: 200, body: 'ok' });
  expect(await answer(url, { text: 'x' })).toMatchObject({ status: 404 });
  expect(bolt.slack.ada.sees()).toHaveLength(5);
});

test('a command has no message that could be replaced', async () => {
  const url = await responseUrlOfCommand();
  await answer(url, { text: 'one' });
  await answer(url, { text: 'two', replace_original: true });
  expect(bolt.slack.ada.sees().map(({ text }) => text)).toEqual(['one', 'two']);
  expect(bolt.slack.takeProblems()).toHaveLength(1);
});

test('what Slack would not take through a response URL is refused', async () => {
  const url = await responseUrlOfCommand();
  const { status, body } = await answer(url, { text: 'x', blocks: [{ type: 'section' }] });
  expect([status, JSON.parse(body)]).toEqual([
    400,
    {
      ok: false,
      error: 'invalid_blocks',
      response_metadata: { messages: ['blocks[0]: needs text or fields'] },
    },
  ]);
  expect(await answer(`${url}x`, { text: 'x' })).toMatchObject({ status: 404 });
  expect(bolt.slack.takeProblems()).toHaveLength(1);
});

test('what everybody sees must not unfold its links', async () => {
  const url = await responseUrlOfCommand();
  expect(await answer(url, { text: 'x', response_type: 'in_channel' })).toMatchObject({ status: 400 });
  expect(bolt.slack.takeProblems()).toHaveLength(2);
});

test('a command of an organisation says so', async () => {
  bolt.slack.install('world');
  let seen: object = {};
  bolt.app.command('/learn', async ({ ack, command }) => {
    seen = command;
    await ack();
  });
  await bolt.slack.olga.types('/learn docker');
  expect(seen).toMatchObject({ team_id: 'T1NORTH', enterprise_id: 'E1WORLD', is_enterprise_install: 'true' });
});

async function responseUrlOfCommand(): Promise<string> {
  let url = '';
  bolt.app.command('/learn', async ({ ack, command }) => {
    url = command.response_url;
    await ack();
  });
  await bolt.slack.ada.types('/learn docker');
  return url;
}
