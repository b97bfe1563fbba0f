import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ACTS, CHATS } from '../../../demo/chat/chat-limits.ts';
import { MAX_CHATS } from '../../../demo/chat/chats.ts';
import { toSlackPerson } from '../../../src/domain/slack.ts';
import { type RunningDemo, startDemo } from '../start-demo.ts';
import { findAction, openChat } from './chat-client.ts';

let demo: RunningDemo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());
afterEach(() => {
  demo.services.problems.length = 0;
});

const say = (text: string, threadTs: string | null = null) => ({ kind: 'say', text, threadTs });
const courseTenant = async () => {
  const request = {
    scope: null,
    search: '',
    sort: 'createdAt',
    descending: false,
    page: 0,
    pageSize: 9,
  } as const;
  const { items } = await demo.services.ltiRegistrations.listRegistrations(request);
  return items.find(({ origin }) => origin === 'demo')!.tenantId;
};

test('the page is there, in the language of the browser', async () => {
  const page = await demo.page('/slack?lang=fr');
  expect(page).toContain('<html lang="fr">');
  expect(page).toContain('Espace de démonstration');
  expect((await demo.get('/slack')).headers.get('set-cookie')).toMatch(
    /^demo_chat=[\w-]{32}; Path=\/demo\/slack; HttpOnly; SameSite=Lax$/,
  );
});

test('a command is answered by the real app, for the one who typed it alone', async () => {
  const chat = await openChat(demo);
  const { messages, problems } = await chat.act(say('/learn python'));
  expect(problems).toEqual([]);
  const answer = messages.at(-1)!;
  expect(answer).toMatchObject({ from: 'app', isPrivate: true });
  expect(JSON.stringify(answer.blocks)).toContain('Python for everybody');
  const other = await chat.see({ userId: chat.people[1]!.id });
  expect(other.messages.map(({ ts }) => ts)).not.toContain(answer.ts);
  expect(demo.services.problems).toEqual([]);
});

test('what is saved is on the shelf of that person in the tenant of the demo course', async () => {
  const chat = await openChat(demo);
  const { messages } = await chat.act(say('/learn python'));
  const { ts, blocks } = messages.at(-1)!;
  const choice = { ...findAction(blocks, /^learn_save$/), values: [] };
  await chat.act({ kind: 'choose', place: { kind: 'message', ts }, choice, filled: [] });
  const [ada] = chat.people;
  const teamId = `T${ada!.id.slice(1).replace(/ADA$/, '')}`;
  const owner = { tenantId: await courseTenant(), person: toSlackPerson(teamId, ada!.id) };
  const page = { page: 0, pageSize: 9 };
  await expect
    .poll(async () => (await demo.services.shelf.list(owner, page)).items.map(({ object }) => object.title))
    .toEqual(['Python for everybody']);

  await demo.post('/slack/reset', { origin: new URL(demo.url).origin, cookie: chat.cookie });
  expect((await demo.services.shelf.list(owner, page)).items).toEqual([]);
  expect((await chat.see()).messages.map(({ from }) => from)).not.toContain('app');
});

test('without a cookie there is no chat', async () => {
  expect((await demo.get('/slack/state')).status).toBe(403);
});

test('whoever opens pages pushes nobody out, and who does too much is held back', async () => {
  const own = await startDemo();
  const first = await openChat(own);
  await first.act(say('here I am'));
  for (let page = 0; page < 2 * MAX_CHATS; page += 1) await own.get('/slack');
  const post = async () => (await openChat(own)).post('/slack/acts', { ...first.where(), act: say('hello') });
  for (let number = 1; number < CHATS.points; number += 1) expect((await post()).status).toBe(400);
  const refused = await post();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await first.act(say('still here'));
  expect((await first.see()).messages.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['here I am', 'still here']),
  );
  for (let act = 0; act < ACTS.points; act += 1) if ((await first.post('/slack/acts', {})).status === 429) return;
  throw new Error('acts have no limit');
});

test('visitors see nothing of each other', async () => {
  const [one, other] = [await openChat(demo), await openChat(demo)];
  await one.act(say('only for us'));
  expect(JSON.stringify(await other.see())).not.toContain('only for us');
  const answer = await other.post('/slack/acts', { ...one.where(), act: say('hello') });
  expect(answer.status).toBe(400);
});

test('nobody acts in what somebody else sees alone', async () => {
  const chat = await openChat(demo);
  const { messages } = await chat.act(say('/learn python'));
  const { ts, blocks } = messages.at(-1)!;
  const choice = { ...findAction(blocks, /^learn_save$/), values: [] };
  const act = { kind: 'choose', place: { kind: 'message', ts }, choice, filled: [] };
  const answer = await chat.post('/slack/acts', { ...chat.where({ userId: chat.people[1]!.id }), act });
  expect(answer.status).toBe(400);
});

test('the shortcut of a message works in threads, where commands do not', async () => {
  const chat = await openChat(demo);
  const { messages } = await chat.see();
  const reply = messages.find(({ threadTs }) => threadTs !== null)!;
  const refused = await chat.act(say('/learn docker', reply.threadTs));
  expect(refused.messages.at(-1)).toMatchObject({
    from: 'slackbot',
    isPrivate: true,
    threadTs: reply.threadTs,
  });
  const before = refused.messages.length + refused.views.length;
  await chat.act({ kind: 'findLearning', ts: reply.ts });
  await expect
    .poll(async () => {
      const { messages: shown, views } = await chat.see();
      return shown.length + views.length;
    })
    .toBeGreaterThan(before);
});

test('what people write is text, whatever it looks like', async () => {
  const chat = await openChat(demo);
  const { messages } = await chat.act(say('<!channel> & <b>'));
  expect(messages.at(-1)!.text).toBe('&lt;!channel&gt; &amp; &lt;b&gt;');
});

test('the modal of the global shortcut is sent, with what is filled in', async () => {
  const chat = await openChat(demo);
  await chat.act({ kind: 'search' });
  await expect.poll(async () => (await chat.see()).views.length).toBe(1);
  const [view] = (await chat.see()).views;
  const filled = [{ blockId: 'search_words', actionId: 'search_words', values: ['python'] }];
  await chat.act({ kind: 'submit', viewId: view!.id, filled });
  await expect.poll(async () => JSON.stringify((await chat.see()).views)).toContain('Python for everybody');
});

test('home is published when it is opened', async () => {
  const chat = await openChat(demo);
  expect((await chat.see()).home).toBeNull();
  await chat.act({ kind: 'home' });
  await expect.poll(async () => (await chat.see()).home?.blocks.length ?? 0).toBeGreaterThan(3);
});

test('forms of other sites, and what is no act, are refused', async () => {
  const chat = await openChat(demo);
  const body = { ...chat.where(), act: say('hello') };
  const status = async (answer: Promise<Response>) => (await answer).status;
  expect(await status(chat.post('/slack/acts', body, { origin: 'https://other.example' }))).toBe(403);
  expect(await status(chat.post('/slack/acts', { ...body, act: { kind: 'fly' } }))).toBe(400);
  expect(await status(chat.post('/slack/acts', { ...body, act: say('a'.repeat(3_001)) }))).toBe(400);
  expect(await status(chat.post('/slack/acts', { ...body, more: 'a'.repeat(300_000) }))).toBe(413);
  expect(await status(chat.post('/slack/acts', body, { cookie: 'demo_chat=none' }))).toBe(403);
});

test('a chat forgets its oldest messages', async () => {
  const chat = await openChat(demo);
  for (let number = 1; number <= 50; number += 1) await chat.act(say(`message ${number}`));
  const { messages } = await chat.see();
  expect(messages.length).toBe(40);
  expect(messages.at(-1)!.text).toBe('message 50');
});

test('the Slack of the demo takes no token and no address but its own', async () => {
  const call = (headers: Record<string, string>) => demo.get('/slack/api/auth.test', { method: 'POST', headers });
  expect((await call({})).status).toBe(404);
  expect((await call({ authorization: 'Bearer xoxb-T1-abc' })).status).toBe(404);
  const chat = await openChat(demo);
  await chat.act(say('hello'));
  const teamId = `T${chat.people[0]!.id.slice(1).replace(/ADA$/, '')}`;
  const guessed = await call({ authorization: `Bearer xoxb-${teamId}-abc` });
  expect(await guessed.json()).toEqual({ ok: false, error: 'invalid_auth' });
  const responded = await demo.get(`/slack/responses/${teamId}/0/abc`, {
    method: 'POST',
    body: JSON.stringify({ text: 'hello' }),
    headers: { 'content-type': 'application/json' },
  });
  expect(responded.status).toBe(404);
});
