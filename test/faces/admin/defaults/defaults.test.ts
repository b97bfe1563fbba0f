import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initialDefaults } from '../../../../src/domain/tenant.ts';
import { AppError } from '../../../../src/errors.ts';
import type { OperationHandlers } from '../../../../src/ports/learning-service.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { startFakeUpstream, UPSTREAM_KEY } from '../../../fakes/upstream.ts';
import { fieldOf, problemOf, rowsOf, textOf, valuesOf } from '../read-page.ts';
import { type RunningAdmin, type SignedInBrowser, someone, startAdmin } from '../start-admin.ts';

const PATH = '/tenants/lyon/defaults';

let admin: RunningAdmin;
let manager: SignedInBrowser;
/** What our own engine does otherwise than the fake, by test. */
let engine: { -readonly [N in keyof OperationHandlers]?: OperationHandlers[N] };
let searches: Parameters<OperationHandlers['searchProvider']>[0][];

beforeEach(async () => {
  engine = {};
  searches = [];
  const answer = {
    requestId: 'r',
    content: [fullObject],
    page: 0,
    itemsPerPage: 10,
    totalItems: 1_234,
    hasMore: true,
    quality: 'A00',
  } as const;
  const searchProvider: OperationHandlers['searchProvider'] = async (query, options) => {
    searches.push(query);
    return engine.searchProvider?.(query, options) ?? answer;
  };
  const youtube = { id: 'youtube', name: 'YouTube <b>', url: 'https://youtube.example.org', logos: [] };
  const logos = (['light', 'dark'] as const).map((colorScheme) => ({
    url: `https://skills.example.org/logos/openlearn/${colorScheme}-square.png`,
    colorScheme,
    aspectRatio: 'square' as const,
  }));
  const openlearn = { id: 'openlearn', name: 'OpenLearn', url: 'https://openlearn.example.org', logos };
  admin = await startAdmin({
    publicUrl: 'http://skills.example.org',
    learning: {
      searchProvider,
      searchMany: searchProvider,
      listProviders: async () => engine.listProviders?.({}, {}) ?? [youtube, openlearn],
      listLanguages: async () => ['fr', 'en', '<i>'].map((value) => ({ value, description: value })),
    },
  });
  await admin.addTenant('Lyon');
  manager = await admin.signInAs('manager', ['lyon']);
});
afterEach(() => admin.close());

const form = (more: Record<string, string | readonly string[]> = {}) => ({
  version: '1',
  lang: '',
  model: 'extended',
  match: 'best-effort',
  itemsPerPage: '10',
  q: '',
  ...more,
});
const everything = {
  providers: ['openlearn', 'youtube'],
  lang: 'fr',
  model: 'strict',
  match: 'strict',
  itemsPerPage: '20',
  freeOnly: '1',
};

const saved = async () => (await admin.deps.tenants.getTenant('lyon')).defaults;

describe('the form', () => {
  test('offers what the service has, with logos for light and dark pages', async () => {
    const page = await manager.page(PATH);
    expect(page.indexOf('OpenLearn')).toBeLessThan(page.indexOf('YouTube &lt;b&gt;'));
    expect(page).toMatch(
      /<source media="\(prefers-color-scheme: dark\)" srcset="\/pictures\/[^"]*"><img src="\/pictures\/[^"]*" alt=""/,
    );
    expect([...page.matchAll(/<option value="([^"]*)"/g)].map(([, code]) => code)).toEqual([
      '',
      'en-first',
      'fr-first',
      'en',
      'fr',
    ]);
    expect(valuesOf(page, 'model')).toEqual(['extended']);
    expect(valuesOf(page, 'providers')).toEqual([]);
    expect(searches).toEqual([]);
  });

  test('saves everything, and shows it again', async () => {
    const answer = await manager.post(PATH, form(everything));
    expect(answer.headers.get('location')).toBe(`/admin${PATH}?notice=defaults-saved`);
    expect(await saved()).toEqual({
      providers: ['openlearn', 'youtube'],
      lang: 'fr',
      model: 'strict',
      match: 'strict',
      itemsPerPage: 20,
      freeOnly: true,
    });
    const page = await manager.follow(answer);
    for (const [name, value] of Object.entries(everything))
      expect(valuesOf(page, name)).toEqual(typeof value === 'string' ? [value] : value);
  });

  test('goes back to everything, too', async () => {
    await manager.post(PATH, form(everything));
    await manager.post(PATH, form({ version: '2' }));
    expect(await saved()).toEqual(initialDefaults);
  });

  test('takes a language that comes first, shows it again and says it to viewers', async () => {
    const answer = await manager.post(PATH, form({ lang: 'fr-first' }));
    expect(await saved()).toEqual({ ...initialDefaults, prefer: 'fr' });
    expect(valuesOf(await manager.follow(answer), 'lang')).toEqual(['fr-first']);
    const viewer = await admin.signInAs('viewer', ['lyon']);
    for (const path of [PATH, '/tenants/lyon'])
      expect(textOf(await viewer.page(path))).toContain('Language of the resources French first');
    const owner = await admin.signInAs('owner', null);
    const [entry] = rowsOf(await owner.page('/audit?action=tenant.changed'));
    expect(entry).toContain('language first none → fr');
    await manager.post(PATH, form({ version: '2', lang: 'fr' }));
    expect(await saved()).toEqual({ ...initialDefaults, lang: 'fr' });
  });

  test.each(['fr-last', 'fra-first', '-first', 'FR', 'fr-first '])('takes %j for any language', async (lang) => {
    await manager.post(PATH, form({ itemsPerPage: '3', lang }));
    expect(await saved()).toEqual({ ...initialDefaults, itemsPerPage: 3 });
  });

  test('keeps the words of the preview', async () => {
    const answer = await manager.post(PATH, form({ q: 'first aid & more' }));
    expect(fieldOf(await manager.follow(answer), 'q')).toBe('first aid & more');
  });

  test.each([
    ['itemsPerPage', { itemsPerPage: '0' }, 'Enter a whole number from 1 to 20.'],
    ['itemsPerPage', { itemsPerPage: '21' }, 'Enter a whole number from 1 to 20.'],
    ['itemsPerPage', { itemsPerPage: '' }, 'Enter a whole number from 1 to 20.'],
    ['itemsPerPage', { itemsPerPage: '1.5' }, 'Enter a whole number from 1 to 20.'],
    ['model', { model: 'other' }, 'Choose one of these.'],
    ['match', { match: '' }, 'Choose one of these.'],
    ['providers', { providers: Array.from({ length: 51 }, (_, i) => `p${i}`) }, 'Choose at most 50 providers'],
  ])('is refused beside %s of %o, and keeps what was typed', async (field, wrong, problem) => {
    for (const path of [PATH, `${PATH}/preview`]) {
      const answer = await manager.post(path, form({ ...everything, q: 'python', ...wrong }));
      expect(answer.status).toBe(422);
      const page = await answer.text();
      expect(problemOf(page, field)).toContain(problem);
      expect(fieldOf(page, 'q')).toBe('python');
      expect(valuesOf(page, 'lang')).toEqual(['fr']);
      expect(valuesOf(page, 'freeOnly')).toEqual(['1']);
      if (field !== 'providers') expect(valuesOf(page, 'providers')).toEqual(['openlearn', 'youtube']);
    }
    expect(await saved()).toEqual(initialDefaults);
    expect(searches).toEqual([]);
  });

  test('does not overwrite what someone else saved meanwhile, until that was read', async () => {
    await manager.post(PATH, form({ itemsPerPage: '3' }));
    const answer = await manager.post(PATH, form({ itemsPerPage: '4' }));
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(textOf(page)).toContain('Someone else changed this while you had it open');
    expect(fieldOf(page, 'itemsPerPage')).toBe('4');
    expect((await saved()).itemsPerPage).toBe(3);
    await manager.post(PATH, form({ itemsPerPage: '4', version: fieldOf(page, 'version')! }));
    expect((await saved()).itemsPerPage).toBe(4);
  });

  test('shows what was chosen and is not offered any more, and keeps it until it is unticked', async () => {
    await manager.post(PATH, form({ providers: ['<gone>', 'youtube'], lang: 'eo-first' }));
    const page = await manager.page(PATH);
    expect(textOf(page)).toContain('<gone> no longer available');
    expect(valuesOf(page, 'providers')).toEqual(['<gone>', 'youtube']);
    expect(valuesOf(page, 'lang')).toEqual(['eo-first']);
  });

  test('opens when the service is down, and says so', async () => {
    engine.listProviders = async () => {
      throw new AppError('UPSTREAM_FAILED', 'It failed.', { data: { detail: 'Out of <order>' } });
    };
    await manager.post(PATH, form({ providers: ['youtube'] }));
    const page = await manager.page(PATH);
    expect(textOf(page)).toContain('could not be loaded');
    expect(textOf(page)).toContain('Out of <order>');
    expect(valuesOf(page, 'providers')).toEqual(['youtube']);
  });

  test('is not for viewers, others’ managers or forms of others', async () => {
    await admin.addTenant('Paris');
    const viewer = await admin.signInAs('viewer', ['lyon']);
    const foreign = await admin.signInAs('manager', ['paris']);
    for (const path of [PATH, `${PATH}/preview`]) {
      expect((await viewer.post(path, form({ itemsPerPage: '3', q: 'x' }))).status).toBe(403);
      expect((await foreign.post(path, form({ itemsPerPage: '3', q: 'x' }))).status).toBe(404);
      expect((await manager.post(path, form({ itemsPerPage: '3', q: 'x' }), { csrf: null })).status).toBe(403);
    }
    expect(await saved()).toEqual(initialDefaults);
    expect(searches).toEqual([]);
  });
});

describe('the preview', () => {
  const preview = (more: Record<string, string | readonly string[]>) =>
    manager.post(`${PATH}/preview`, form({ q: 'python', ...more }));

  test('searches under what is in the form, and saves nothing', async () => {
    const answer = await preview(everything);
    const page = await answer.text();
    expect(searches).toEqual([
      expect.objectContaining({
        keywords: 'python',
        providers: ['openlearn', 'youtube'],
        lang: 'fr',
        model: 'strict',
        match: 'strict',
        max: 20,
        free: true,
      }),
    ]);
    expect(textOf(page)).toContain('1,234 resources for “python”');
    expect(textOf(page)).toContain(
      'Python for everybody YouTube · MOOC, Career profile · Easy · 1 h 30 min · Free · English · Lyon',
    );
    expect(valuesOf(page, 'lang')).toEqual(['fr']);
    expect(valuesOf(page, 'providers')).toEqual(['openlearn', 'youtube']);
    expect(await saved()).toEqual(initialDefaults);
  });

  test('prefers the language of the form to that of the administrator', async () => {
    await preview({ lang: 'fr-first' });
    await preview({});
    expect(searches.map(({ lang, prefer }) => lang ?? `${prefer} first`)).toEqual(['fr first', 'en first']);
  });

  test('is for viewers under what is saved', async () => {
    await manager.post(PATH, form({ itemsPerPage: '7' }));
    const french = await admin.signInAs('viewer', ['lyon'], { language: 'fr' });
    const page = await french.page(`${PATH}?q=python`);
    expect(searches).toEqual([expect.objectContaining({ max: 7 })]);
    expect(textOf(page)).toContain('1 234 ressources pour « python »');
    expect(page).not.toContain('name="itemsPerPage"');
  });

  test('answers the browser code with the part it puts in place', async () => {
    const part = await (await preview({ fragment: '1' })).text();
    expect(part).not.toContain('<html');
    expect(textOf(part)).toContain('1,234 resources');
    const wrong = await preview({ fragment: '1', itemsPerPage: '99' });
    expect(wrong.status).toBe(200);
    expect(textOf(await wrong.text())).toContain('Enter a whole number from 1 to 20.');
  });

  test('says what to do where nothing is found', async () => {
    engine.searchProvider = async () => ({
      requestId: 'r',
      content: [],
      page: 0,
      itemsPerPage: 10,
      totalItems: 0,
      hasMore: false,
      quality: 'C00',
    });
    const wide = textOf(await (await preview({ q: '<zebra>' })).text());
    expect(wide).toContain('No results for “<zebra>”');
    expect(wide).toContain('Try more common ones');
    expect(textOf(await (await preview({ lang: 'fr' })).text())).toContain('Choose more providers, any language');
  });

  test('escapes what the service says, and links to web addresses only', async () => {
    engine.searchProvider = async () => ({
      requestId: 'r',
      content: [
        { ...fullObject, title: '<img src=x>', url: 'javascript:alert(1)', lang: '"><b>', provider: '<u>' },
        { ...fullObject, title: '<img src=y>', url: 'https://example.org/"><img src=y>' },
      ],
      page: 0,
      itemsPerPage: 10,
      totalItems: 1,
      hasMore: false,
      quality: 'B00',
    });
    const page = await (await preview({})).text();
    expect(page).not.toMatch(/<img src=[xy]>|javascript:|<u>|lang=""><b>/);
    expect(textOf(page)).toContain('closest results first');
  });

  test.each([
    ['UPSTREAM_UNREACHABLE', 'The upstream cannot be reached.'],
    ['UPSTREAM_KEY_REFUSED', 'The upstream rejected the key.'],
    ['PROVIDER_UNKNOWN', 'The upstream no longer has one of the chosen providers.'],
    ['PARAMETERS_INVALID', 'What the service said.'],
  ] as const)('explains %s', async (code, message) => {
    engine.searchProvider = async () => {
      throw new AppError(code, 'What the service said.', { data: { detail: 'E<42>' } });
    };
    const answer = await preview({ itemsPerPage: '6' });
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(textOf(page)).toContain(message);
    expect(textOf(page)).toContain('Answer of the service: E<42>');
    expect(fieldOf(page, 'itemsPerPage')).toBe('6');
  });

  test('leaves mistakes of the host to the log', async () => {
    engine.searchProvider = async () => {
      throw new Error('secret path /etc/skilldock');
    };
    const answer = await preview({});
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('/etc/skilldock');
  });

  test('explains why there is none for a disabled tenant', async () => {
    await admin.deps.tenants.disableTenant(someone, 'lyon');
    admin.clock.advance(1_000);
    expect(textOf(await (await preview({})).text())).toContain('This tenant is disabled and cannot be searched.');
  });

  test('asks the upstream of the tenant', async () => {
    const upstream = await startFakeUpstream();
    try {
      const { version } = await admin.deps.tenants.getTenant('lyon');
      await admin.deps.tenants.changeUpstream(someone, 'lyon', {
        version,
        upstream: { kind: 'direct', url: upstream.url },
        apiKey: UPSTREAM_KEY,
      });
      admin.clock.advance(1_000);
      const page = await (await preview({ providers: ['tube'], lang: 'en', freeOnly: '1' })).text();
      expect(textOf(page)).toMatch(/\d+ resources? for “python”/);
      const asked = upstream.requests.find(({ operation }) => operation === 'search-provider')!;
      expect(asked.query).toMatchObject({ keywords: 'python', provider: 'tube!important', lang: 'en' });
      expect(searches).toEqual([]);
    } finally {
      await upstream.close();
    }
  });
});
