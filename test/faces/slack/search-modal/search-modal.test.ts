import { describe, expect, test } from 'vitest';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { createFakeLearningService } from '../../../fakes/learning-service.ts';
import { atFirst, nothingBegun, startSearch } from './start-search.ts';

const { learning } = openStarterService();
const start = () => startSearch(learning);

describe('the search form', () => {
  test.each(['en', 'fr'] as const)('has words and every filter (%s)', async (locale) => {
    const { open } = await start();
    const view = await open(null, { locale });
    const fields = view.blocks.filter(({ type }) => type === 'input').map(({ block_id: id }) => id);
    expect(fields).toEqual([
      'search_words',
      'search_skill',
      'search_type',
      'search_level',
      'search_length',
      'search_price',
      'search_lang',
      'search_provider',
      'search_bloom',
      'search_has',
    ]);
  });

  test('opens empty from a button', async () => {
    const { open } = await start();
    const view = await open('-', { inModal: true });
    expect(view.private_metadata).toBe('');
    expect(atFirst(view)).toEqual({});
  });

  test('searches for the input, and the results take its place', async () => {
    const { open, submit, searched } = await start();
    const { show, afterwards } = await submit(await open(null, { inModal: true }), {
      search_words: 'containers -java',
      search_skill: 'free software',
      search_type: ['video', 'distance learning'],
      search_level: ['beginner', 'intermediate'],
      search_length: 'max:240min',
      search_price: 'paid',
      search_lang: 'fr',
      search_provider: ['youtube', 'openlearn'],
      search_bloom: ['Apply'],
      search_has: ['mayAdapt'],
    });
    expect(show).toMatchObject({ kind: 'update' });
    expect(searched).toEqual([]);
    expect((await afterwards!()).kind).toBe('replace');
    expect(searched).toEqual([
      {
        typed:
          'containers -java "free" software type:video,"distance learning" level:beginner,intermediate price:paid lang:fr provider:youtube,openlearn bloom:Apply has:mayAdapt max:240min',
        shareTo: undefined,
      },
    ]);
  });

  test('begins with the preferences; a removed one is searched as any', async () => {
    const { open, submit, searched } = await startSearch(learning, {
      lang: 'fr',
      types: ['video', 'unheard of'],
      levels: ['beginner'],
      providers: ['youtube'],
      price: 'free',
    });
    const view = await open();
    expect(atFirst(view)).toEqual({
      lang: 'fr',
      type: expect.arrayContaining(['video', 'unheard of']),
      level: ['beginner'],
      provider: ['youtube'],
      price: 'free',
    });
    await (await submit(view, { search_words: 'docker', search_type: [], search_lang: 'any' })).afterwards!();
    expect(searched[0]!.typed).toBe('docker type:any level:beginner price:free lang:any provider:youtube');
  });

  test('begins with the search of a list', async () => {
    const { open, keep, submit, searched } = await startSearch(learning, { lang: 'fr' });
    const choices = {
      ...nothingBegun,
      words: 'project management tools',
      phrases: ['project management'],
      excluded: ['java'],
      types: ['book'],
      minMinutes: 20,
      maxMinutes: 90,
    };
    const shareTo = { channelId: 'C2', threadTs: '1.2', responseUrl: 'https://hooks.example.org/other' };
    const view = await open(await keep({ kind: 'learn', of: { kind: 'search', choices }, shareTo }));
    expect(atFirst(view)).toEqual({
      words: '"project management" tools -"java"',
      type: ['book'],
      length: 'min:20min max:90min',
    });
    await (await submit(view, {})).afterwards!();
    expect(searched).toEqual([
      {
        typed: '"project management" tools -"java" type:book lang:any min:20min max:90min',
        shareTo,
      },
    ]);
  });

  test('begins with the words of a message and the preferences', async () => {
    const { open, keep, submit, searched } = await startSearch(learning, { lang: 'fr' });
    const shareTo = { channelId: 'C2', threadTs: '1.2', responseUrl: 'https://hooks.example.org/other' };
    const view = await open(await keep({ kind: 'search', words: 'Lunch at\nnoon?', choices: null, shareTo }), {
      inModal: true,
    });
    expect(atFirst(view)).toEqual({ words: 'Lunch at noon?', lang: 'fr' });
    await (await submit(view, {})).afterwards!();
    expect(searched).toEqual([{ typed: 'Lunch at noon? lang:fr', shareTo }]);
  });

  test('begins with filters that were typed alone', async () => {
    const { open, keep } = await startSearch(learning, { lang: 'fr' });
    const choices = { ...nothingBegun, types: ['video'], price: 'paid', excluded: ['java'] };
    const view = await open(await keep({ kind: 'search', words: '', choices, shareTo: null }));
    expect(atFirst(view)).toEqual({ words: '-"java"', type: ['video'], price: 'paid' });
  });

  test('has the types that the services have', async () => {
    const { open } = await startSearch({
      ...createFakeLearningService(),
      listTypes: async () => [{ value: 'game', description: '' }],
    });
    const types = JSON.stringify((await open()).blocks.find(({ block_id: id }) => id === 'search_type'));
    expect(types).toContain('"value":"game"');
    expect(types).not.toContain('"value":"video"');
  });

  test('of a conversation shares there', async () => {
    const { open, submit, searched } = await start();
    const view = await open('-');
    expect(JSON.stringify(view)).not.toContain('hooks.example.org');
    await (await submit(view, { search_words: 'docker' })).afterwards!();
    expect(searched[0]!.shareTo).toEqual({
      channelId: 'C1',
      threadTs: null,
      responseUrl: 'https://hooks.example.org/secret',
    });
  });

  test('stays open without words and skill, and says what to do', async () => {
    const { open, submit } = await start();
    const { show } = await submit(await open(), { search_words: '  ', search_type: ['video'] });
    expect(show).toEqual({ kind: 'errors', errors: { search_words: 'Type words, or choose a skill.' } });
  });

  test('searches even if it was open for too long', async () => {
    const { open, submit, searched } = await start();
    const { afterwards } = await submit(
      { ...(await open()), private_metadata: 'AAAAAAAAAAAAAAAA' },
      { search_words: 'docker' },
    );
    await afterwards!();
    expect(searched).toEqual([{ typed: 'docker', shareTo: undefined }]);
  });
});

describe('proposals', () => {
  test('complete a skill', async () => {
    const { options } = await start();
    expect((await options('skill', 'pyth'))[0]).toBe('Python');
    expect(await options('skill', ' ')).toEqual([]);
  });

  test('are providers by name, first those that begin so', async () => {
    const { options } = await start();
    const all = await options('provider', '');
    expect(all).toHaveLength((await learning.ask('listProviders', {})).length);
    expect(await options('provider', 'OPEN')).not.toEqual([]);
    const found = await options('provider', 'open');
    expect(found[0]).toMatch(/^Open/);
    expect(found.every((name) => /open/i.test(name))).toBe(true);
    expect(await options('provider', 'xqzwkj')).toEqual([]);
  });

  test("are languages in the reader's language, and any of them", async () => {
    const { options } = await start();
    expect((await options('lang', ''))[0]).toBe('Any language');
    expect(await options('lang', 'fren')).toEqual(['French']);
    expect(await options('lang', 'anglais', { locale: 'fr' })).toEqual(['Anglais']);
    expect(await options('lang', 'francais', { locale: 'fr' })).toEqual(['Français']);
  });

  test('are at most a hundred, and all valid in Slack', async () => {
    const providers = Array.from({ length: 150 }, (_, n) => ({
      id: n === 0 ? 'x'.repeat(80) : `provider-${n}`,
      name: `${String(n).padStart(3, '0')} ${'é<!channel>'.repeat(20)}`,
      logos: [],
      url: 'https://example.org',
    }));
    const { options } = await startSearch({
      ...createFakeLearningService(),
      listProviders: async () => providers,
    });
    const names = await options('provider', '');
    expect(names).toHaveLength(100);
    expect(names[0]).toMatch(/^001 /);
  });
});
