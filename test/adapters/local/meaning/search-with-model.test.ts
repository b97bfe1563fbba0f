import { dirname, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCatalog } from '../../../../src/adapters/local/catalog.ts';
import { openLocalService } from '../../../../src/adapters/local/open-local-service.ts';
import { createRequestIds } from '../../../../src/adapters/local/request-ids.ts';
import { lockFile } from '../../../../src/adapters/store/sqlite/file-lock.ts';
import { systemClock as clock } from '../../../../src/ports/clock.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { findTestModel } from '../../../helpers/test-model.ts';
import { openEncoder } from '../../onnx/open-encoder.ts';
import { SECRET, searchFor, writeCatalog } from '../services.ts';

const found = await findTestModel();
const LIMIT_MS = 60_000;

/** More than a hundred of the starter catalogue's objects, all in English. */
const chosen = new Set(['alison', 'bls', 'carpentries']);

test.skipIf(found === null)(
  'a model finds what words do not, nothing where there is nothing, and leaves the strict model alone',
  async () => {
    const { objects, providers } = readCatalog(resolve('data'));
    const catalogDir = makeTempDir();
    writeCatalog(catalogDir, { objects: objects.filter(({ provider }) => chosen.has(provider)), providers });
    const { encoder } = openEncoder(dirname(found ?? ''));
    const service = openLocalService({
      ...{ catalogDir, dataDir: makeTempDir(), clock, publicUrl: 'https://skills.example.org', pollMs: 50 },
      meaning: { encoder, lockFile: (path) => lockFile(path, { isShared: false }), wordsMs: LIMIT_MS },
      onProblem: (error) => expect.unreachable(`${error}`),
      requestIds: createRequestIds(SECRET, clock),
    });
    onTestFinished(() => service.close());
    /** Titles of what fits. */
    const findFitting = async (keywords: string, model: 'strict' | 'extended' = 'extended') => {
      const answer = await service.learning.searchMany(searchFor(keywords, { model }));
      return answer?.content.flatMap(({ title }, i) => (answer.tiers?.[i] === 'close' ? [] : [title]));
    };
    const fright = 'i tremble when i have to talk to a crowd';
    expect(await findFitting(fright)).toEqual([]);
    await expect
      .poll(() => findFitting(fright), { timeout: LIMIT_MS, interval: 200 })
      .toEqual(['Conquering your fear of public speaking']);
    expect(await findFitting(fright, 'strict')).toEqual([]);
    expect(await findFitting('recipe for apple pie')).toEqual([]);
  },
  2 * LIMIT_MS,
);
