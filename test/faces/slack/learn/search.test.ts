import { describe, expect, test } from 'vitest';
import { DEFAULT_TENANT, initialDefaults } from '../../../../src/domain/tenant.ts';
import { findSearchBeginning } from '../../../../src/faces/slack/search-modal/search-modal.ts';
import type { OperationHandlers, SearchAnswer } from '../../../../src/ports/learning-service.ts';
import { createFakeLearningService } from '../../../fakes/learning-service.ts';
import { createFakePictures } from '../../../fakes/pictures.ts';
import { tester } from '../../../helpers/open-services.ts';
import { buttonTexts, choicesIn, chosenIn, messageOf, textIn } from './read-message.ts';
import { manyObjects, serviceWith } from './scripted-service.ts';
import { startLearn } from './start-learn.ts';

test('shows five objects on a page, with the facts of each', async () => {
  const { command } = await startLearn(serviceWith(manyObjects(12), {}, 'B00'));
  const found = await command('python');
  expect(found.text).toBe('12 resources for “python”: Course 1, Course 2, Course 3, Course 4, Course 5');
  expect(textIn(found)).toContain(
    '<https://example.org/courses/1|Course 1>\nYouTube · MOOC, Career profile · Easy · 1 h 30 min · Free · English · Lyon\nAn introduction.',
  );
  expect(textIn(found)).toContain('No exact matches for everything – closest first.');
  expect(textIn(found)).toContain('Page 1 of 3');
  expect(textIn(found).match(/\|Course/g)).toHaveLength(5);
  const [first] = found.blocks.flatMap((block) => (block.type === 'section' ? [block.accessory] : []));
  expect(first).toMatchObject({
    image_url: `https://skills.example.org${createFakePictures().linkTo('https://example.org/python.png')!.plain}`,
    alt_text: 'Picture of “Course 1”',
  });
});

test('puts objects in another language and close ones below headings', async () => {
  const service = serviceWith(manyObjects(4), {}, 'B00');
  const tiered = (tiers: SearchAnswer['tiers']) => {
    const search: OperationHandlers['searchProvider'] = async (query) => ({
      ...(await service.ask('searchProvider', query)),
      tiers: tiers!,
    });
    return startLearn({ ...service, searchProvider: search, searchMany: search });
  };
  const mixed = await tiered(['fitting', 'other-language', 'close', 'close']);
  expect(textIn(await mixed.command('python'))).toMatch(
    /Course 1[\s\S]*In other languages[\s\S]*\|Course 2>[\s\S]*Close matches[\s\S]*\|Course 3>/,
  );
  const near = await tiered(['close', 'close', 'close', 'close']);
  const found = textIn(await near.command('python'));
  expect(found).toContain('These results are only close to your search.');
  expect(found).not.toContain('Close matches');
});

test('answers in French', async () => {
  const { command } = await startLearn();
  const found = await command('python', { locale: 'fr' });
  expect(textIn(found)).toContain('12 ressources pour «\u00a0python\u00a0»');
  expect(buttonTexts(found)).toContain('Enregistrer');
});

test('passes every typed filter to the service, and shows it as a chip and in its menu', async () => {
  const service = serviceWith(manyObjects(12));
  const { command } = await startLearn(service);
  const found = await command(
    'python type:vidéo,article lang:français level:débutant free provider:youtube max:30min min:5 bloom:apply sort:random',
  );
  expect(service.queries[0]).toMatchObject({
    keywords: 'python',
    types: ['video', 'article'],
    lang: 'fr',
    levelMax: -0.2,
    free: true,
    providers: ['youtube'],
    learningTimeMin: 5,
    learningTimeMax: 30,
    blooms: ['Apply'],
    sort: 'random',
    max: 5,
    page: 0,
  });
  expect([...service.queries[0]!.important].sort()).toEqual([
    'bloom',
    'free',
    'lang',
    'learningTime',
    'level',
    'provider',
    'type',
  ]);
  expect(buttonTexts(found).slice(0, 9)).toEqual([
    'Type: Video ×',
    'Type: Article ×',
    'Language: French ×',
    'Level: For beginners ×',
    'Length: 5 min to 30 min ×',
    'Price: Free only ×',
    'Provider: YouTube ×',
    'Objective: Apply ×',
    'Sorted by: Random order ×',
  ]);
  expect(choicesIn(found)[0]!.label).toBe('Remove Type: Video');
  expect(chosenIn(found)).toEqual([
    'Video, Article',
    'French',
    'For beginners',
    '5 min to 30 min',
    'Free only',
    'YouTube',
  ]);
});

test('shows menus without a limit if there are no filters', async () => {
  const { command } = await startLearn();
  expect(chosenIn(await command('python'))).toEqual([
    'Any type',
    'Any language',
    'Any level',
    'Any length',
    'Free and paid',
    'All providers',
  ]);
});

test('names unknown values with the possible ones, and searches for the rest', async () => {
  const service = serviceWith(manyObjects(1));
  const { command } = await startLearn(service);
  const found = await command('python lang:klingon level:hard max:soon type:video');
  expect(service.queries[0]).toMatchObject({ keywords: 'python', types: ['video'] });
  expect(service.queries[0]).not.toHaveProperty('lang');
  expect(textIn(found)).toContain('“klingon” isn’t an available language. Try English, French, or German.');
  expect(textIn(found)).toContain('“hard” isn’t a level. Try beginner, intermediate, or advanced.');
  expect(textIn(found)).toContain('“soon” isn’t a duration.');
});

describe('a preference', () => {
  const preferences = {
    lang: 'fr',
    types: ['video'],
    providers: ['youtube'],
    level: 'advanced',
    itemsPerPage: 3,
  } as const;

  test('is applied at first, and yields', async () => {
    const service = serviceWith(manyObjects(12));
    const { command } = await startLearn(service, { preferences });
    const found = await command('python');
    expect(service.queries[0]).toMatchObject({
      lang: 'fr',
      types: ['video'],
      providers: ['youtube'],
      levelMin: 0.2,
      max: 3,
    });
    expect([...service.queries[0]!.important]).toEqual(['provider']);
    expect(buttonTexts(found)).toContain('Language: French ×');
  });

  test('is ignored if something else is typed, or it is removed', async () => {
    const service = serviceWith(manyObjects(12));
    const { command, click } = await startLearn(service, { preferences });
    const found = await command('python lang:en');
    expect(service.queries[0]).toMatchObject({ lang: 'en' });
    await click(found, 'Type: Video ×');
    expect(service.queries.at(-1)).toMatchObject({ types: [], lang: 'en' });
  });
});

test("applies the tenant's defaults", async () => {
  const service = serviceWith(manyObjects(1));
  const { command, services } = await startLearn(service);
  const { version } = await services.tenants.getTenant(DEFAULT_TENANT);
  const defaults = { ...initialDefaults, lang: 'fr', freeOnly: true, providers: ['openlearn'] };
  await services.tenants.changeTenant(tester, DEFAULT_TENANT, { version, defaults });
  const found = await command('python');
  expect(service.queries[0]).toMatchObject({ lang: 'fr', free: true, providers: ['openlearn'] });
  expect(buttonTexts(found)).toContain('Provider: OpenLearn ×');
});

test("puts the tenant's language before the person's", async () => {
  const service = serviceWith(manyObjects(1));
  const { command, services } = await startLearn(service);
  const { version } = await services.tenants.getTenant(DEFAULT_TENANT);
  const defaults = { ...initialDefaults, prefer: 'fr' };
  await services.tenants.changeTenant(tester, DEFAULT_TENANT, { version, defaults });
  await command('python');
  await command('python lang:de');
  expect(service.queries.map(({ lang, prefer }) => [lang, prefer])).toEqual([
    [undefined, 'fr'],
    ['de', undefined],
  ]);
});

test('names missing providers', async () => {
  const service = serviceWith(manyObjects(2));
  const { command } = await startLearn({
    ...service,
    searchMany: async (query) => ({
      ...(await service.ask('searchMany', query))!,
      missing: [{ id: 'openlearn', why: 'late' }],
    }),
  });
  expect(textIn(await command('python'))).toContain('No answer in time from: OpenLearn.');
});

describe('help', () => {
  test.each(['', ' ', 'help', 'Aide'])('is the answer to %j', async (text) => {
    const { command } = await startLearn();
    const help = await command(text);
    expect(textIn(help)).toContain('`/learn python type:video lang:fr level:beginner free`');
    expect(choicesIn(help).map(({ actionId }) => actionId)).toEqual(['search_open']);
  });

  test('offers recent searches', async () => {
    const service = serviceWith(manyObjects(2));
    const { command, click } = await startLearn(service);
    await command('docker “type:video” lang:fr');
    await command('python');
    const help = await command('help');
    expect(buttonTexts(help)).toEqual(['python', 'docker "type:video" lang:fr', 'Search with a form']);
    expect(await click(help, 'docker "type:video" lang:fr')).toMatchObject({ kind: 'replace' });
    expect(service.queries.at(-1)).toMatchObject({ keywords: 'docker type:video', lang: 'fr' });
  });

  test('says that there must be words, beside other notes', async () => {
    const service = serviceWith(manyObjects(2));
    const { command } = await startLearn(service);
    const help = await command('type:nonsense -java');
    expect(help.text).toBe('Add what you want to learn, as in /learn docker. The form below keeps your filters.');
    expect(textIn(help)).toContain('“nonsense” isn’t a type. Try Video, Article, or "Serious game".');
    expect(service.queries).toEqual([]);
  });

  test('has a form that begins with the filters', async () => {
    const { command, contextOf } = await startLearn();
    const help = await command('type:video free -java');
    const { value } = choicesIn(help).find(({ actionId }) => actionId === 'search_open')!;
    const beginning = await findSearchBeginning(contextOf(), value);
    expect(beginning).toMatchObject({ words: '-"java"', choices: { types: ['video'], price: 'free' } });
    const anew = choicesIn(await command('help')).find(({ actionId }) => actionId === 'search_open')!;
    expect(await findSearchBeginning(contextOf(), anew.value)).toBeNull();
  });

  test('is shown if recent searches cannot be read', async () => {
    const people = { listSearches: () => Promise.reject(new Error('no store')) } as never;
    const { command, problems } = await startLearn(undefined, { deps: { people } });
    expect(buttonTexts(await command('help'))).toEqual(['Search with a form']);
    expect(problems).toHaveLength(1);
  });
});

test('searches if the search cannot be noted', async () => {
  const people = { noteSearch: () => Promise.reject(new Error('no store')) } as never;
  const { command, problems } = await startLearn(undefined, { deps: { people } });
  expect((await command('python')).text).toContain('12');
  expect(problems).toHaveLength(1);
});

describe('without results', () => {
  const service = () =>
    serviceWith(manyObjects(2, { lang: 'fr' }), {
      suggest: async () => ({
        keywordsTransformed: [],
        suggestions: [{ label: 'python course', score: 0.9 }],
        quality: 'A00',
      }),
      similar: async () => [{ label: 'Snakes', source: 'Skilldock', score: 0.5 }],
    });

  test('offers other words', async () => {
    const given = service();
    const { command, click } = await startLearn(given);
    const nothing = await command('nothing lang:fr');
    expect(textIn(nothing)).toContain('No results for “nothing”');
    const found = messageOf(await click(nothing, 'python course'));
    expect(found.text).toContain('2 resources for “python course”');
    expect(given.queries.at(-1)).toMatchObject({ keywords: 'python course', lang: 'fr' });
    expect(messageOf(await click(nothing, 'Snakes')).text).toContain('Snakes');
  });

  test('offers to remove filters, one by one or all', async () => {
    const given = service();
    const searchMany: typeof given.searchMany = async (query) =>
      given.ask('searchMany', query.lang === 'fr' ? { ...query, keywords: 'nothing' } : query);
    const { command, click } = await startLearn({ ...given, searchMany });
    const nothing = await command('python lang:fr type:video');
    expect(buttonTexts(nothing)).toContain('all languages (2)');
    const found = messageOf(await click(nothing, 'all languages (2)'));
    expect(found.text).toContain('2 resources for “python”');
    expect(buttonTexts(found)[0]).toBe('Type: Video ×');
  });
});

test('shows objects between the chips and the controls of the list', async () => {
  const { command } = await startLearn();
  const found = await command('python lang:fr');
  const ids = found.blocks.map((block) =>
    block.type === 'actions' ? (block.elements[0] as { readonly action_id: string }).action_id : block.type,
  );
  expect(ids.slice(0, 4)).toEqual(['header', 'context', 'learn_drop_lang', 'section']);
  expect(ids.slice(-3)).toEqual(['context', 'learn_page_next', 'learn_filter_type']);
});

test('offers the form and help if there is no other way out', async () => {
  const knowsNothing = serviceWith([], {
    similar: async () => [],
    suggest: async () => ({ keywordsTransformed: [], suggestions: [], quality: 'A00' }),
  });
  const { command, click, savedStates, contextOf } = await startLearn(knowsNothing);
  const nothing = await command('xqzwkj');
  expect(buttonTexts(nothing)).toEqual(['Search with a form', 'How to search']);
  const { value } = choicesIn(nothing)[0]!;
  expect(await savedStates.find(contextOf().owner, value)).toMatchObject({
    of: { choices: { words: 'xqzwkj' } },
  });
  expect(textIn(messageOf(await click(nothing, 'How to search')))).toContain('/learn docker');
});

test('searches for the first of too many words, and says so', async () => {
  const service = serviceWith(manyObjects(2));
  const { command } = await startLearn(service);
  const found = await command(`${'a'.repeat(299)}👍 more`);
  expect(service.queries[0]!.keywords).toBe('a'.repeat(299));
  expect(textIn(found)).toContain('Only the first 300 characters were used.');
  expect(buttonTexts(await command('help'))).toEqual(['Search with a form']);
});

test('throws if a service fails', async () => {
  const { command } = await startLearn({
    ...createFakeLearningService(),
    searchMany: () => Promise.reject(new Error('broken')),
  });
  await expect(command('python')).rejects.toThrow('broken');
});
