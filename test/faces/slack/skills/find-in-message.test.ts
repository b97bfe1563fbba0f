import { expect, test } from 'vitest';
import type { Reply } from '../../../../src/faces/slack/listener.ts';
import { extractSkillsText } from '../../../../src/faces/slack/skills/skills.ts';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { afterwardsOf, checked, choicesIn, messageOf, startSkills, textIn, viewIn } from './start-skills.ts';

test.each([
  ['entities', 'R&amp;D &lt;fast&gt;', 'R&D <fast>'],
  [
    'mentions',
    '<@U1> and <@U2|ada>: who knows Python? <!here> <!subteam^S1|@devs> <#C1|general>',
    'and : who knows Python?',
  ],
  ['addresses', 'See <https://example.org/a> or www.example.org or a@example.org', 'See or or'],
  [
    'links, which leave their words',
    '<https://example.org/a|The Docker book> and <https://example.org/b|https://example.org/b>',
    'The Docker book and',
  ],
  ['mail links', 'Ask <mailto:a@example.org|a@example.org>', 'Ask'],
  ['code', 'Run `npm i` then ```docker\nrun``` for Kubernetes', 'Run then for Kubernetes'],
  ['code that does not end', 'Kubernetes ```docker run', 'Kubernetes'],
  ['marks and pictures', '*Python* and _SQL_ ~Java~ :tada: snake_case', 'Python and SQL Java snake_case'],
  ['quotations', '&gt; learn Docker\n&gt; and SQL', 'learn Docker and SQL'],
  ['nothing', '<@U1> :wave: `x`', ''],
])('reads a message without %s', (_, text, said) => {
  expect(extractSkillsText(text)).toBe(said);
});

test.each(['a', 'a@', 'a.', '*', '*_~`<:', '\n', ' ', '&gt;', '<', '<https:', ':a', '```', '-"'])(
  'a long message of %j alone is read before anybody stops waiting',
  (part) => {
    expect(extractSkillsText(part.repeat(40_000 / part.length)).length).toBeLessThanOrEqual(40_000);
  },
);

const { learning } = openStarterService();

const messageWith = (text: string, threadTs: string | null = null) => ({ text, ts: '1.2', threadTs });
const TEXT = '<@U2> who could teach *Docker* and _Kubernetes_? <https://example.org/a> `npm i`';

const foundBy = async (reply: Reply) => checked(await afterwardsOf(reply));

test('opens a modal at once, then shows the skills of the message with objects for the first', async () => {
  const { shortcut, searched } = await startSkills(learning);
  const reply = await shortcut('find_learning', messageWith(TEXT));
  expect(JSON.stringify(viewIn(reply))).toContain('Searching…');
  expect(searched).toEqual([]);
  const found = await foundBy(reply);
  expect(found.kind).toBe('replace');
  const text = textIn(messageOf(found));
  expect(text).toContain('*Docker*');
  expect(text).toContain('*Kubernetes*');
  expect(text).not.toContain('example.org');
  const { typed } = searched[0]!;
  expect(text.endsWith(`Objects for ${typed}`)).toBe(true);
  expect(['Docker', 'Kubernetes']).toContain(typed);
});

test.each([
  ['its thread', '1.1'],
  ['its conversation', null],
])('can share to %s', async (_, threadTs) => {
  const { shortcut, click, searched, posted } = await startSkills(learning);
  const found = messageOf(await foundBy(await shortcut('find_learning', messageWith(TEXT, threadTs))));
  expect(JSON.stringify(found)).not.toContain('hooks.example.org');
  const shareTo = { channelId: 'C1', threadTs, responseUrl: 'https://hooks.example.org/secret' };
  expect(searched[0]!.shareTo).toEqual(shareTo);
  await click(found, 'Share in the conversation', { inModal: true });
  expect(posted[0]).toMatchObject({
    responseUrl: shareTo.responseUrl,
    threadTs: threadTs ?? undefined,
  });
  await click(found, 'Find learning', { inModal: true });
  expect(searched[1]!.shareTo).toEqual(shareTo);
});

test.each([
  ['no text', '', 'has no text to read'],
  ['nothing but code and mentions', '<@U1> `docker`', 'has no text to read'],
  ['no skill', 'Lunch at noon?', 'We recognised no skill'],
])('offers the search form for a message with %s', async (_, text, said) => {
  const { shortcut, savedStates } = await startSkills(learning);
  const found = messageOf(await foundBy(await shortcut('find_learning', messageWith(text, '1.1'))));
  expect(textIn(found)).toContain(said);
  const [button, ...others] = choicesIn(found);
  expect(button).toMatchObject({ actionId: 'search_open', text: 'Search instead' });
  expect(others).toEqual([]);
  const owner = { tenantId: 'default', person: 'slack:T1:U1' };
  expect(await savedStates.find(owner, button!.value)).toMatchObject({
    kind: 'search',
    words: text.startsWith('Lunch') ? text : '',
    shareTo: { threadTs: '1.1' },
  });
});

test('treats an unreadable message as one without text', async () => {
  const { shortcut } = await startSkills(learning);
  const found = await foundBy(await shortcut('find_learning', null));
  expect(textIn(messageOf(found))).toContain('has no text to read');
});
