import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { recordSchemas } from '../../src/adapters/catalog/catalog-schema.ts';
import { readStarterCatalog } from '../../src/adapters/local/starter-catalog.ts';
import { createTopics } from '../../src/adapters/local/topics/topics.ts';
import { bloomObjectives, learningObjectTypes } from '../../src/domain/learning-object.ts';
import { findSitePictureSource } from '../../src/domain/sites/sites.ts';

const catalog = readStarterCatalog('data');
const { objects, providers, concepts, places, fields } = catalog;

// `npx vitest run test/data -u` writes them anew.
test.each(Object.keys(recordSchemas) as (keyof typeof recordSchemas)[])(
  'data/schema: %s is up to date and valid',
  async (name) => {
    // Of the records as they are written in the files, before defaults are filled in.
    const schema = { ...z.toJSONSchema(recordSchemas[name], { io: 'input' }), title: name };
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(`../../data/schema/${name}.schema.json`);
    expect(new Ajv2020({ strict: false, validateFormats: false }).compile(schema)).toBeTypeOf('function');
  },
);

describe('learning objects', () => {
  const count = (matches: (object: (typeof objects)[number]) => boolean) => objects.filter(matches).length;

  const share = (matches: (object: (typeof objects)[number]) => boolean) => count(matches) / objects.length;
  // SVG is not shown.
  const hasPicture = (object: (typeof objects)[number]) => findSitePictureSource(object)?.endsWith('.svg') === false;

  test('are enough, of enough providers, none of which has over 12 %', () => {
    expect(objects.length).toBeGreaterThanOrEqual(9000);
    expect(new Set(objects.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(40);
    const shares = providers.map(({ id }) => [id, share(({ provider }) => provider === id)] as const);
    expect(shares.filter(([, of]) => of === 0 || of > 0.12)).toEqual([]);
  });

  test('a third is French; many have a length, a level, a picture, a licence and a date', () => {
    expect(share(({ lang }) => lang === 'fr')).toBeGreaterThanOrEqual(0.35);
    expect(count(({ learningTime }) => learningTime !== undefined)).toBeGreaterThanOrEqual(2_900);
    expect(count(({ level }) => level !== undefined)).toBeGreaterThanOrEqual(3_000);
    expect(count(hasPicture)).toBeGreaterThanOrEqual(2_100);
    expect(count(({ license }) => license !== undefined)).toBeGreaterThanOrEqual(2_300);
    expect(count(({ published, modified }) => (published ?? modified) !== undefined)).toBeGreaterThanOrEqual(1_800);
  });

  test('authors are single names', () => {
    const lists = objects.flatMap(({ author }) =>
      author.filter((name) => name.length > 60 || /;|\bet al\b/.test(name)),
    );
    expect(lists).toEqual([]);
  });

  test('are counted in the README', () => {
    const readme = readFileSync('data/README.md', 'utf8').replace(/\s+/g, ' ');
    const counts = (values: readonly string[]) => {
      const found = new Map<string, number>();
      for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
      return [...found].toSorted(([a, m], [b, n]) => n - m || a.localeCompare(b));
    };
    const written = (entries: readonly (readonly [string, number])[]) =>
      entries.map(([name, number]) => `${name} ${number.toLocaleString('en')}`).join(', ');
    const languages = new Intl.DisplayNames('en', { type: 'language' });
    const byLanguage = counts(objects.map(({ lang }) => languages.of(lang)!));
    const known = written([
      ['level', count(({ level }) => level !== undefined)],
      ['author or publisher', count(({ author, publisher }) => author.length + publisher.length > 0)],
      ['length', count(({ learningTime }) => learningTime !== undefined)],
      ['address and location', count(({ address }) => address !== undefined)],
      ['age', count(({ age }) => age !== undefined)],
      ['picture', count(hasPicture)],
    ]);
    const price = written([
      ['free', count(({ free }) => free === true)],
      ['paid', count(({ free }) => free === false)],
      ['unknown', count(({ free }) => free === undefined)],
    ]);
    const stated = written([
      ['licence', count(({ license }) => license !== undefined)],
      ['date', count(({ published, modified }) => (published ?? modified) !== undefined)],
      ['skills', count(({ teaches }) => teaches !== undefined)],
      ['captions', count(({ accessibilityFeature }) => accessibilityFeature !== undefined)],
    ]);
    for (const row of [
      `- **all**: ${objects.length.toLocaleString('en')} of ${providers.length} providers`,
      `- **language**: ${written(byLanguage)} -`,
      `- **type (some have several)**: ${written(counts(objects.flatMap(({ type }) => type)))} -`,
      `- **Bloom objective (some have several)**: ${written(counts(objects.flatMap(({ bloom }) => bloom)))} -`,
      `- **price**: ${price} -`,
      `- **known**: ${known} -`,
      `- **stated by the source**: ${stated}`,
    ])
      expect(readme).toContain(row);
  });

  test.each([
    ['es', 1_000],
    ['de', 700],
  ] as const)('%s: at least %i', (lang, least) => {
    expect(count((object) => object.lang === lang)).toBeGreaterThanOrEqual(least);
  });

  test.each(learningObjectTypes)('there is a %s', (type) => {
    expect(count((object) => object.type.includes(type))).toBeGreaterThan(0);
  });

  test.each(bloomObjectives)('something trains to %s', (objective) => {
    expect(count((object) => object.bloom.includes(objective))).toBeGreaterThan(10);
  });

  test('free and paid, with authors or publishers', () => {
    expect(count(({ free }) => free === true)).toBeGreaterThan(100);
    expect(count(({ free }) => free === false)).toBeGreaterThan(10);
    expect(count(({ author, publisher }) => author.length + publisher.length > 0)).toBeGreaterThan(500);
  });

  test('trainings in person: 40 with an address, of at least 8 cities', () => {
    const addresses = objects.flatMap(({ address }) => (address === undefined ? [] : [address]));
    expect(addresses.length).toBeGreaterThanOrEqual(40);
    const towns = addresses.map((address) =>
      address
        .split(',')
        .at(-2)!
        .replace(/[\d\s]*(?:[A-Z]{2}\s)?/, '')
        .trim(),
    );
    expect(new Set(towns).size).toBeGreaterThanOrEqual(8);
  });

  test('no two share a description', () => {
    expect(new Set(objects.map(({ description }) => description)).size).toBe(objects.length);
  });
});

describe('concepts', () => {
  test.each([
    ['Skilldock', 1500],
    ['ISCO-08', 619],
    ['ISCED-F 2013', 100],
    ['DigComp 2.2', 26],
    ['e-CF', 41],
  ])('%s: at least %i, all in English and French', (source, least) => {
    const own = concepts.filter((concept) => concept.source === source);
    expect(own.length).toBeGreaterThanOrEqual(least);
    expect(own.filter(({ labels }) => !labels.en || !labels.fr)).toEqual([]);
  });

  test('our own have labels in German and Spanish, too', () => {
    const local = [...concepts.filter(({ source }) => source === 'Skilldock'), ...fields];
    expect(local.filter(({ labels }) => !labels.de || !labels.es)).toEqual([]);
  });

  test('our own have synonyms and links', () => {
    const own = concepts.filter(({ source }) => source === 'Skilldock');
    expect(own.filter(({ links }) => Object.keys(links).length > 0).length).toBeGreaterThan(0.9 * own.length);
    expect(own.filter(({ altLabels }) => Object.keys(altLabels).length > 0).length).toBeGreaterThan(0.7 * own.length);
  });
});

describe('fields', () => {
  test('are named in English and French, with all their concepts known', () => {
    expect(fields.length).toBeGreaterThan(30);
    expect(fields.filter(({ labels }) => !labels.en || !labels.fr)).toEqual([]);
  });

  test('every concept of ours is of one', () => {
    const own = concepts.filter(({ source }) => source === 'Skilldock');
    const { list } = createTopics(own, fields);
    expect(list.filter(({ kind, within }) => kind === 'skill' && within.length === 0)).toEqual([]);
  });
});

test('the gazetteer has several hundred places', () => {
  expect(places.length).toBeGreaterThanOrEqual(400);
});
