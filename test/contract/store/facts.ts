import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FactName, ObjectFacts, TaughtConcept } from '../../../src/domain/object-facts.ts';
import { pickFacts, writeFactTexts } from '../../../src/domain/object-facts.ts';
import { linkLicense } from '../../../src/domain/rights/licences.ts';
import { metadataFormats } from '../../../src/faces/harvest/metadata.ts';
import { toLearningResource } from '../../../src/faces/home/published/objects.ts';
import type { PublishedObject } from '../../../src/ports/object-catalog.ts';
import { contentOf, openSource as openFile } from '../../adapters/catalog/read-all.ts';
import { objectsOf, openSource, readItems } from '../../adapters/catalog/web/read-source.ts';
import { listOaiFaults } from '../../faces/harvest/oai-rules.ts';
import { startOaiRepository } from '../../fakes/oai-repository.ts';
import { propertyRuns } from '../../helpers/draw.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { importEntry } from './import-records.ts';
import type { OpenStore } from './opened-store.ts';

/** In a table, `;` and `|` separate entries. */
const words = fc
  .array(fc.constantFrom('first', 'aid', 'Erste', 'Hilfe,', 'é', '“x”', '"', '<b>', '&amp', '🐍', '1.2', 'a:b', '='), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(' '));
const uri = fc.constantFrom(
  ...['http://data.europa.eu/esco/skill/0f0f', 'https://skills.example/a?b=c&d=%20#e', 'digcomp:1.1', 'own:C.2-x'],
);
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .chain((date) => fc.constantFrom(4, 7, 10).map((length) => date.toISOString().slice(0, length)));
const texts = fc.uniqueArray(words, { minLength: 1, maxLength: 4 });

const arbitraries = {
  license: fc.constantFrom(
    ...['CC-BY-4.0', 'CC0-1.0', 'CC-BY-NC-ND-3.0', 'MIT', 'GPL-3.0-only', 'https://school.example/terms?v=2'],
    ...['https://creativecommons.org/licenses/by-sa/4.0/', 'https://www.gnu.org/licenses/gpl-3.0.html'],
  ),
  published: day,
  modified: day,
  teaches: fc.uniqueArray(fc.oneof(fc.record({ uri, label: words }), fc.record({ uri }), fc.record({ label: words })), {
    minLength: 1,
    maxLength: 4,
    selector: ({ uri, label }: TaughtConcept) => uri ?? label,
  }),
  educationalLevel: texts,
  accessibilityFeature: texts,
  accessMode: texts,
  accessibilityHazard: texts,
  accessibilitySummary: words,
} satisfies Readonly<Record<FactName, fc.Arbitrary<unknown>>>;

const facts: fc.Arbitrary<ObjectFacts> = fc.record(arbitraries, { requiredKeys: [] });

const publish = (stated: ObjectFacts): PublishedObject => ({
  object: {
    url: 'https://a.example/1',
    title: 'A',
    description: 'B',
    lang: 'en',
    provider: 'P',
    type: ['video'],
    bloom: ['Apply'],
    publisher: ['P'],
    author: [],
    ...stated,
  },
  providerId: 'p',
  keywords: ['k'],
});

/** Writes an object as a host does, and reads what was written as an import does. */
const formats: Readonly<Record<string, (published: PublishedObject) => Promise<object | undefined>>> = {
  async JSON({ object }) {
    return readObject('objects', 'a.json', JSON.stringify([object]));
  },
  async 'a table'({ object }) {
    const cells = Object.entries({ url: object.url, title: object.title, ...writeFactTexts(object) }).map(
      ([name, value]) => [name, `"${[value ?? []].flat().join(' | ').replaceAll('"', '""')}"`],
    );
    return readObject('objects', 'a.csv', [0, 1].map((row) => cells.map((cell) => cell[row]).join(',')).join('\n'));
  },
  async 'JSON-LD'(published) {
    const page = 'https://host.example/objects/1';
    return readObject('lrmi', 'a.json', JSON.stringify(toLearningResource(published, { page, derived: [] })));
  },
  LOM: (published) => harvest('lom', published),
  'Dublin Core': (published) => harvest('oai_dc', published),
};

/** Dublin Core has elements for two facts, the other formats for all. */
const factsOf = (format: string, { license, published, ...others }: ObjectFacts): ObjectFacts =>
  pickFacts({ license, published, ...(format === 'Dublin Core' ? {} : others) } as ObjectFacts);

async function harvest(name: string, published: PublishedObject) {
  const repository = await startOaiRepository();
  const { prefix, write } = metadataFormats.find((format) => format.prefix === name)!;
  repository.formats = [prefix];
  expect(listOaiFaults(write(published))).toEqual([]);
  repository.records = [{ id: 'oai:a:1', metadata: { [prefix]: `${write(published)}` } }];
  const items = await readItems(await openSource({ format: 'oai', location: repository.url }));
  await repository.close();
  return objectsOf(items)[0];
}

async function readObject(format: 'objects' | 'lrmi', name: string, text: string) {
  const location = join(makeTempDir(), name);
  writeFileSync(location, text);
  if (format === 'lrmi') return objectsOf(await readItems(await openSource({ format, location })))[0];
  return (await contentOf(await openFile(format, location))).objects['https://a.example/1'];
}

/** JSON-LD has the addresses of licences, and concepts without addresses after the others. */
const toComparable = ({ license, teaches, ...others }: ObjectFacts) => ({
  ...others,
  ...(license && { license: linkLicense(license) }),
  ...(teaches && { teaches: teaches.map((concept) => JSON.stringify({ ...concept, uri: concept.uri })).sort() }),
});

export function describeFacts(open: OpenStore): void {
  describe('facts of objects', () => {
    test.each(Object.keys(formats))('survive %s, an import and the store, twice', async (format) => {
      const { store } = await open();
      const travel = async (published: PublishedObject) => {
        const body = (await formats[format]!(published)) as Readonly<Record<string, unknown>>;
        const entry = importEntry('a', { kind: 'object', key: 'a', body });
        await store.imports.putEntries([entry]);
        const [stored] = await store.imports.findEntries(entry.dataset, [entry], { withBodies: true });
        return pickFacts(stored!.body as ObjectFacts);
      };
      await fc.assert(
        fc.asyncProperty(facts, async (stated) => {
          const expected = toComparable(factsOf(format, stated));
          const once = await travel(publish(stated));
          expect(toComparable(once)).toEqual(expected);
          expect(toComparable(await travel(publish(once)))).toEqual(expected);
        }),
        propertyRuns(50),
      );
    });
  });
}
