import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { buttonTexts, messageOf, textIn } from './read-message.ts';
import { startLearn } from './start-learn.ts';

describe('saving', () => {
  test('changes the button in place, and back', async () => {
    const { command, click, shelf, contextOf } = await startLearn();
    const found = await command('python');
    const saved = messageOf(await click(found, 'Save', { nth: 1 }));
    expect(buttonTexts(saved).filter((text) => text.startsWith('Save'))).toEqual([
      'Save',
      'Saved',
      'Save',
      'Save',
      'Save',
    ]);
    const { owner } = contextOf();
    const kept = await shelf.list(owner, { page: 0, pageSize: 5 });
    expect(kept.items[0]).toMatchObject({ object: { title: 'Course 2' }, requestId: 'request-1' });
    const removed = messageOf(await click(saved, 'Saved'));
    expect(buttonTexts(removed)).not.toContain('Saved');
    expect((await shelf.list(owner, { page: 0, pageSize: 5 })).total).toBe(0);
  });

  test('saves once after two clicks', async () => {
    const { command, click, shelf, contextOf } = await startLearn();
    const found = await command('python');
    await Promise.all([click(found, 'Save'), click(found, 'Save')]);
    expect((await shelf.list(contextOf().owner, { page: 0, pageSize: 5 })).total).toBe(1);
  });

  test('says that the shelf is full', async () => {
    const shelf = {
      save: () => Promise.reject(new AppError('SHELF_FULL', 'full')),
      findSaved: async () => new Set(),
    } as never;
    const { command, click } = await startLearn(undefined, { deps: { shelf } });
    const reply = await click(await command('python'), 'Save');
    expect(reply.kind).toBe('message');
    expect(textIn(messageOf(reply))).toContain('Your shelf is full.');
  });

  test('saves for this person only', async () => {
    const { command, click } = await startLearn();
    const found = await command('python');
    await expect(click(found, 'Save', { userId: 'U2' })).rejects.toMatchObject({ code: 'SLACK_STATE_OVER' });
  });
});
