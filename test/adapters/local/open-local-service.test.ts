import { expect, onTestFinished, test } from 'vitest';
import { createGazetteer } from '../../../src/adapters/local/gazetteer.ts';
import { trackCurrentVersion } from '../../../src/adapters/local/open-local-service.ts';
import { createRequestIds } from '../../../src/adapters/local/request-ids.ts';
import { runIndexJob } from '../../../src/adapters/local/versions/index-jobs.ts';
import { type OpenVersion, openVersion } from '../../../src/adapters/local/versions/open-version.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { aConcept, anObject, createStandingClock, openService, searchFor, writeCatalog } from './services.ts';

/** Titles of the versions that were closed. */
function openVersions() {
  const closed: string[] = [];
  return {
    closed,
    open(title: string): OpenVersion {
      const [catalogDir, folder, clock] = [makeTempDir(), makeTempDir(), createStandingClock()];
      writeCatalog(catalogDir, { objects: [anObject('a', { title: `Python ${title}` })] });
      const key = { base: title, imported: title, imports: title };
      const blocks = runIndexJob({ kind: 'build', catalogDir, folder, linesPath: null, ...key });
      const version = openVersion(folder, blocks!, {
        clock,
        geocoder: createGazetteer([]),
        publicUrl: 'https://skills.example.org',
        requestIds: createRequestIds(Buffer.from('a secret of the test'), clock),
        onProblem: (error) => expect.unreachable(String(error)),
      });
      const { close } = version;
      return Object.assign(version, {
        close() {
          closed.push(title);
          close();
        },
      });
    },
  };
}

test('closes a replaced version after its last answer', async () => {
  const { open, closed } = openVersions();
  const current = trackCurrentVersion(open('one'));
  onTestFinished(() => current.close());
  const search = async () =>
    (await current.learning.ask('searchProvider', searchFor('python'))).content.map(({ title }) => title);
  const early = [search(), search()];
  current.replace(open('two'));
  current.replace(open('three'));
  expect(closed).toEqual(['two']);
  expect(await search()).toEqual(['Python three']);
  expect(await Promise.all(early)).toEqual([['Python one'], ['Python one']]);
  expect(closed).toEqual(['two', 'one']);
  expect(current.version.imported).toBe('three');
});

test('a failure counts as an answer', async () => {
  const { open, closed } = openVersions();
  const current = trackCurrentVersion(open('one'));
  onTestFinished(() => current.close());
  const failing = current.learning.ask('searchProvider', searchFor('python', { providers: ['nobody'] }));
  current.replace(open('two'));
  await expect(failing).rejects.toMatchObject({ code: 'PROVIDER_UNKNOWN' });
  expect(closed).toEqual(['one']);
});

test('closes every version once at the end', async () => {
  const { open, closed } = openVersions();
  const current = trackCurrentVersion(open('one'));
  const late = current.learning.ask('listProviders', {});
  current.replace(open('two'));
  current.close();
  await late;
  expect(closed).toEqual(['one', 'two']);
});

test('finds concepts by their ids and by the addresses of their publishers, which links and answers have as well', async () => {
  const folder = makeTempDir();
  const dye = { uri: 'https://a.example/dye', links: { broader: ['esco:skill.a1'] } };
  writeCatalog(folder, {
    concepts: [
      aConcept('esco:skill.a1', 'Weaving'),
      aConcept('own:dye', 'Dyeing', dye),
      aConcept('isco-08:2654', 'Directors'),
      aConcept('own:c.1', 'Sewing'),
    ],
  });
  const service = openService(folder, makeTempDir());
  onTestFinished(() => service.close());
  const { findConcept } = service.concepts;
  const weaving = 'http://data.europa.eu/esco/skill/a1';
  expect(findConcept('https://a.example/dye')).toMatchObject({
    id: 'own:dye',
    uri: 'https://a.example/dye',
    links: [{ name: 'broader', id: 'esco:skill.a1', uri: weaving }],
  });
  expect(findConcept(weaving)).toEqual(findConcept('esco:skill.a1'));
  expect(findConcept('https://data.europa.eu/esco/skill/a1')).toEqual(findConcept(weaving));
  expect(findConcept('http://data.europa.eu/esco/isco/C2654')).toMatchObject({ id: 'isco-08:2654' });
  expect(findConcept('own:c.1')).toMatchObject({ id: 'own:c.1', uri: 'own:c.1' });
  expect(findConcept('https://a.example/none')).toBeNull();
  const { learning } = service;
  const [term] = await learning.ask('similar', { keywords: 'weaving', lang: 'en' });
  expect(term).toMatchObject({ label: 'Weaving', concept: weaving });
  const { suggestions } = await learning.ask('suggest', { keywords: 'weav' });
  expect(suggestions[0]?.concept?.uri).toBe(weaving);
  const tagged = await learning.ask('tagger', { text: 'Weaving and sewing.', lang: 'en' });
  expect(tagged.concepts?.map(({ uri }) => uri).sort()).toEqual([weaving, 'own:c.1']);
});
