import { describe, expect, test } from 'vitest';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { choicesIn, markedUp, textIn } from './read-message.ts';
import { manyObjects, serviceWith } from './scripted-service.ts';
import { startLearn } from './start-learn.ts';

const hostile = [
  ['of 5,000 characters', 'x'.repeat(5_000)],
  ['with emoji', '👩‍👩‍👧‍👦'.repeat(400)],
  ['that call everybody', '<!channel> <!here> <@U2> @channel'],
  ['that link', '<https://evil.example.org|click> https://evil.example.org |>'],
  ['with entities', '&lt;b&gt; &amp; <b>'.repeat(300)],
  ['from right to left', '\u202eمهارة\u202c \u2066שלום'],
  ['of marks', '*_~`>*\n> $t(slackLearn.back) {{title}}'.repeat(60)],
  ['that are blank', ' \n\t '],
] as const;

/** The same text wherever a service can say something. */
function objectSaying(text: string, index: number): LearningObject {
  return {
    ...fullObject,
    title: text,
    description: text,
    provider: text,
    address: text,
    author: [text, text],
    publisher: Array.from({ length: 50 }, () => text),
    type: [text, 'video'],
    url: `https://example.org/${index}?q=${encodeURIComponent('<|>&')}${'a'.repeat(205)}`,
  };
}

const serviceSaying = (text: string) => {
  const providers = Array.from({ length: 120 }, (_, index) => ({
    id: `provider-${index}`,
    name: text,
    url: 'https://example.org',
    logos: [],
  }));
  return serviceWith(
    Array.from({ length: 12 }, (_, index) => objectSaying(text, index)),
    {
      listProviders: async () => [...providers, { id: 'p'.repeat(100), name: text, url: '', logos: [] }],
      listTypes: async () =>
        Array.from({ length: 120 }, (_, index) => ({ value: `${index} ${text}`, description: text })),
      listLanguages: async () =>
        Array.from({ length: 120 }, (_, index) => ({
          value: `${index} ${text}`.slice(0, 60),
          description: text,
        })),
      similar: async () => [{ label: text, source: text, score: 1 }],
      suggest: async () => ({
        keywordsTransformed: [],
        suggestions: [{ label: text, score: 1 }],
        quality: 'A00',
      }),
    },
  );
};

/** Each is said with what can be given. */
const unknown = ['lang', 'level', 'bloom', 'sort', 'price', 'max']
  .map((key) => `${key}:"${'zz '.repeat(30)}"`)
  .join(' ');

/** Whoever is called or linked to, but for the objects themselves. */
const calls = (text: string) => text.match(/<(?!https:\/\/example\.org\/)[^|>]*/g);

describe.each(hostile)('texts %s', (_, text) => {
  test.each(['en', 'fr'] as const)('make messages that Slack takes (%s)', async (locale) => {
    const { command, act } = await startLearn(serviceSaying(text), { preferences: { itemsPerPage: 10 } });
    const found = await command(
      `python provider:provider-1 type:0 -"${'not this '.repeat(9)}" max:1h sort:random ${unknown}`,
      { locale },
    );
    expect(calls(markedUp(found))).toBeNull();
    for (const { actionId, value, blockId } of choicesIn(found).slice(0, 60)) {
      if (actionId !== 'learn_open') await act(actionId, value, { blockId, locale });
    }
  });

  test('also if they are typed and nothing is found', async () => {
    const { command } = await startLearn(serviceSaying(text));
    const nothing = await command(`nothing ${text} lang:${text} -${text}`);
    expect(calls(markedUp(nothing))).toBeNull();
    expect(calls(markedUp(await command('')))).toBeNull();
  });

  test('are shared without mentioning anybody but the person who shares', async () => {
    const { command, share, posted } = await startLearn(serviceSaying(text));
    // Slack takes no longer comment, nor does the form.
    await share(await command('python'), { comment: text.slice(0, 500) });
    expect(posted).toHaveLength(1);
    expect(calls(markedUp(posted[0]!.message))).toEqual(['<@U1', '<@U1']);
  });
});

test.each([
  ['javascript:alert(1)', null],
  ['no address', null],
  [`https://example.org/${'a'.repeat(500)}`, 'Open'],
  [`https://example.org/${'a'.repeat(5_000)}`, null],
])('an object at %j has no link in its text, and perhaps a button', async (url, text) => {
  const { command } = await startLearn(serviceWith(manyObjects(1, { url })));
  const found = await command('python');
  expect(textIn(found)).not.toContain('<');
  expect(choicesIn(found).find(({ actionId }) => actionId === 'learn_open')?.text ?? null).toBe(text);
});

test('stores a page that is too large in a shortened form', async () => {
  const large = manyObjects(10, {
    description: '機'.repeat(20_000),
    publisher: Array(500).fill('A publisher'),
  });
  const { command, act, shelf, contextOf } = await startLearn(serviceWith(large), {
    preferences: { itemsPerPage: 10 },
  });
  const save = choicesIn(await command('python')).find(({ actionId }) => actionId === 'learn_save')!;
  await act('learn_save', save.value);
  const { items } = await shelf.list(contextOf().owner, { page: 0, pageSize: 1 });
  expect(items[0]!.object).toMatchObject({ title: 'Course 1', url: 'https://example.org/courses/1' });
});
