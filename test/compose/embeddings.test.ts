import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEncoder } from '../../src/compose/encoder.ts';
import { rankLearning } from '../../src/compose/learning.ts';
import { readConfig } from '../../src/config.ts';
import { systemClock } from '../../src/ports/clock.ts';
import {
  EMBEDDINGS_KEY,
  EMBEDDINGS_MODEL,
  type FakeEmbeddings,
  startFakeEmbeddings,
} from '../fakes/embeddings.ts';
import { createFakeLearningService } from '../fakes/learning-service.ts';
import { startApp } from '../helpers/app.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

let service: FakeEmbeddings;
beforeAll(async () => {
  service = await startFakeEmbeddings();
});
afterAll(() => service.close());

test('off by default: the engine is not even wrapped', async () => {
  const learning = createFakeLearningService();
  const onProblem = () => expect.unreachable();
  const encoder = openEncoder(readConfig({}), {
    file: (name) => join(makeTempDir(), name),
    clock: systemClock,
    onProblem,
  });
  const deps = { learning, encoder, issueRequestId: () => '', clock: systemClock, onProblem };
  expect(rankLearning(readConfig({}), deps)).toBe(learning);
  expect(encoder.describe()).toEqual({ kind: 'none' });
  await encoder.close();
});

test('a host with an embedding service asks it, for searches and for similar terms', async () => {
  const app = await startApp(systemClock, {
    ...{ EMBEDDINGS_URL: service.url, EMBEDDINGS_KEY, EMBEDDINGS_MODEL },
  });
  try {
    const headers = { 'x-api-key': await app.createKey() };
    const get = async (path: string) => (await fetch(app.url + path, { headers })).status;
    expect(await get('/learningobject/v2/search-provider?keywords=python&provider=khan-academy&max=5')).toBe(
      200,
    );
    expect(await get('/domcomp/v1/similar?keywords=welding')).toBe(200);
    expect(service.inputs.flat()).toEqual(expect.arrayContaining(['python', 'welding']));
    // What is searched is encoded, too.
    await expect.poll(() => service.inputs.length, { timeout: 20_000 }).toBeGreaterThan(5);
  } finally {
    await app.close();
  }
});
