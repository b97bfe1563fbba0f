import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { recordSchemas } from '../../src/adapters/catalog/catalog-schema.ts';
import { createTopics } from '../../src/adapters/local/browsing/topics.ts';
import { readCatalog } from '../../src/adapters/local/catalog.ts';
import { bloomObjectives, learningObjectTypes } from '../../src/domain/learning-object.ts';

const catalog = readCatalog('data');
const { objects, providers, concepts, places, fields } = catalog;

// `npx vitest run test/data -u` writes them anew.
test.each(Object.keys(recordSchemas) as (keyof typeof recordSchemas)[])(
  'data/schema: %s is up to date and valid',
  async (name) => {
    // Of the records as they are written in the files, before defaults are filled in.
    const schema = { ...z.toJSONSchema(recordSchemas[name], { io: 'input' }), title: name };
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
      `../../data/schema/${name}.schema.json`,
    );
    expect(new Ajv2020({ strict: false, validateFormats: false }).compile(schema)).toBeTypeOf('function');
  },
);

describe('learning objects', () => {
  const count = (matches: (object: (typeof objects)[number]) => boolean) => objects.filter(matches).length;

  test('are enough, of enough providers', () => {
    expect(objects.length).toBeGreaterThanOrEqual(1000);
    expect(new Set(objects.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(14);
    expect(providers.filter(({ id }) => count(({ provider }) => provider === id) === 0)).toEqual([]);
  });

  test.each([
    ['en', 500],
    ['fr', 300],
    ['es', 40],
    ['de', 40],
  ] as const)('%s: at least %i', (lang, least) => {
    expect(count((object) => object.lang === lang)).toBeGreaterThanOrEqual(least);
  });

  test.each(learningObjectTypes)('there is a %s', (type) => {
    expect(count((object) => object.type.includes(type))).toBeGreaterThan(0);
  });

  test.each(bloomObjectives)('something trains to %s', (objective) => {
    expect(count((object) => object.bloom.includes(objective))).toBeGreaterThan(10);
  });

  test('free and paid, with length, level, and authors or publishers', () => {
    expect(count(({ free }) => free === true)).toBeGreaterThan(100);
    expect(count(({ free }) => free === false)).toBeGreaterThan(10);
    expect(count(({ learningTime }) => learningTime !== undefined)).toBeGreaterThan(100);
    expect(count(({ level }) => level !== undefined)).toBeGreaterThan(200);
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

  test('our own have synonyms and links', () => {
    const own = concepts.filter(({ source }) => source === 'Skilldock');
    expect(own.filter(({ links }) => Object.keys(links).length > 0).length).toBeGreaterThan(0.9 * own.length);
    expect(own.filter(({ altLabels }) => Object.keys(altLabels).length > 0).length).toBeGreaterThan(
      0.7 * own.length,
    );
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
