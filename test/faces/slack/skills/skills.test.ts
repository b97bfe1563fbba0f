import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import type { Message } from '../../../../src/faces/slack/blocks/block-kit.ts';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { choicesIn, messageOf, startSkills, textIn } from './start-skills.ts';

const { learning } = openStarterService();
const start = () => startSkills(learning);

describe('/skills with words', () => {
  test('gives terms by taxonomy, best first, each with its actions', async () => {
    const { command } = await start();
    const reply = await command('data analyst');
    expect(reply.kind).toBe('message');
    const lines = textIn(messageOf(reply)).split('\n').filter(Boolean);
    expect(lines.slice(0, 2)).toEqual(['Skills for “data analyst”', '*data analyst*  ·  Skilldock']);
    // U13: five terms, each with one menu; no synonym of a term that is there.
    const terms = lines.filter((line) => line.includes('  ·  '));
    expect(terms).toHaveLength(5);
    expect(lines.join()).not.toContain('synonyms');
    expect(
      choicesIn(messageOf(reply))
        .map(({ text }) => text)
        .slice(0, 4),
    ).toEqual(['Find learning', 'Similar terms', 'Save this search', 'Share in the conversation']);
    expect(messageOf(reply).text).toMatch(/^Skills for “data analyst”: data analyst, /);
  });

  test('links the pages of skills, where they have any', async () => {
    const { command } = await startSkills(learning, { skills: true });
    const page = 'https://skills.example.org/skills';
    expect(textIn(messageOf(await command('data analyst')))).toMatch(
      new RegExp(`\\*<${page}/skilldock:[\\w-]+\\|data analyst>\\*  ·  Skilldock`),
    );
    const text = 'We look for somebody who writes Python programs. Good project management matters to us.';
    expect(textIn(messageOf(await command(text)))).toMatch(new RegExp(`\\*<${page}[^|>]+\\|[^>]+>\\*`));
  });

  test('reads entities of Slack as they were typed', async () => {
    const { command } = await start();
    expect(textIn(messageOf(await command('R&amp;D')))).toContain('“R&D”');
  });

  test('Walk U13: shows all terms of a taxonomy, and goes back', async () => {
    const { command, click } = await start();
    const first = messageOf(await command('data analyst'));
    const all = await click(first, choicesIn(first).find(({ text }) => text.startsWith('Skilldock: '))!.text);
    expect(all.kind).toBe('replace');
    expect(textIn(messageOf(all))).toContain('*build dashboards*');
    expect(textIn(messageOf(all))).not.toContain('synonyms');
    expect(messageOf(await click(messageOf(all), 'Back'))).toEqual(first);
  });

  test('finds learning for a term', async () => {
    const { command, click, searched } = await start();
    const reply = await click(messageOf(await command('docker')), 'Find learning');
    expect(reply.kind).toBe('message');
    expect(searched).toEqual([{ typed: 'Docker', shareTo: undefined }]);
  });

  test('shows similar terms in place, with a way back', async () => {
    const { command, click } = await start();
    const first = messageOf(await command('pyhton'));
    const similar = await click(first, 'Similar terms');
    expect(similar.kind).toBe('replace');
    expect(textIn(messageOf(similar))).toContain('Skills for “Python”');
    expect(messageOf(await click(messageOf(similar), 'Back'))).toEqual(first);
  });

  test('proposes another spelling, and searches for it', async () => {
    const { command, click } = await start();
    const first = messageOf(await command('data analist'));
    expect(textIn(first)).toContain('Did you mean *data analyst*?');
    const meant = messageOf(await click(first, 'Search'));
    expect(textIn(meant)).toContain('Skills for “data analyst”');
    expect(textIn(meant)).not.toContain('Did you mean');
  });

  test('proposes what to do if nothing is found', async () => {
    const { command, click, act, searched } = await start();
    const nothing = messageOf(await command('xqzwkjhg'));
    expect(textIn(nothing)).toContain('No skill found for “xqzwkjhg”');
    expect(choicesIn(nothing).map(({ text }) => text)).toEqual([
      'Type or paste something else',
      'Find learning for these words',
    ]);
    expect(JSON.stringify(nothing).match(/"text":"([^"]*)"[^}]*},"value":"[^"]*","style":"primary"/)?.[1]).toBe(
      'Type or paste something else',
    );
    await click(nothing, 'Find learning for these words');
    expect(searched).toEqual([{ typed: 'xqzwkjhg', shareTo: undefined }]);
    const asked = await act('skills_ask', choicesIn(nothing)[0]!.value);
    expect(JSON.stringify(asked)).toContain('"initial_value":"xqzwkjhg"');
  });

  test('answers in the language of the reader', async () => {
    const { command } = await start();
    const text = textIn(messageOf(await command('données', { locale: 'fr' })));
    expect(text).toContain('Compétences pour «\u00a0données\u00a0»');
    expect(text).not.toContain('synonym');
  });

  test('finds a term that only another language has', async () => {
    const { command } = await start();
    expect(textIn(messageOf(await command('hygiène alimentaire')))).toMatch(/\*(hygiène alimentaire|food)/);
  });
});

describe('related terms', () => {
  const relatedIn = (message: Message) =>
    choicesIn(message).flatMap(({ actionId, text }) => (actionId.startsWith('skills_try_') ? [text] : []));

  test.each([
    [
      'data analyst',
      'en',
      ['business intelligence analyst', 'cybersecurity analyst', 'financial analyst', 'SQL', 'clean data'],
    ],
    ['AI', 'en', ['AI ethics', 'explainable AI', 'knowledge graphs']],
    ['docker', 'en', ['microservices', 'DevOps']],
    ['docker', 'fr', ['microservices', 'DevOps']],
  ] as const)('of %s (%s) are those that are nearest but not shown', async (typed, locale, expected) => {
    const { command } = await start();
    const found = messageOf(await command(typed, { locale }));
    const related = relatedIn(found);
    expect(related.slice(0, expected.length)).toEqual(expected);
    const labels = (await learning.ask('similar', { keywords: typed, lang: locale, max: 40 })).map(
      ({ label }) => label,
    );
    expect(labels).toEqual(expect.arrayContaining(related));
    for (const label of related) expect(textIn(found)).not.toContain(`*${label}*`);
  });

  test('are searched for in place', async () => {
    const { command, click } = await start();
    const similar = messageOf(await click(messageOf(await command('data analyst')), 'SQL'));
    expect(textIn(similar)).toContain('Skills for “SQL”');
  });
});

describe('/skills with a text', () => {
  const ADVERT = 'We are looking for a data analyst who knows Python and SQL. Experience with Tableau is a plus.';

  test('gives the skills that it mentions, in its language', async () => {
    const { command, click, searched } = await start();
    const found = messageOf(await command(ADVERT));
    const text = textIn(found);
    expect(text).toMatch(/^\d+ skills in this text/);
    expect(text).toContain('English');
    for (const skill of ['*data analyst*', '*Python*', '*SQL*']) expect(text).toContain(skill);
    expect(text).not.toContain('Taxonomy');
    await click(found, 'Find learning');
    expect(searched[0]!.typed).toBe('SQL');
  });

  test('reads a sentence that names no skill as a text', async () => {
    const { command } = await start();
    const text = textIn(messageOf(await command('We need somebody who knows Python and SQL')));
    expect(text).toContain('skills in this text');
    expect(text).toContain('*Python*');
  });

  test('says so if it recognises nothing', async () => {
    const { command } = await start();
    const nothing = messageOf(await command('Xqz wkj hgf mnb. Qwx zzt kkp.'));
    expect(textIn(nothing)).toContain('No skill was recognised in this text');
    expect(choicesIn(nothing).map(({ text }) => text)).toEqual(['Type or paste something else']);
  });
});

test.each(['help', 'HELP', ' aide '])('/skills %s explains itself', async (typed) => {
  const { command } = await start();
  expect(textIn(messageOf(await command(typed)))).toContain('`/skills data analyst`');
});

describe('the menu of a term', () => {
  test('saves it as a search, once', async () => {
    const { command, click, people } = await start();
    const found = messageOf(await command('docker'));
    const owner = { tenantId: 'default', person: 'slack:T1:U1' };
    const reply = await click(found, 'Save this search');
    await click(found, 'Save this search');
    expect(textIn(messageOf(reply))).toContain('Home');
    expect(await people.listSavedSearches(owner)).toEqual(['Docker']);
    expect(await people.listSearches(owner)).toEqual([]);
  });

  test('shares it in the name of the person, once', async () => {
    const { command, click, posted } = await start();
    const found = messageOf(await command('docker'));
    expect((await click(found, 'Share in the conversation')).kind).toBe('done');
    const again = await click(found, 'Share in the conversation');
    expect(textIn(messageOf(again))).toBe('You have already shared this here.');
    expect(posted).toHaveLength(1);
    expect(posted[0]!.responseUrl).toBe('https://hooks.example.org/secret');
    expect(textIn(posted[0]!.message)).toBe(
      '<@U1> shares a skill: *Docker* (Skilldock)\n`/learn Docker` finds resources for it.',
    );
    expect(choicesIn(posted[0]!.message)).toEqual([]);
  });

  test('shares it once from whichever list', async () => {
    const { command, click, posted } = await start();
    for (let i = 0; i < 2; i++) await click(messageOf(await command('docker')), 'Share in the conversation');
    expect(posted).toHaveLength(1);
    await click(messageOf(await command('docker', { channelId: 'C2' })), 'Share in the conversation', {
      channelId: 'C2',
    });
    await click(messageOf(await command('python')), 'Share in the conversation');
    expect(posted).toHaveLength(3);
  });

  test('can share it again after a failure', async () => {
    const { command, click, posted, failNextPost } = await start();
    const found = messageOf(await command('docker'));
    failNextPost(new AppError('SLACK_FAILED', 'Slack is down.', { data: { slackError: 'fatal_error' } }));
    await expect(click(found, 'Share in the conversation')).rejects.toThrow('Slack is down.');
    expect((await click(found, 'Share in the conversation')).kind).toBe('done');
    expect(posted).toHaveLength(1);
  });

  test('posts as the app after the response URL has expired', async () => {
    const { command, click, posted, failNextPost } = await start();
    const found = messageOf(await command('docker'));
    failNextPost(new AppError('SLACK_RESPONSE_EXPIRED', 'Too late.'));
    expect((await click(found, 'Share in the conversation')).kind).toBe('done');
    expect(posted.map(({ responseUrl, channelId }) => [responseUrl, channelId])).toEqual([[null, 'C1']]);
  });

  test('explains that the app may not post here, and can be tried again', async () => {
    const { command, click, posted, failNextPost } = await start();
    const found = messageOf(await command('docker'));
    failNextPost(new AppError('SLACK_NOT_IN_CHANNEL', 'Not in there.'));
    const refused = await click(found, 'Share in the conversation');
    expect(textIn(messageOf(refused))).toContain('Slack does not let the app post here.');
    expect((await click(found, 'Share in the conversation')).kind).toBe('done');
    expect(posted).toHaveLength(1);
  });

  test('does not offer to share without a conversation', async () => {
    const { command, act } = await start();
    const found = messageOf(await command('docker', { channelId: null, responseUrl: null }));
    expect(choicesIn(found).map(({ text }) => text)).not.toContain('Share in the conversation');
    const { value } = choicesIn(found).find(({ actionId }) => actionId === 'skills_menu')!;
    const refused = await act('skills_menu', value.replace('learn:', 'share:'), { inModal: true });
    expect(textIn(messageOf(refused))).toContain('belongs to no conversation');
  });
});

describe('buttons', () => {
  test('carry a short token and nothing else', async () => {
    const { command } = await start();
    const found = messageOf(await command('data analyst'));
    const values = choicesIn(found).map(({ value }) => value);
    expect(values.filter((value) => !/^(?:\w+:)?[\w-]{16}(?::\d+)?$/.test(value))).toEqual([]);
    expect(JSON.stringify(found)).not.toContain('hooks.example.org');
  });

  test.each([
    ['skills_learn', 'AAAAAAAAAAAAAAAA:0'],
    ['skills_menu', 'similar:AAAAAAAAAAAAAAAA:0'],
    ['skills_menu', 'share:nonsense'],
    ['skills_try_3', 'AAAAAAAAAAAAAAAA:0'],
    ['skills_group', 'AAAAAAAAAAAAAAAA:0'],
    ['skills_back', 'AAAAAAAAAAAAAAAA'],
    ['skills_ask', '-'],
  ])('%s of an expired list says so', async (actionId, value) => {
    const { act } = await start();
    await expect(act(actionId, value)).rejects.toMatchObject({ code: 'SLACK_STATE_OVER' });
  });

  test('are refused for anybody else', async () => {
    const { command, click } = await start();
    const found = messageOf(await command('docker'));
    const other = click(found, 'Find learning', { userId: 'U2' });
    await expect(other).rejects.toMatchObject({ code: 'SLACK_STATE_OVER' });
  });

  test('that name no term are refused', async () => {
    const { command, act } = await start();
    const { value } = choicesIn(messageOf(await command('docker')))[0]!;
    const wrong = act('skills_learn', `${value.split(':')[1]}:999`);
    await expect(wrong).rejects.toMatchObject({ code: 'PARAMETERS_INVALID' });
  });

  test('with an unknown menu choice are refused', async () => {
    const { act } = await start();
    await expect(act('skills_menu', 'other:AAAAAAAAAAAAAAAA:0')).rejects.toMatchObject({
      code: 'PARAMETERS_INVALID',
    });
  });
});
