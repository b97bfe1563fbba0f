import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toLearningMinutes } from '../../../../src/domain/learning-object.ts';
import { DEFAULT_TENANT, initialDefaults } from '../../../../src/domain/tenant.ts';
import type { Message } from '../../../../src/faces/slack/blocks/block-kit.ts';
import type { LearnState } from '../../../../src/faces/slack/learn/learn-state.ts';
import { type OpenedService, openService } from '../../../adapters/local/services.ts';
import { tester } from '../../../helpers/open-services.ts';
import { buttonTexts, choicesIn, messageOf, textIn } from './read-message.ts';
import { startLearn } from './start-learn.ts';

let dataDir: string;
let service: OpenedService;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
  service = openService('data', dataDir);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** The number in the heading. */
const totalIn = (message: Message): number => Number(/\d+/.exec(textIn(message)));

/** `/learn` over the engine and the catalogue that everyone starts with. */
async function start() {
  const running = await startLearn(service.learning);
  return {
    ...running,
    /** The objects of a list that is shown. */
    async objectsIn(message: Message) {
      const { value } = choicesIn(message).find(({ actionId }) => actionId === 'learn_save')!;
      const state = await running.savedStates.find<LearnState>(running.contextOf().owner, value.split(':')[0]!);
      return state!.items.map(({ object }) => object);
    },
  };
}

describe('every filter holds for each object that is shown', () => {
  test.each([
    ['level:beginner', 'docker', ({ level = 1 }) => level <= -0.2],
    ['max:10h', 'project management', ({ learningTime }) => toLearningMinutes(learningTime)! <= 600],
    ['min:10h', 'project management', ({ learningTime }) => toLearningMinutes(learningTime)! >= 600],
    ['type:video', 'python', ({ type }) => type.includes('video')],
    ['lang:français', 'python', ({ lang }) => lang === 'fr'],
    ['gratuit', 'python', ({ price }) => price?.free === true],
    ['provider:openclassrooms', 'python', ({ provider }) => provider === 'OpenClassrooms'],
    ['bloom:apply', 'python', ({ bloom }) => bloom.includes('Apply')],
  ] as const satisfies readonly (readonly [
    string,
    string,
    (object: Awaited<ReturnType<Awaited<ReturnType<typeof start>>['objectsIn']>>[number]) => boolean,
  ])[])('%s', async (filter, words, holds) => {
    const { command, objectsIn } = await start();
    const found = await objectsIn(await command(`${words} ${filter}`));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((object) => !holds(object))).toEqual([]);
  });
});

test("puts the tenant's language first, also for an English reader", async () => {
  const { command, objectsIn, services } = await start();
  const languages = async (typed: string) => (await objectsIn(await command(typed))).map(({ lang }) => lang);
  expect(new Set(await languages('python'))).toEqual(new Set(['en']));
  const { version } = await services.tenants.getTenant(DEFAULT_TENANT);
  const defaults = { ...initialDefaults, prefer: 'fr' };
  await services.tenants.changeTenant(tester, DEFAULT_TENANT, { version, defaults });
  expect(new Set(await languages('python'))).toEqual(new Set(['fr']));
  expect(new Set(await languages('how to give feedback'))).toEqual(new Set(['en']));
  expect(new Set(await languages('python lang:en'))).toEqual(new Set(['en']));
});

test('offers how many objects there are without a length', async () => {
  const { command, click, objectsIn } = await start();
  const nothing = await command('python max:1min');
  expect(textIn(nothing)).toContain('No results for “python”');
  const way = buttonTexts(nothing).find((text) => text.startsWith('any length ('))!;
  expect(Number(/\d+/.exec(way))).toBeGreaterThan(20);
  expect(await objectsIn(messageOf(await click(nothing, way)))).toHaveLength(5);
});

test('says why fewer objects are left', async () => {
  const { command } = await start();
  const found = await command('docker level:beginner');
  expect(textIn(found)).toContain('Only resources with a known level are shown.');
});

test('applies levels with a gap to every object and to the total', async () => {
  const { command, click, objectsIn } = await start();
  const all = await command('sql level:beginner,intermediate,advanced');
  let shown = await command('sql level:beginner,advanced');
  expect(textIn(shown)).toContain('All results match');
  const found = await objectsIn(shown);
  while (buttonTexts(shown).includes('Next')) {
    shown = messageOf(await click(shown, 'Next'));
    found.push(...(await objectsIn(shown)));
  }
  expect(found.filter(({ level }) => level === undefined || Math.abs(level) < 0.2)).toEqual([]);
  expect(new Set(found.map(({ level }) => level! > 0)).size).toBe(2);
  // Of the best hundred, so the total is a guess.
  expect(textIn(shown)).toContain('About');
  expect(totalIn(shown)).toBeGreaterThanOrEqual(found.length);
  expect(totalIn(shown)).toBeLessThan(totalIn(all));
});

describe('every example finds several objects', () => {
  const examplesIn = (text: string) =>
    Array.from(text.matchAll(/`\/learn ([^`]+)`/g), ([, typed]) => typed!).filter((typed) => typed !== 'help');

  test.each(['en', 'fr'] as const)('of the help (%s)', async (locale) => {
    const { command, objectsIn } = await start();
    const examples = examplesIn(textIn(await command('help', { locale })));
    expect(examples).toHaveLength(4);
    for (const typed of examples)
      expect((await objectsIn(await command(typed, { locale }))).length, typed).toBeGreaterThan(1);
  });

  test('of the guide and the manifest', async () => {
    const { command, objectsIn } = await start();
    const [, hint] = /usage_hint: (.*)/.exec(readFileSync('manifest.yml', 'utf8'))!;
    const examples = [hint!, ...examplesIn(readFileSync('docs/guides/slack.md', 'utf8'))];
    expect(examples.length).toBeGreaterThan(2);
    for (const typed of examples) expect((await objectsIn(await command(typed))).length, typed).toBeGreaterThan(1);
  });
});

test('applies a phrase and an excluded word to every object of every page', async () => {
  const { command, click, objectsIn } = await start();
  let shown = await command('"machine learning" —python');
  for (let page = 0; page < 3; page++) {
    const found = await objectsIn(shown);
    expect(found.length).toBeGreaterThan(0);
    for (const { title, description } of found) {
      expect(`${title} ${description}`).toMatch(/machine[\s-]learning/i);
      expect(`${title} ${description}`).not.toMatch(/\bpython\b/i);
    }
    if (!buttonTexts(shown).includes('Next')) return;
    shown = messageOf(await click(shown, 'Next'));
  }
});

test.each([
  ['type:vidoe', 'Try Video,'],
  ['provider:yuotube', 'Try YouTube,'],
  ['lang:frnch', 'Try French,'],
])('corrects %s', async (typed, answer) => {
  const { command } = await start();
  expect(textIn(await command(`python ${typed}`))).toContain(answer);
});
