import { describe, expect, test } from 'vitest';
import { buttonTexts, messageOf, textIn } from './read-message.ts';
import { manyObjects, serviceWith } from './scripted-service.ts';
import { startLearn } from './start-learn.ts';

async function start() {
  const service = serviceWith(manyObjects(12));
  return { service, ...(await startLearn(service)) };
}

describe('level and length', () => {
  test('are strict if typed or chosen, which a note says', async () => {
    const { service, command, click } = await start();
    expect(textIn(await command('python max:15min'))).toContain('Only resources with a known length are shown.');
    expect([...service.queries.at(-1)!.important]).toEqual(['learningTime']);
    const chosen = messageOf(await click(await command('python'), 'Advanced'));
    expect([...service.queries.at(-1)!.important]).toEqual(['level']);
    expect(textIn(chosen)).toContain('Only resources with a known level are shown.');
    expect(textIn(await command('python level:beginner min:5'))).toContain('known level and length');
    expect(textIn(await command('python paid min:5'))).toContain('known length and price');
    expect([...service.queries.at(-1)!.important]).toContain('free');
  });

  test('levels with a gap can be removed if nothing has them', async () => {
    const between = manyObjects(3).map((object) => ({ ...object, level: 0 }));
    const { command, click } = await startLearn(serviceWith(between));
    const nothing = await command('python level:beginner,advanced');
    expect(textIn(nothing)).toContain('No results for “python”');
    expect(textIn(messageOf(await click(nothing, 'all levels (3)')))).toContain('3 resources');
  });

  test('a preferred level yields, until it is chosen', async () => {
    const service = serviceWith(manyObjects(12));
    const { command, click } = await startLearn(service, { preferences: { level: 'advanced' } });
    const found = await command('python');
    expect(service.queries[0]).toMatchObject({ levelMin: 0.2 });
    expect([...service.queries[0]!.important]).toEqual([]);
    expect(textIn(found)).not.toContain('Only resources with a known');
    await click(found, 'For beginners');
    expect([...service.queries.at(-1)!.important]).toEqual(['level']);
  });
});

test('what makers state, the date and the newest first are filtered and sorted by, in any language', async () => {
  const { service, command, click } = await start();
  const list = await command('docker has:adapt,captions since:2024 sort:newest');
  const wanted = { keywords: 'docker', has: ['mayAdapt', 'captions'], newerThan: '2024-01-01', sort: 'newest' };
  expect(service.queries.at(-1)).toMatchObject(wanted);
  expect([...service.queries.at(-1)!.important].sort()).toEqual(['has', 'newerThan']);
  expect(buttonTexts(list)).toEqual(
    expect.arrayContaining(['Licence and captions: May be adapted ×', 'Date: 2024 or later ×']),
  );
  await click(list, 'Licence and captions: Captions or transcript ×');
  expect(service.queries.at(-1)).toMatchObject({ has: ['mayAdapt'], newerThan: '2024-01-01' });
  await command('docker licence:partage depuis:2020 tri:récent');
  expect(service.queries.at(-1)).toMatchObject({ has: ['mayShare'], newerThan: '2020-01-01', sort: 'newest' });
  expect(textIn(await command('docker has:nothing'))).toContain('isn’t a licence or captions filter');
});

describe('an unknown filter', () => {
  test('is searched as words, with a note and a proposal', async () => {
    const { service, command, click } = await start();
    const found = await command('docker lnag:fr free');
    expect(service.queries[0]).toMatchObject({ keywords: 'docker lnag:fr' });
    expect(textIn(found)).toContain(
      '“lnag:” isn’t a filter, so it was searched for as words. The filters are type, lang',
    );
    const meant = messageOf(await click(found, 'Did you mean lang:fr?'));
    expect(service.queries.at(-1)).toMatchObject({ keywords: 'docker', lang: 'fr', free: true });
    expect([...service.queries.at(-1)!.important].sort()).toEqual(['free', 'lang']);
    expect(buttonTexts(meant).join()).not.toContain('Did you mean');
  });

  test.each([
    ['docker mxa:1h', 'max:1h', { learningTimeMax: 60 }],
    ['docker nivau:débutant', 'niveau:débutant', { levelMax: -0.2 }],
    ['docker tipe:video,article', 'type:video,article', { types: ['video', 'article'] }],
    ['docker fre:oui', 'free:oui', { free: true }],
  ])('%s: proposes %s', async (typed, meant, wanted) => {
    const { service, command, click } = await start();
    await click(await command(typed), `Did you mean ${meant}?`);
    expect(service.queries.at(-1)).toMatchObject({ keywords: 'docker', ...wanted });
  });

  test.each(['docker foo:bar', 'docker lnag:klingon', 'lnag:fr'])('nothing is offered for %s', async (typed) => {
    const { command } = await start();
    const found = await command(typed);
    expect(textIn(found)).toContain('isn’t a filter');
    expect(buttonTexts(found).join()).not.toContain('Did you mean');
  });

  test.each(['https://example.org/docker', 'docker "lnag:fr"'])('has no note about %s', async (typed) => {
    const { command } = await start();
    expect(textIn(await command(typed))).not.toContain('isn’t a filter');
  });
});

test.each([
  ['free:yes', true],
  ['free:oui', true],
  ['free:no', false],
  ['free:non', false],
  ['price:free', true],
  ['prix:gratuit', true],
  ['gratuit:oui', true],
])('%s asks for free objects: %s', async (typed, free) => {
  const { service, command } = await start();
  await command(`docker ${typed}`);
  expect(service.queries[0]).toMatchObject({ keywords: 'docker', free });
});

describe('unknown values', () => {
  test("have a note and proposals, nearest first, in the reader's language", async () => {
    const { service, command, click } = await start();
    const found = await command('docker type:vidoe,article provider:yuotube', { locale: 'fr' });
    expect(textIn(found)).toContain('vidoe\u00a0» n’est pas un type. Essayez Vidéo, Article ou "Jeu sérieux".');
    expect(textIn(found)).toContain('yuotube\u00a0» n’est pas un fournisseur disponible');
    expect(textIn(found)).toContain('Essayez YouTube ou OpenLearn');
    await click(found, 'Vouliez-vous dire type:Vidéo\u00a0?', { locale: 'fr' });
    expect(service.queries.at(-1)).toMatchObject({ keywords: 'docker', types: ['article', 'video'] });
  });

  test('of an unavailable list are not called wrong', async () => {
    const service = serviceWith(manyObjects(1), { listProviders: async () => [] });
    const { command } = await startLearn(service);
    expect(textIn(await command('docker provider:youtube'))).toContain('“youtube” can’t be checked right now');
  });
});

describe('Walk U11: a filter that is not understood', () => {
  test('is read by its meaning where another word says the same', async () => {
    const { service, command } = await start();
    await command('python type:movie level:easy');
    expect(service.queries[0]).toMatchObject({ keywords: 'python', types: ['video'], levelMax: -0.2 });
  });

  test('is never said to fit, and the usual types are proposed', async () => {
    const { command, click } = await start();
    expect(textIn(await command('python type:video'))).toContain('All results match your search.');
    const found = await command('python type:nonsense');
    expect(textIn(found)).not.toContain('All results match');
    expect(textIn(found)).toContain('“nonsense” isn’t a type. Try Video, ');
    expect(textIn(messageOf(await click(found, 'Advanced')))).not.toContain('All results match');
  });
});

describe('Walk U12: a language within the sentence', () => {
  test.each([
    ['comment tenir une comptabilité, gratuit et en français', 'comment tenir une comptabilité', 'fr'],
    ['spreadsheets in English', 'spreadsheets', 'en'],
    ['Buchhaltung auf Deutsch', 'Buchhaltung', 'de'],
  ])('%s is understood, and repeated as it was typed', async (typed, keywords, lang) => {
    const listLanguages = async () => ['en', 'fr', 'de'].map((value) => ({ value, description: value }));
    const service = serviceWith(manyObjects(3), { listLanguages });
    const { command } = await startLearn(service);
    const found = await command(typed);
    expect(service.queries[0]).toMatchObject({ keywords, lang });
    expect([...service.queries[0]!.important]).toContain('lang');
    expect(textIn(found)).toContain(`“${typed}”`);
  });

  test('is a word in quotation marks, or alone', async () => {
    const { service, command } = await start();
    await command('"in English" letters');
    await command('en français');
    expect(service.queries.map(({ keywords }) => keywords)).toEqual(['in English letters', 'en français']);
  });
});

describe('chips', () => {
  test('remove a single value', async () => {
    const { service, command, click } = await start();
    const found = await command('docker type:video,article -java -"c sharp" provider:youtube,openlearn');
    const chips = buttonTexts(found).filter((text) => text.endsWith('×'));
    expect(chips).toEqual([
      'Type: Video ×',
      'Type: Article ×',
      'Provider: YouTube ×',
      'Provider: OpenLearn ×',
      'Without: java ×',
      'Without: c sharp ×',
    ]);
    const wider = messageOf(await click(found, 'Type: Article ×'));
    expect(service.queries.at(-1)).toMatchObject({ types: ['video'], providers: ['youtube', 'openlearn'] });
    await click(wider, 'Provider: YouTube ×');
    expect(service.queries.at(-1)).toMatchObject({ types: ['video'], providers: ['openlearn'] });
    const rest = messageOf(await click(wider, 'Without: java ×'));
    expect(buttonTexts(rest)).toContain('Without: c sharp ×');
    expect(buttonTexts(rest)).not.toContain('Without: java ×');
  });

  test('are one for each filter if they are too many for a row', async () => {
    const types = Array.from({ length: 30 }, (_, index) => ({ value: `kind ${index}`, description: '' }));
    const { command, click } = await startLearn(serviceWith(manyObjects(1), { listTypes: async () => types }));
    const found = await command(`docker type:${types.map(({ value }) => `"${value}"`).join(',')} -java`);
    const chips = buttonTexts(found).filter((text) => text.endsWith('×'));
    expect(chips).toHaveLength(2);
    const wider = messageOf(await click(found, chips[0]!));
    expect(buttonTexts(wider).filter((text) => text.endsWith('×'))).toEqual(['Without: java ×']);
  });
});
