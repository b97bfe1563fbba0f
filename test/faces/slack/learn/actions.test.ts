import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../src/faces/slack/blocks/block-kit.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { buttonTexts, choicesIn, messageOf, textIn } from './read-message.ts';
import { manyObjects, serviceWith } from './scripted-service.ts';
import { startLearn } from './start-learn.ts';

const HOUR_MS = 3_600_000;
const titlesIn = (message: Message) => textIn(message).match(/(?<=\|)Course \d+/g);

describe('paging', () => {
  test('goes to the next page and back, in place', async () => {
    const { command, click } = await startLearn();
    const first = await command('python');
    const reply = await click(first, 'Next');
    expect(reply.kind).toBe('replace');
    const second = messageOf(reply);
    expect(titlesIn(second)).toEqual(['Course 6', 'Course 7', 'Course 8', 'Course 9', 'Course 10']);
    expect(textIn(second)).toContain('Page 2 of 3');
    const last = messageOf(await click(second, 'Next'));
    expect(buttonTexts(last)).not.toContain('Next');
    expect(titlesIn(messageOf(await click(second, 'Previous')))).toEqual(titlesIn(first));
  });

  test('gives the same page after a second click', async () => {
    const { command, click } = await startLearn();
    const first = await command('python');
    const [one, two] = await Promise.all([click(first, 'Next'), click(first, 'Next')]);
    expect(titlesIn(messageOf(one))).toEqual(titlesIn(messageOf(two)));
  });

  test("names the page in the button's label", async () => {
    const { command } = await startLearn();
    const next = choicesIn(await command('python')).find(({ text }) => text === 'Next');
    expect(next).toMatchObject({ actionId: 'learn_page_next', label: 'Page 2' });
    expect(next!.value).toMatch(/^[\w-]{16}:1$/);
  });
});

describe('similar objects', () => {
  test('are shown in place, with the skill of each and a way back', async () => {
    const { command, click } = await startLearn(serviceWith([...manyObjects(3), fullObject]));
    const found = await command('python');
    const reply = await click(found, 'More like this');
    expect(reply.kind).toBe('replace');
    const similar = messageOf(reply);
    expect(textIn(similar)).toContain('Similar to “Course 1”');
    expect(textIn(similar)).not.toContain('|Course 1>');
    expect(textIn(similar)).toContain('|Course 2>');
    expect(textIn(similar)).toContain('For this skill: Python');
    await click(similar, 'Save');
    const back = messageOf(await click(similar, 'Back to the results'));
    expect(titlesIn(back)).toEqual(titlesIn(found));
    expect(buttonTexts(back)).toContain('Saved');
  });

  test('says that there are none', async () => {
    const { command, click } = await startLearn(serviceWith(manyObjects(1)));
    const similar = messageOf(await click(await command('python'), 'More like this'));
    expect(textIn(similar)).toBe('Nothing similar to “Course 1”');
    expect(buttonTexts(similar)).toEqual(['Back to the results']);
  });
});

test('refuses all buttons of a list after a day', async () => {
  const { command, act, clock } = await startLearn();
  const found = await command('python lang:fr');
  clock.advance(25 * HOUR_MS);
  for (const { actionId, value, blockId } of choicesIn(found))
    await expect(act(actionId, value, { blockId })).rejects.toMatchObject({ code: 'SLACK_STATE_OVER' });
});

test('refuses a button that names nothing', async () => {
  const { command, act } = await startLearn();
  const { value } = choicesIn(await command('python')).find(({ actionId }) => actionId === 'learn_save')!;
  await expect(act('learn_save', `${value.split(':')[0]}:99`)).rejects.toMatchObject({
    code: 'PARAMETERS_INVALID',
  });
  await expect(act('learn_page_next', 'nonsense')).rejects.toMatchObject({ code: 'SLACK_STATE_OVER' });
  await expect(act('learn_recent_0', '')).rejects.toMatchObject({ code: 'SLACK_STATE_OVER' });
});
