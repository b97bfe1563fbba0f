import { describe, expect, test } from 'vitest';
import { createFakeLearningService, type HandlerService } from '../../../fakes/learning-service.ts';
import { markedUp } from '../learn/read-message.ts';
import { afterwardsOf, checked, choicesIn, messageOf, startSkills, textIn, viewIn } from './start-skills.ts';

const hostile = [
  ['of 5,000 characters', 'x'.repeat(5_000)],
  ['with emoji', '👩‍👩‍👧‍👦'.repeat(300)],
  ['that call everybody', '<!channel> <!here> @channel'],
  ['that link', '<https://evil.example.org|click> https://evil.example.org'],
  ['with entities', '&lt;b&gt; &amp; <b>'.repeat(30)],
  ['from right to left', '\u202eمهارة\u202c \u2066שלום'],
  ['of marks', '*_~`>*'.repeat(40)],
  ['that are blank', ' \n\t '],
  ['that nobody sees', '\u200b'],
] as const;

/** A service whose every word is this one, in many taxonomies. */
function serviceSaying(text: string): HandlerService {
  const terms = Array.from({ length: 60 }, (_, n) => ({
    label: n % 2 === 0 ? text : `${n} ${text}`,
    source: n % 9 === 0 ? text : `${n % 9} ${text}`,
    score: 0.5,
  }));
  const labels = terms.map(({ label }) => label);
  return {
    ...createFakeLearningService(),
    similar: async () => terms,
    tagger: async ({ lang }) => ({ tokenizedText: '', lang, tags: labels }),
    suggest: async () => ({
      keywordsTransformed: [],
      suggestions: labels.map((label) => ({ label: `other ${label}`, score: 0.9 })),
      quality: { code: 'A00', description: '' } as never,
    }),
  };
}

describe.each(hostile)('labels %s', (_, text) => {
  test.each(['en', 'fr'] as const)('make messages that Slack takes (%s)', async (locale) => {
    const { command, act } = await startSkills(serviceSaying(text));
    const found = messageOf(await command('docker', { locale }));
    for (const { actionId, value } of choicesIn(found)) await act(actionId, value, { locale });
    expect(markedUp(found)).not.toContain('<');
  });

  test('also in a text, a form and a shortcut', async () => {
    const { command, shortcut } = await startSkills(serviceSaying(text));
    await command(`${text}. You like SQL very much. You code.`);
    const reply = await shortcut('find_learning', { text: 'Who knows SQL?', ts: '1.2', threadTs: null });
    checked(await afterwardsOf(reply));
  });

  test('also if they were typed and nothing is found', async () => {
    const { command, act } = await startSkills({
      ...serviceSaying(text),
      similar: async () => [],
      tagger: async ({ lang }) => ({ tokenizedText: '', lang, tags: [] }),
    });
    const reply = await command(`${text} x`);
    expect(markedUp(messageOf(reply))).not.toContain('<');
    for (const { actionId, value } of choicesIn(messageOf(reply))) await act(actionId, value);
    const form = viewIn(await command(''));
    expect(form.blocks.length).toBeGreaterThan(1);
  });
});

test('terms beyond what a message takes are counted, and shown when asked for', async () => {
  const terms = Array.from({ length: 40 }, (_, n) => ({
    label: `term ${n}`,
    source: 'One',
    score: 1 - n / 100,
  }));
  const { command, click } = await startSkills({
    ...createFakeLearningService(),
    similar: async () => terms,
  });
  const found = messageOf(await command('term'));
  const all = messageOf(await click(found, 'One: 35 more terms'));
  expect(textIn(all)).toContain('Taxonomy: *One*\n*term 0*');
  expect(textIn(all)).toContain('*term 19*\n20 more');
  expect(textIn(all)).not.toContain('*term 20*');
});

test('taxonomies beyond what a message takes are a button each', async () => {
  const terms = Array.from({ length: 7 }, (_, n) => ({
    label: `term ${n}`,
    source: `T${n}`,
    score: 1 - n / 100,
  }));
  const { command, click } = await startSkills({
    ...createFakeLearningService(),
    similar: async () => terms,
  });
  const found = messageOf(await command('term'));
  expect(textIn(found)).toContain('*term 4*  ·  T4');
  expect(textIn(found)).not.toMatch(/term 5|T5/);
  const groups = choicesIn(found).filter(({ actionId }) => actionId.startsWith('skills_group_'));
  expect(groups.map(({ text }) => text)).toEqual(['T5: 1 more term', 'T6: 1 more term']);
  const other = messageOf(await click(found, 'T5: 1 more term'));
  expect(textIn(other)).toContain('Taxonomy: *T5*');
  expect(textIn(other)).toContain('*term 5*');
});
