import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openEncoder } from '../../src/compose/encoder.ts';
import { readConfig } from '../../src/config.ts';
import { systemClock } from '../../src/ports/clock.ts';
import {
  EMBEDDINGS_KEY,
  EMBEDDINGS_MODEL,
  type FakeEmbeddings,
  startFakeEmbeddings,
} from '../fakes/embeddings.ts';
import { startApp } from '../helpers/app.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

let service: FakeEmbeddings;
beforeAll(async () => {
  service = await startFakeEmbeddings();
});
afterAll(() => service.close());

test('off by default: nothing is there to ask', async () => {
  const encoder = openEncoder(readConfig({}), {
    file: (name) => join(makeTempDir(), name),
    clock: systemClock,
    onProblem: () => expect.unreachable(),
  });
  expect(encoder.describe()).toEqual({ kind: 'none' });
  await encoder.close();
});

test('a service that fails later is told once for each row of failures, until it answers again', async () => {
  const problems: unknown[] = [];
  const settings = { EMBEDDINGS_URL: service.url, EMBEDDINGS_KEY, EMBEDDINGS_MODEL };
  const encoder = openEncoder(readConfig(settings), {
    file: (name) => join(makeTempDir(), name),
    clock: systemClock,
    onProblem: (error) => problems.push(error),
  });
  onTestFinished(() => encoder.close());
  onTestFinished(() => service.reply());
  const encode = (text: string, signal?: AbortSignal) =>
    encoder.encode([text], { kind: 'query', isBackground: true, signal });
  await encode('well');
  const { host: address } = new URL(service.url);
  const well = { kind: 'service', name: EMBEDDINGS_MODEL, address };
  expect(encoder.describe()).toEqual(well);
  service.reply({ status: 500 });
  await expect(encode('one')).rejects.toThrow();
  await expect(encode('two')).rejects.toThrow();
  // What is kept says nothing of the service.
  await encode('well');
  expect(encoder.describe()).toMatchObject({ kind: 'unusable', problem: expect.stringMatching(/500/) });
  expect(problems).toHaveLength(1);
  service.reply();
  await encode('three');
  expect(encoder.describe()).toEqual(well);
  await expect(encode('four', AbortSignal.abort())).rejects.toThrow();
  expect({ state: encoder.describe(), told: problems.length }).toEqual({ state: well, told: 1 });
});

test('a host with an embedding service gives it what is searched, and asks it what searches mean', async () => {
  const app = await startApp(systemClock, {
    ...{ EMBEDDINGS_URL: service.url, EMBEDDINGS_KEY, EMBEDDINGS_MODEL },
  });
  try {
    const headers = { 'x-api-key': await app.createKey() };
    const search = () =>
      fetch(`${app.url}/learningobject/v2/search-provider?keywords=python+gardens&model=extended`, {
        headers,
      });
    // Of the many texts that it is given, only what is looked for is compared.
    const isAsked = (isThis: (texts: readonly string[]) => boolean) => service.inputs.some(isThis);
    const isAskedAlone = () =>
      isAsked(([text, ...others]) => text === 'python gardens' && others.length === 0);
    await expect
      .poll(async () => [(await search()).status, isAskedAlone()], { interval: 200 })
      .toEqual([200, true]);
    await expect.poll(() => isAsked((texts) => texts.length > 1)).toBe(true);
  } finally {
    await app.close();
  }
});
