import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type LocalServiceOptions,
  openLocalService,
} from '../../../../src/adapters/local/open-local-service.ts';
import { createRequestIds } from '../../../../src/adapters/local/request-ids.ts';
import { lockFile } from '../../../../src/adapters/store/sqlite/file-lock.ts';
import { normalizeObjectAddress } from '../../../../src/domain/learning-object.ts';
import type { ObjectEdits } from '../../../../src/domain/object-fields.ts';
import { AppError } from '../../../../src/errors.ts';
import type { TenantLayer } from '../../../../src/ports/object-catalog.ts';
import { EVERY_TENANT, type ObjectChange } from '../../../../src/ports/store/object-layers.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { createWordEncoder, modelNamed, type WordEncoder } from '../../../fakes/word-encoder.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { conceptPart, openImports } from '../imported.ts';
import { aConcept, anObject, SECRET, searchFor, writeCatalog } from '../services.ts';

const titles = ['Python for everybody', 'Baking bread', 'Nursing basics'];
const concepts = [
  aConcept('own:python', 'Python', { altLabels: { en: ['Python language'], fr: ['langage Python'] } }),
  aConcept('own:baking', 'baking', { labels: { en: 'baking', fr: 'boulangerie' } }),
];

interface Opened {
  readonly encoder: WordEncoder;
  readonly problems: unknown[];
  readonly dataDir: string;
  readonly service: ReturnType<typeof openLocalService>;
}

type OpenOptions = Partial<Pick<Opened, 'encoder' | 'dataDir'> & Pick<LocalServiceOptions, 'imported'>>;

function open({ imported, ...options }: OpenOptions = {}): Opened {
  const { encoder = createWordEncoder(), dataDir = makeTempDir() } = options;
  const catalogDir = makeCatalog();
  const clock = createStandingClock();
  const problems: unknown[] = [];
  const service = openLocalService({
    ...{ catalogDir, dataDir, clock, pollMs: 5 },
    meaning: { encoder, lockFile: (path) => lockFile(path, { isShared: false }) },
    ...(imported && { imported }),
    onProblem: (error) => problems.push(error),
    publicUrl: 'https://skills.example.org',
    requestIds: createRequestIds(SECRET, clock),
  });
  onTestFinished(() => service.close());
  return { encoder, problems, dataDir, service };
}

function makeCatalog(): string {
  const folder = makeTempDir();
  const objects = titles.map((title, n) => anObject(`${n}`, { title, keywords: ['a', 'b'] }));
  writeCatalog(folder, { objects: [...objects, anObject('fr', { title: 'Le pain', lang: 'fr' })], concepts });
  return folder;
}

function change(id: string, fields: ObjectEdits, { isAdded = false } = {}): ObjectChange {
  const url = `https://example.org/${id}`;
  const at = new Date('2026-03-01T10:00:00Z');
  return {
    ...{ tenantId: 'default', address: normalizeObjectAddress(url), url, before: null, version: 1 },
    state: { isAdded, isHidden: false, isWaiting: false, fields },
    ...{ suggestedBy: null, changedBy: 'somebody', changedAt: at },
  };
}

function layerOf(changes: readonly ObjectChange[]): TenantLayer {
  const none = { tenantId: EVERY_TENANT, version: '', changes: new Map() };
  const own = new Map(changes.map((each) => [each.address, each]));
  return { stamp: 'own', all: none, own: { tenantId: 'default', version: '1', changes: own } };
}

const whole = { labels: { done: 3, total: 3 }, objects: { done: 4, total: 4 } };
const isDone = ({ service }: Opened) =>
  expect.poll(() => service.encoding, { timeout: 20_000 }).toMatchObject({ ...whole, problem: null });
const encodedTexts = ({ encoder }: Opened) => encoder.calls.flatMap(({ texts }) => texts);

describe('what is searched is encoded in the background', () => {
  test('labels of the languages that the model reads, preferred ones first, and all objects', async () => {
    const opened = open();
    await isDone(opened);
    const texts = encodedTexts(opened);
    expect(texts.slice(0, 2).sort()).toEqual(['Python', 'baking']);
    const own = titles.map((title) => `${title}. a, b. An introduction.`);
    const french = texts.find((text) => text.startsWith('Le pain'));
    expect(texts.slice(2, 6).sort()).toEqual([...own, french].sort());
    expect(texts.slice(6)).toEqual(['Python language']);
    for (const { options } of opened.encoder.calls)
      expect(options).toMatchObject({ kind: 'passage', isBackground: true });
  });

  test('all languages where the model reads all', async () => {
    const encoder = createWordEncoder();
    encoder.model = modelNamed('all', { langs: null });
    const opened = open({ encoder });
    await expect
      .poll(() => opened.service.encoding)
      .toMatchObject({ labels: { done: 5, total: 5 }, objects: { done: 4, total: 4 } });
  });

  test('once: another host on the same folder, or the same one later, finds it there', async () => {
    const first = open();
    await isDone(first);
    await first.service.close();
    const again = open({ dataDir: first.dataDir });
    await isDone(again);
    expect(encodedTexts(again)).toEqual([]);
  });

  test('what was encoded before the encoder failed stays, and the rest follows when it works again', async () => {
    const encoder = createWordEncoder();
    let isBroken = false;
    encoder.before = () => {
      if (isBroken) throw new AppError('MODEL_UNAVAILABLE', 'It is broken.');
      isBroken = true;
    };
    const opened = open({ encoder });
    await expect.poll(() => opened.service.encoding?.problem).toBe('model');
    expect(opened.service.encoding?.labels.done).toBe(2);
    encoder.before = () => undefined;
    await isDone(opened);
    expect(encodedTexts(opened).filter((text) => text === 'Python')).toHaveLength(1);
    expect(opened.problems).toEqual([]);
  });

  test('with another model anew, and with the one before not again', async () => {
    const opened = open();
    await isDone(opened);
    opened.encoder.model = modelNamed('other', { dimensions: 32 });
    await expect.poll(() => encodedTexts(opened).length).toBe(14);
    await isDone(opened);
    opened.encoder.model = modelNamed('words');
    await isDone(opened);
    expect(encodedTexts(opened)).toHaveLength(14);
    expect(readdirSync(join(opened.dataDir, 'vectors'))).toHaveLength(2);
  });

  test('a folder that cannot be written is told once, and answers go by words', async () => {
    const dataDir = makeTempDir();
    writeFileSync(join(dataDir, 'vectors'), 'a file in the way');
    const opened = open({ dataDir });
    await expect.poll(() => opened.service.encoding?.problem).toBe('files');
    await expect.poll(() => opened.problems.length).toBe(1);
    expect(await found(opened, 'bread')).toEqual(['Baking bread']);
  });

  test('without a model nothing is encoded, and it begins when there is one', async () => {
    const encoder = createWordEncoder();
    encoder.model = null;
    const opened = open({ encoder });
    expect(await found(opened, 'bread')).toEqual(['Baking bread']);
    expect(opened.service.encoding).toMatchObject({ problem: null, perSecond: null });
    expect(existsSync(join(opened.dataDir, 'vectors'))).toBe(false);
    encoder.model = modelNamed('words');
    await isDone(opened);
  });
});

async function found({ service }: Opened, keywords: string, model: 'strict' | 'extended' = 'extended') {
  const answer = await service.learning.searchMany(searchFor(keywords, { model }));
  return answer?.content.map(({ title }) => title);
}

describe('what is asked is encoded', () => {
  const asked = (opened: Opened) =>
    opened.encoder.calls.filter(({ options }) => options.isBackground !== true);

  test('once for the same words, as a query, with a deadline', async () => {
    const opened = open();
    await isDone(opened);
    await found(opened, 'bread');
    await found(opened, 'bread');
    await opened.service.learning.similar({ keywords: 'bread', lang: 'en' });
    expect(asked(opened)).toMatchObject([{ texts: ['bread'], options: { kind: 'query' } }]);
    expect(asked(opened)[0]?.options.signal).toBeInstanceOf(AbortSignal);
  });

  test('not where the words alone are wanted', async () => {
    const opened = open();
    await isDone(opened);
    await found(opened, 'bread', 'strict');
    expect(asked(opened)).toEqual([]);
  });

  test('for completions only where words complete nothing', async () => {
    const opened = open();
    await isDone(opened);
    await opened.service.learning.suggest({ keywords: 'pyth' });
    expect(asked(opened)).toEqual([]);
    await opened.service.learning.suggest({ keywords: 'croissants' });
    expect(asked(opened)).toMatchObject([{ texts: ['croissants'] }]);
  });

  test('by sentence, each once, with the vectors of tokens', async () => {
    const opened = open();
    await isDone(opened);
    const text = 'I bake bread. I write Python.\nI bake bread. ';
    await opened.service.learning.tagger({ text, lang: 'en', guesses: true });
    await opened.service.learning.tagger({ text: 'I write Python', lang: 'en', guesses: true });
    expect(asked(opened)).toMatchObject([
      { texts: ['I bake bread', 'I write Python'], options: { tokens: true } },
    ]);
  });

  test('not for a text that is to be read by its words', async () => {
    const opened = open();
    await isDone(opened);
    await opened.service.learning.tagger({ text: 'I bake bread.', lang: 'en' });
    await opened.service.learning.tagger({ text: 'I bake bread.', lang: 'en', guesses: true, byWords: true });
    expect(asked(opened)).toEqual([]);
  });

  test.each([
    ['it fails', () => Promise.reject(new AppError('MODEL_UNAVAILABLE', 'It is overloaded.'))],
    ['it fails in a way of its own', () => Promise.reject(new Error('out of memory'))],
    ['it never answers', () => new Promise<void>(() => undefined)],
  ])('answers go by words where %s', async (_what, before) => {
    const opened = open();
    await isDone(opened);
    opened.encoder.before = before;
    const { learning } = opened.service;
    expect(await found(opened, 'bread')).toEqual(['Baking bread']);
    expect((await learning.similar({ keywords: 'Python', lang: 'en' }))[0]?.label).toBe('Python');
    expect((await learning.tagger({ text: 'I write Python.', lang: 'en' })).tags).toContain('Python');
    expect((await learning.suggest({ keywords: 'zzz' })).suggestions).toEqual([]);
  });

  test('a vector of other dimensions is no vector', async () => {
    const opened = open();
    await isDone(opened);
    const { encode } = opened.encoder;
    opened.encoder.encode = async (texts, options) =>
      (await encode(texts, options)).map(({ vector }) => ({ vector: vector.slice(1) }));
    expect(await found(opened, 'bread')).toEqual(['Baking bread']);
  });
});

describe('what changes', () => {
  test('by an import is encoded, and nothing else; what nobody has any more is dropped when it is much', async () => {
    const imports = openImports(join(makeTempDir(), 'skilldock.db'));
    onTestFinished(() => imports.close());
    const opened = open({ imported: imports.catalog });
    await isDone(opened);
    const before = encodedTexts(opened).length;
    const many = Array.from({ length: 2_000 }, (_, n) =>
      conceptPart(aConcept(`esco:${n}`, `weaving cloth number ${n}`, { source: 'ESCO' })),
    );
    await imports.put('esco', many);
    await opened.service.updates.catchUp();
    await expect
      .poll(() => opened.service.encoding.labels, { timeout: 30_000 })
      .toEqual({ done: 2_003, total: 2_003 });
    expect(encodedTexts(opened)).toHaveLength(before + 2_000);
    const { bytes } = opened.service.encoding;
    await imports.put('esco', many.slice(0, 10));
    await opened.service.updates.catchUp();
    await expect.poll(() => opened.service.encoding.labels).toEqual({ done: 13, total: 13 });
    expect(encodedTexts(opened)).toHaveLength(before + 2_000);
    expect(opened.service.encoding.bytes).toBeLessThan(bytes / 10);
  }, 60_000);

  test('for a tenant is encoded, too, and with another model again', async () => {
    const opened = open();
    await isDone(opened);
    const before = encodedTexts(opened).length;
    const added: ObjectEdits = {
      ...{ description: 'A course.', provider: 'A school', lang: 'en', type: ['mooc'], bloom: ['Apply'] },
      ...{ publisher: [], author: [], level: null, minutes: null, free: null, picture: null },
    };
    const layer = layerOf([
      change('0', { title: 'Rust for everybody' }),
      change('new', { ...added, title: 'Weaving', keywords: ['looms'] }, { isAdded: true }),
      change('fr', { title: 'Le tissage' }),
    ]);
    await opened.service.learning.searchMany(searchFor('weaving'), { layer });
    await expect.poll(() => encodedTexts(opened).length).toBe(before + 3);
    const own = encodedTexts(opened).slice(before).sort();
    expect(own).toEqual([
      expect.stringContaining('Le tissage'),
      'Rust for everybody. a, b. An introduction.',
      'Weaving. looms. A course.',
    ]);
    opened.encoder.model = modelNamed('other', { dimensions: 32 });
    await isDone(opened);
    await expect.poll(() => encodedTexts(opened).slice(before + 3)).toEqual(expect.arrayContaining(own));
  });
});

describe('on one folder', () => {
  test('hosts at the same time have vectors of their own', async () => {
    const first = open();
    await isDone(first);
    const second = open({ dataDir: first.dataDir });
    await isDone(second);
    expect(encodedTexts(second)).toHaveLength(7);
    expect(readdirSync(join(first.dataDir, 'vectors'))).toHaveLength(2);
  }, 30_000);

  test.skipIf(!existsSync('/dev/full'))(
    'without room, it says so and begins when there is some',
    async () => {
      const dataDir = makeTempDir();
      const encoder = createWordEncoder();
      const folder = join(dataDir, 'vectors', encoder.model!.fingerprint.slice(0, 16));
      mkdirSync(folder, { recursive: true });
      symlinkSync('/dev/full', join(folder, 'objects.vectors'));
      const opened = open({ dataDir, encoder });
      await expect.poll(() => opened.service.encoding.problem).toBe('disk-full');
      expect(await found(opened, 'bread')).toEqual(['Baking bread']);
      expect(opened.problems).toHaveLength(1);
      rmSync(join(folder, 'objects.vectors'));
      await isDone(opened);
    },
  );
});

test('a damaged file is encoded again, in part', async () => {
  const first = open();
  await isDone(first);
  await first.service.close();
  const folder = join(first.dataDir, 'vectors');
  const [model = ''] = readdirSync(folder);
  for (const name of readdirSync(join(folder, model))) {
    const path = join(folder, model, name);
    writeFileSync(path, Buffer.alloc(statSync(path).size, 0x55));
  }
  mkdirSync(join(folder, 'something else'));
  const again = open({ dataDir: first.dataDir });
  await isDone(again);
  expect(encodedTexts(again)).toHaveLength(7);
});
