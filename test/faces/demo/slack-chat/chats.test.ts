import { beforeEach, expect, test } from 'vitest';
import { slackPeople, slackPerson } from '../../../../src/domain/slack.ts';
import { chatState } from '../../../../src/faces/demo/slack-chat/chat-state.ts';
import {
  type Chats,
  createChats,
  IN_USE_MS,
  MAX_CHATS,
  MAX_IDLE_MS,
} from '../../../../src/faces/demo/slack-chat/chats.ts';
import { createStandingClock } from '../../../fakes/clock.ts';

const app = {
  appId: 'A1',
  clientId: '1.2',
  clientSecret: 'secret',
  signingSecret: 'secret',
  eventsUrl: 'http://127.0.0.1:9/slack/events',
  redirectUrl: 'http://127.0.0.1:9/slack/oauth_redirect',
};
const t = (key: string) => key;
const down = new Error('the store is down');

let clock: ReturnType<typeof createStandingClock>;
let forgotten: string[];
let problems: unknown[];
/** What the next readings of the store throw. */
let failures: { readonly tenant: unknown[]; readonly people: unknown[] };
let chats: Chats;
beforeEach(() => {
  clock = createStandingClock();
  [forgotten, problems, failures] = [[], [], { tenant: [], people: [] }];
  chats = createChats({
    clock,
    app,
    serviceUrl: 'http://127.0.0.1:9/demo/slack',
    people: {
      async forgetAll(tenantId, prefix) {
        if (failures.people.length > 0) throw failures.people.pop();
        forgotten.push(`${tenantId} ${prefix}`);
      },
    },
    async tenantId() {
      if (failures.tenant.length > 0) throw failures.tenant.pop();
      return 'tenant';
    },
    onProblem: (error) => problems.push(error),
  });
});

const sessionsOf = (count: number) => Array.from({ length: count }, (_, number) => `session ${number}`);

async function fill(): Promise<void> {
  for (const session of sessionsOf(MAX_CHATS)) await chats.open(session, t);
}

test('what people of the chats of an earlier process kept is forgotten once, and of nobody else', async () => {
  await fill();
  expect(forgotten).toHaveLength(1);
  const prefix = forgotten[0]!.replace('tenant ', '');
  const { world } = await chats.open('session 1', t);
  expect(slackPerson(world.teamId, world.members[0].id).startsWith(prefix)).toBe(true);
  expect(slackPerson('T0ACME', 'U1').startsWith(prefix)).toBe(false);
});

test('who only looks has no chat, and sees what will be in it', async () => {
  const seenIn = (chat: ReturnType<Chats['preview']>) =>
    chatState(chat, { userId: chat.world.members[0].id, channelId: chat.world.channels[0]!.id });
  const shown = seenIn(chats.preview('session', t));
  expect(chats.find('session')).toBeNull();
  clock.advance(60_000);
  const { version, ...rest } = seenIn(await chats.open('session', t));
  expect(shown).toMatchObject(rest);
  expect(version).toBeGreaterThan(shown.version);
  expect(shown.messages.length).toBeGreaterThan(0);
});

test('acts that come at once are done in one chat', async () => {
  const [one, other] = await Promise.all([chats.open('session', t), chats.open('session', t)]);
  expect(one).toBe(other);
});

test('the oldest chat makes room, with what is kept of its people', async () => {
  await fill();
  const { teamId } = chats.find('session 0')!.world;
  for (const session of sessionsOf(MAX_CHATS)) chats.find(session);
  clock.advance(IN_USE_MS + 1);
  await chats.open('one more', t);
  expect(chats.find('session 0')).toBeNull();
  expect(chats.findByTeam(teamId)).toBeNull();
  expect(chats.find('session 1')).not.toBeNull();
  expect(forgotten.at(-1)).toBe(`tenant ${slackPeople(teamId)}`);
});

test('whoever comes takes no chat that is in use', async () => {
  await fill();
  clock.advance(IN_USE_MS);
  await expect(chats.open('one more', t)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 60,
  });
  for (const session of sessionsOf(MAX_CHATS)) expect(chats.find(session)).not.toBeNull();
});

test('a chat that nobody uses is forgotten; a later one of the same browser is newer', async () => {
  const before = await chats.open('session', t);
  clock.advance(MAX_IDLE_MS + 1_000);
  await chats.open('another', t);
  expect(chats.find('session')).toBeNull();
  expect((await chats.open('session', t)).version()).toBeGreaterThan(before.version());
});

test.each(['tenant', 'people'] as const)(
  'a store that fails once (%s) spoils only that act',
  async (part) => {
    failures[part].push(down);
    await expect(chats.open('session', t)).rejects.toBe(down);
    await chats.open('session', t);
    expect(forgotten).toHaveLength(1);
    failures[part].push(down);
    await chats.remove('session');
    expect(problems).toEqual([down]);
    expect(chats.find('session')).toBeNull();
  },
);
