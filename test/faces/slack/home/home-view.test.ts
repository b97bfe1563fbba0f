import { afterEach, describe, expect, test } from 'vitest';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import { noPreferences } from '../../../../src/domain/person.ts';
import { createSlackRefusalError } from '../../../../src/faces/slack/slack-api/slack-api.ts';
import { startPlanContent } from '../../../../src/services/people/plans/plans.ts';
import { bareObject, fullObject } from '../../../fakes/learning-service.ts';
import { createFakePictures } from '../../../fakes/pictures.ts';
import { ada, adaInCourse, buttonsOf, markedUp, type StartedHome, startHome, textsOf } from './start-home.ts';

let home: StartedHome;
afterEach(() => home.close());

const numbered = (number: number): LearningObject => ({
  ...bareObject,
  title: `Object ${number}`,
  url: `https://example.org/${number}`,
});

test('says what to do if nothing is saved yet', async () => {
  home = await startHome();
  const text = textsOf(await home.open());
  expect(text).toContain('/learn docker');
  expect(text).toContain('Nothing saved yet.');
  expect(text).toContain('No searches yet.');
  expect(text).toContain('No preferences yet');
  expect(buttonsOf(home.home(), 'search_open')).toHaveLength(1);
  expect(buttonsOf(home.home(), 'home_unlink')).toEqual([]);
});

test('lists plans with links that open them in any browser', async () => {
  home = await startHome();
  const objects = [{ object: fullObject, requestId: null }];
  const { id } = await home.plans.make(ada, startPlanContent('One | plan', objects));
  const text = textsOf(await home.open());
  expect(text).toContain('Your plans');
  const [, plan, ticket = ''] =
    /<https:\/\/skills\.example\.org\/plans\/([^?]+)\?ticket=([^|]+)\|One ¦ plan> · 1 resource/.exec(text) ?? [];
  expect(plan).toBe(id);
  expect(home.personSessions.readTicket(ticket)).toEqual(ada);
});

test('lists the five plans that were changed last, and leads to all', async () => {
  home = await startHome();
  for (let number = 1; number <= 6; number++) await home.plans.make(ada, startPlanContent(`Plan ${number}`, []));
  const text = textsOf(await home.open());
  expect(text.match(/\|Plan \d>/g)).toHaveLength(5);
  expect(text).toMatch(/<https:\/\/skills\.example\.org\/plans\?ticket=[^|]+\|All plans \(6\)>/);
});

test('links plans and My data also where the address of the host is long', async () => {
  const publicUrl = `https://${'skills.'.repeat(18)}example.org`;
  home = await startHome({ publicUrl });
  for (let number = 1; number <= 6; number++)
    await home.plans.make(ada, startPlanContent(`Plan ${number} ${'& more '.repeat(20)}`, []));
  const text = textsOf(await home.open());
  expect(text.match(/\/plans\/[^|]+\|Plan \d &amp; more [^\n]+…> · 0 resources\n/g)).toHaveLength(5);
  expect(text).toMatch(/\?ticket=[^|]+\|All plans \(6\)>/);
  const [, address = '', key = ''] = /<([^|>]+\/my-data\?key=([^|]+))\|My data>/.exec(text) ?? [];
  expect(address.startsWith(`${publicUrl}/my-data`)).toBe(true);
  expect(home.personData.openDataLink(key)).toEqual({ tenantId: ada.tenantId, accounts: [ada.person], emails: [] });
});

test('shows saved objects with link, facts and picture', async () => {
  home = await startHome();
  await home.save(fullObject);
  const { plain } = createFakePictures().linkTo(fullObject.picture!)!;
  const view = await home.open();
  const text = textsOf(view);
  expect(text).toContain('Saved (1)');
  expect(text).toContain('<https://example.org/python|Python for everybody>');
  expect(text).toContain('YouTube · MOOC, Career profile · Easy · 1 h 30 min · Free · English · Lyon');
  expect(JSON.stringify(view.blocks)).toContain(`"image_url":"https://skills.example.org${plain}"`);
});

test('is shown without pictures if Slack cannot fetch one', async () => {
  home = await startHome();
  await home.save(fullObject);
  home.refuseOnce(createSlackRefusalError('invalid_blocks'));
  const sent = JSON.stringify(await home.open());
  expect(sent).toContain('Python for everybody');
  expect(sent).not.toContain('image_url');
  expect(home.problems).toHaveLength(1);
  home.refuseOnce(createSlackRefusalError('fatal_error'));
  await expect(home.open()).rejects.toMatchObject({ code: 'SLACK_FAILED' });
});

test('shows five at a time, the newest first', async () => {
  home = await startHome();
  for (let number = 1; number <= 12; number++) {
    await home.save(numbered(number));
    home.clock.advance(1_000);
  }
  const shown = () => textsOf(home.home()).match(/Object \d+(?=>)/g);
  await home.open();
  expect(shown()).toEqual(['Object 12', 'Object 11', 'Object 10', 'Object 9', 'Object 8']);
  expect(buttonsOf(home.home(), 'home_page_previous')).toEqual([]);
  expect(buttonsOf(home.home(), 'home_page_next')).toEqual(['1']);
  await home.click('home_page_next', '1');
  expect(textsOf(home.home())).toContain('6–10 of 12');
  expect(buttonsOf(home.home(), 'home_page_previous')).toEqual(['0']);
  await home.click('home_page_next', '2');
  expect(shown()).toEqual(['Object 2', 'Object 1']);
  expect(buttonsOf(home.home(), 'home_page_next')).toEqual([]);
});

test('shows the last page in place of one that no longer exists', async () => {
  home = await startHome();
  for (let number = 1; number <= 6; number++) await home.save(numbered(number));
  await home.open();
  await home.click('home_page_next', '99');
  expect(textsOf(home.home())).toContain('6–6 of 6');
  await home.click('home_page_next', 'nonsense');
  expect(textsOf(home.home())).toContain('1–5 of 6');
});

test('has room for everything that can be saved', async () => {
  home = await startHome();
  for (let number = 1; number <= 12; number++) await home.save(numbered(number));
  for (let number = 1; number <= 50; number++) await home.people.saveSearch(ada, `saved ${number}`);
  for (let number = 1; number <= 10; number++) await home.people.noteSearch(ada, `noted ${number}`);
  await home.open();
  expect(buttonsOf(home.home(), 'home_search')).toHaveLength(60);
  await home.click('home_remove', buttonsOf(home.home(), 'home_remove')[0]);
  expect(home.home().blocks.length).toBeLessThanOrEqual(100);
  expect(buttonsOf(home.home(), 'home_preferences')).toHaveLength(1);
});

test('names preferences in words', async () => {
  home = await startHome();
  await home.people.changePreferences(ada, {
    locale: 'fr',
    lang: 'en',
    level: 'beginner',
    types: ['mooc', 'video'],
    providers: ['openlearn', 'gone'],
    itemsPerPage: 10,
  });
  const text = textsOf(await home.open());
  expect(text).toContain('*Réponses\u00a0:* Français');
  expect(text).toContain('*Langue\u00a0:* Anglais');
  expect(text).toContain('*Niveau\u00a0:* Pour débuter');
  expect(text).toContain('OpenLearn et gone');
  expect(text).toContain('*Résultats par page\u00a0:* 10');
});

test('is in the language of Slack if no other is preferred', async () => {
  home = await startHome({ slackLocale: 'fr' });
  expect(textsOf(await home.open())).toContain('Rien d’enregistré pour l’instant.');
});

describe.each(['en', 'fr'] as const)('in %s, what others wrote', (slackLocale) => {
  const hostile = [
    '<!channel> *bold* <https://evil.example|click>',
    '&lt;!here&gt; & <@U1>',
    `${'🧑‍🚀'.repeat(1_000)}`,
    '\u202eabc | def',
    'x'.repeat(5_000),
  ];

  test('calls nobody and breaks nothing', async () => {
    home = await startHome({ slackLocale });
    for (const [index, title] of hostile.entries()) {
      await home.save({
        ...fullObject,
        title,
        url: `https://example.org/${index}?q=${'a|<>&'.repeat(100)}`,
        provider: title.slice(0, 2_000),
        type: [title.slice(0, 500)],
        address: '<!everyone>',
        picture: `https://example.org/${'p'.repeat(4_000)}`,
      });
      await home.people.noteSearch(ada, title);
      await home.people.saveSearch(ada, title.slice(0, 1_000));
    }
    await home.people.link(adaInCourse, (await home.people.createLinkCode(ada)).code);
    await home.people.changePreferences(ada, {
      ...noPreferences,
      types: ['<!channel>'],
      providers: ['<@U1>'],
    });
    const marked = markedUp(await home.open());
    expect(marked).toContain('&lt;!channel&gt;');
    expect(marked).not.toMatch(/<[!@]|<https:\/\/evil/);
    expect(buttonsOf(home.home(), 'home_remove')).toHaveLength(5);
    for (const value of buttonsOf(home.home(), 'home_similar')) {
      const reply = await home.click('home_similar', value);
      expect(reply.kind).toBe('modal');
    }
  });
});
