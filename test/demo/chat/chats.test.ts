import { beforeEach, expect, test } from 'vitest';
import { makeChatState } from '../../../demo/chat/chat-state.ts';
import {
  type Chats,
  createChats,
  IN_USE_MS,
  MAX_CHATS,
  MAX_CHATS_OF_ADDRESS,
  MAX_IDLE_MS,
} from '../../../demo/chat/chats.ts';
import { toSlackPeoplePrefix, toSlackPerson } from '../../../src/domain/slack.ts';
import { createStandingClock } from '../../fakes/clock.ts';

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

/** From an address of its own, unless one is named. */
const open = (session: string, address = session) => chats.open(session, { t, address });
const sessionsOf = (count: number) => Array.from({ length: count }, (_, number) => `session ${number}`);

async function fill(): Promise<void> {
  for (const session of sessionsOf(MAX_CHATS)) await open(session);
}

test('what people of the chats of an earlier process kept is forgotten once, and of nobody else', async () => {
  await fill();
  expect(forgotten).toHaveLength(1);
  const prefix = forgotten[0]!.replace('tenant ', '');
  const { world } = await open('session 1');
  expect(toSlackPerson(world.teamId, world.members[0].id).startsWith(prefix)).toBe(true);
  expect(toSlackPerson('T0ACME', 'U1').startsWith(prefix)).toBe(false);
});

test('who only looks has no chat, and sees what will be in it', async () => {
  const seenIn = (chat: ReturnType<Chats['preview']>) =>
    makeChatState(chat, { userId: chat.world.members[0].id, channelId: chat.world.channels[0]!.id });
  const shown = seenIn(chats.preview('session', t));
  expect(chats.find('session')).toBeNull();
  clock.advance(60_000);
  const { version, ...rest } = seenIn(await open('session'));
  expect(shown).toMatchObject(rest);
  expect(version).toBeGreaterThan(shown.version);
  expect(shown.messages.length).toBeGreaterThan(0);
});

test('acts that come at once are done in one chat', async () => {
  const [one, other] = await Promise.all([open('session'), open('session')]);
  expect(one).toBe(other);
});

test('the oldest chat makes room, with what is kept of its people', async () => {
  await fill();
  await open('session 0');
  const { teamId } = chats.find('session 1')!.world;
  clock.advance(IN_USE_MS + 1);
  await open('one more');
  expect(chats.find('session 1')).toBeNull();
  expect(chats.findByTeam(teamId)).toBeNull();
  expect(chats.find('session 0')).not.toBeNull();
  expect(forgotten.at(-1)).toBe(`tenant ${toSlackPeoplePrefix(teamId)}`);
});

test('whoever comes takes no chat that is in use', async () => {
  await fill();
  clock.advance(IN_USE_MS);
  await expect(open('one more')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 60,
  });
  for (const session of sessionsOf(MAX_CHATS)) expect(chats.find(session)).not.toBeNull();
});

test('a chat that is only looked at keeps nobody out', async () => {
  await fill();
  clock.advance(IN_USE_MS + 1);
  for (const session of sessionsOf(MAX_CHATS)) chats.find(session);
  await open('one more');
  expect(chats.find('session 0')).toBeNull();
});

test('an address that has many takes its own oldest, also while all are in use', async () => {
  const own = sessionsOf(MAX_CHATS_OF_ADDRESS);
  await open('somebody else');
  for (const session of own) await open(session, 'one address');
  await open('one more', 'one address');
  expect(chats.find('session 0')).toBeNull();
  for (const session of ['session 1', 'somebody else']) expect(chats.find(session)).not.toBeNull();
  expect(forgotten).toHaveLength(2);
});

test('a chat that nobody uses is forgotten; a later one of the same browser is newer', async () => {
  const before = await open('session');
  clock.advance(MAX_IDLE_MS + 1_000);
  await open('another');
  expect(chats.find('session')).toBeNull();
  expect((await open('session')).version()).toBeGreaterThan(before.version());
});

test.each(['tenant', 'people'] as const)('a store that fails once (%s) spoils only that act', async (part) => {
  failures[part].push(down);
  await expect(open('session')).rejects.toBe(down);
  await open('session');
  expect(forgotten).toHaveLength(1);
  failures[part].push(down);
  await chats.remove('session');
  expect(problems).toEqual([down]);
  expect(chats.find('session')).toBeNull();
});
