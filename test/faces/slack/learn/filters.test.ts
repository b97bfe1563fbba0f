import { describe, expect, test } from 'vitest';
import { buttonTexts, choicesIn, chosenIn, messageOf } from './read-message.ts';
import { manyObjects, serviceWith } from './scripted-service.ts';
import { startLearn } from './start-learn.ts';

describe('the menus of filters', () => {
  test.each([
    ['Video', { types: ['video'] }, 'Type: Video ×'],
    ['German', { lang: 'de' }, 'Language: German ×'],
    ['Advanced', { levelMin: 0.2 }, 'Level: Advanced ×'],
    ['Up to 1 hour', { learningTimeMax: 60 }, 'Length: Up to 1 hour ×'],
    ['Paid only', { free: false }, 'Price: Paid only ×'],
  ])('%s', async (text, wanted, chip) => {
    const service = serviceWith(manyObjects(12));
    const { command, click } = await startLearn(service);
    const second = messageOf(await click(await command('python'), 'Next'));
    const found = messageOf(await click(second, text));
    expect(service.queries.at(-1)).toMatchObject({ ...wanted, keywords: 'python', page: 0 });
    expect(buttonTexts(found)[0]).toBe(chip);
    expect(chosenIn(found)).toContain(text);
  });

  test('find a provider by a part of its name', async () => {
    const service = serviceWith(manyObjects(12));
    const { command, act, options } = await startLearn(service);
    expect(await options('')).toEqual(['All providers', 'OpenLearn', 'YouTube']);
    expect(await options('tube')).toEqual(['YouTube']);
    const { blockId } = choicesIn(await command('python')).find(({ actionId }) => actionId === 'learn_filter_type')!;
    const found = messageOf(await act('learn_filter_provider', '=youtube', { blockId }));
    expect(service.queries.at(-1)).toMatchObject({ providers: ['youtube'] });
    expect(chosenIn(found)).toContain('YouTube');
    const { blockId: next } = choicesIn(found).find(({ actionId }) => actionId === 'learn_filter_type')!;
    await act('learn_filter_provider', 'any', { blockId: next });
    expect(service.queries.at(-1)).toMatchObject({ providers: [] });
  });

  test('remove the filter by any, and change nothing for the present choice', async () => {
    const service = serviceWith(manyObjects(12));
    const { command, click } = await startLearn(service);
    const found = await command('python type:video,article lang:fr');
    expect(await click(found, 'Video, Article')).toEqual({ kind: 'done' });
    await click(found, 'Any type');
    expect(service.queries.at(-1)).toMatchObject({ types: [], lang: 'fr' });
  });

  test('refuse an unknown choice', async () => {
    const { command, act } = await startLearn();
    const { blockId } = choicesIn(await command('python')).find(({ actionId }) => actionId === 'learn_filter_level')!;
    for (const [name, value] of [
      ['level', '=hard'],
      ['free', '=toString'],
      ['bloom', '=Apply'],
      ['__proto__', '=x'],
    ])
      await expect(act(`learn_filter_${name}`, value!, { blockId })).rejects.toMatchObject({
        code: 'PARAMETERS_INVALID',
      });
  });

  test('leave other filters when a chip removes one', async () => {
    const service = serviceWith(manyObjects(12));
    const { command, click } = await startLearn(service);
    const found = await command('python lang:fr free -java');
    await click(found, 'Price: Free only ×');
    expect(service.queries.at(-1)).toMatchObject({ lang: 'fr' });
    expect(service.queries.at(-1)).not.toHaveProperty('free');
    const wanted = messageOf(await click(found, 'Without: java ×'));
    expect(buttonTexts(wanted)).not.toContain('Without: java ×');
  });
});
