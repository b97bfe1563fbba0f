import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type LocalService, openLocalService } from '../../../src/adapters/local/open-local-service.ts';
import { createRequestIds } from '../../../src/adapters/local/request-ids.ts';
import { readStarterCatalog } from '../../../src/adapters/local/starter-catalog.ts';
import { openEncoder } from '../../../src/adapters/meaning/static-encoder.ts';
import { systemClock as clock } from '../../../src/ports/clock.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { SECRET, searchFor, writeCatalog } from './services.ts';

/** More than a hundred of the starter catalogue's objects, in English and French. */
const chosen = new Set(['alison', 'bls', 'carpentries', 'fun-mooc']);

/** In a test. */
function makeCatalog(): string {
  const { objects, providers, concepts } = readStarterCatalog(resolve('data'));
  const catalogDir = makeTempDir();
  writeCatalog(catalogDir, {
    objects: objects.filter(({ provider }) => chosen.has(provider)),
    providers,
    concepts: concepts.filter(({ source }) => source === 'Skilldock'),
  });
  return catalogDir;
}

function open(folders: { readonly catalogDir: string; readonly dataDir: string }): LocalService {
  const service = openLocalService({
    ...folders,
    clock,
    publicUrl: 'https://skills.example.org',
    encoder: openEncoder(),
    onProblem: (error) => expect.unreachable(`${error}`),
    requestIds: createRequestIds(SECRET, clock),
  });
  onTestFinished(() => service.close());
  return service;
}

/** Titles of what is found. */
async function find(
  { learning }: LocalService,
  keywords: string,
  model: 'strict' | 'extended' = 'extended',
): Promise<string[]> {
  const answer = await learning.ask('searchMany', searchFor(keywords, { model }));
  return (answer?.content ?? []).map(({ title }) => title);
}

// Indexes a catalogue of some hundred objects once for all of it. Over two seconds of CPU: the
// vectors of all labels and objects are computed, which only a whole build shows.
test('finds and tags by meaning, also with a saved index, in both languages', async () => {
  const folders = { catalogDir: makeCatalog(), dataDir: makeTempDir() };
  const service = open(folders);
  const keywords = 'nervous before an audience';
  const found = await find(service, keywords);
  expect(found).toContain('Conquering your fear of public speaking');
  expect(await find(service, keywords, 'strict')).toContain('Conquering your fear of public speaking');

  const again = open(folders);
  expect(again.isFromSnapshot).toBe(true);
  expect(await find(again, keywords)).toEqual(found);

  for (const [text, lang] of [
    ['You will look after our cameras', 'en'],
    ['Vous prendrez soin de nos appareils photo', 'fr'],
  ] as const) {
    const { tags } = await service.learning.ask('tagger', { text, lang, guesses: true });
    const byWords = await service.learning.ask('tagger', { text, lang, guesses: true, byWords: true });
    expect(tags.filter((tag) => !byWords.tags.includes(tag))).not.toEqual([]);
  }
});
