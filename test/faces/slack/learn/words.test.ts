import { describe, expect, test } from 'vitest';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import type { Message } from '../../../../src/faces/slack/blocks/block-kit.ts';
import { buttonTexts, messageOf, textIn } from './read-message.ts';
import { manyObjects, serviceWith } from './scripted-service.ts';
import { startLearn } from './start-learn.ts';

const titlesIn = (message: Message) => [...textIn(message).matchAll(/<https[^|]*\|([^>]*)/g)].map(([, title]) => title);

/** Objects with these texts, the title first. */
const objectsSaying = (...texts: readonly (readonly [string, string?])[]): LearningObject[] =>
  texts.map(([title, description = 'Nothing else'], index) => ({
    ...manyObjects(index + 1)[index]!,
    title,
    description,
  }));

test('leaves out objects with excluded words, also from the total', async () => {
  const objects = objectsSaying(['Java for all'], ['JavaScript', 'No coffee'], ['Other', 'Better than JAVA!']);
  const { command, click } = await startLearn(serviceWith(objects));
  const found = await command('course -java');
  expect(titlesIn(found)).toEqual(['JavaScript']);
  expect(textIn(found)).toContain('1 resource for “course”');
  expect(titlesIn(messageOf(await click(found, 'Without: java ×')))).toHaveLength(3);
});

describe('a phrase', () => {
  const objects = objectsSaying(
    ['Project management'],
    ['Management of a project'],
    ['Agile', 'All of PROJECT-MANAGEMENT, and more'],
    ['Project managements'],
    ['L’école d’été'],
  );

  test.each([
    ['"project management"', ['Project management', 'Agile']],
    ['“Prôject  management”', ['Project management', 'Agile']],
    ['"l\'ecole d\'ete"', ['L’école d’été']],
    ['"project management" --agile', ['Project management']],
  ])('%s must be in an object', async (typed, titles) => {
    const { command } = await startLearn(serviceWith(objects));
    expect(titlesIn(await command(typed))).toEqual(titles);
  });

  test('is a chip that can be removed; its words are searched for all the same', async () => {
    const service = serviceWith(objects);
    const { command, click } = await startLearn(service);
    const found = await command('"project management" now');
    expect(service.queries[0]).toMatchObject({ keywords: 'project management now' });
    const wider = messageOf(await click(found, 'Exactly: “project management” ×'));
    expect(service.queries.at(-1)).toMatchObject({ keywords: 'project management now' });
    expect(titlesIn(wider)).toHaveLength(5);
    expect(buttonTexts(wider)).not.toContain('Exactly: “project management” ×');
  });

  test('is none if it is a single word', async () => {
    const { command } = await startLearn(serviceWith(objects));
    expect(titlesIn(await command('"school"'))).toHaveLength(5);
  });

  test('that no object has can be removed', async () => {
    const { command, click } = await startLearn(serviceWith(objects));
    const nothing = await command('"no such thing"');
    expect(textIn(nothing)).toContain('No results for “no such thing”');
    expect(titlesIn(messageOf(await click(nothing, 'without the exact phrase (5)')))).toHaveLength(5);
  });

  test('is removed when other words are tried', async () => {
    const service = serviceWith(objects, {
      similar: async () => [{ label: 'Snakes', source: 'x', score: 1 }],
    });
    const { command, click } = await startLearn(service);
    const found = messageOf(await click(await command('"nothing here"'), 'Snakes'));
    expect(titlesIn(found)).toHaveLength(5);
  });
});

describe('many objects of which few have the words', () => {
  const every = (nth: number, count: number) =>
    manyObjects(count).map((object, index) => ({
      ...object,
      title: index % nth === 0 ? `Deep learning ${index}` : object.title,
    }));

  test('are read until the page is full', async () => {
    const { command, click } = await startLearn(serviceWith(every(6, 60)));
    const first = await command('"deep learning"');
    expect(titlesIn(first)).toEqual([0, 6, 12, 18, 24].map((number) => `Deep learning ${number}`));
    const second = messageOf(await click(first, 'Next'));
    expect(titlesIn(second)).toEqual([30, 36, 42, 48, 54].map((number) => `Deep learning ${number}`));
    expect(textIn(second)).toContain('10 resources for');
    expect(buttonTexts(second)).not.toContain('Next');
  });

  test('are read up to the best hundred, with a note', async () => {
    const service = serviceWith(every(50, 500));
    const { command } = await startLearn(service);
    const found = await command('"deep learning"');
    expect(service.queries).toHaveLength(5);
    expect(titlesIn(found)).toHaveLength(2);
    expect(textIn(found)).toContain('About 10 resources');
    expect(textIn(found)).toContain('Only the best 100 results were checked.');
    expect(buttonTexts(found)).not.toContain('Next');
  });
});
