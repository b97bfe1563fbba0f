import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { buttonTexts, choicesIn, messageOf, textIn } from './read-message.ts';
import { startLearn } from './start-learn.ts';

describe('sharing', () => {
  test('posts the object for everyone, with the name of the person and without the search', async () => {
    const { command, click, posted } = await startLearn();
    const found = await command('my secret words');
    expect(await click(found, 'Share')).toEqual({ kind: 'done' });
    expect(posted).toHaveLength(1);
    const { way, message } = posted[0]!;
    expect(way).toBe('https://hooks.example.org/C1');
    expect(message.text).toBe('<@U1> shared: Course 1');
    expect(textIn(message)).toContain('Shared by <@U1>\n<https://example.org/courses/1|Course 1>\nYouTube');
    expect(JSON.stringify(message)).not.toContain('secret words');
    expect(choicesIn(message)).toEqual([]);
  });

  test('posts each object once in a conversation, however often it is clicked', async () => {
    const { command, click, posted } = await startLearn();
    const found = await command('python');
    const replies = await Promise.all([click(found, 'Share'), click(found, 'Share')]);
    expect(replies.map(({ kind }) => kind).sort()).toEqual(['done', 'message']);
    const again = await click(await command('other words'), 'Share');
    expect(textIn(messageOf(again))).toBe('You have already shared this here.');
    await click(found, 'Share', { channelId: 'C2' });
    expect(posted.map(({ way }) => way)).toEqual(['https://hooks.example.org/C1', 'https://hooks.example.org/C2']);
  });

  test('posts as the app after the response URL has expired', async () => {
    const { command, click, posted, failures } = await startLearn();
    failures.push(new AppError('SLACK_RESPONSE_EXPIRED', 'over'));
    await click(await command('python'), 'Share');
    expect(posted.map(({ way }) => way)).toEqual(['C1']);
  });

  test('says what to do if the app may not post, and can be tried again', async () => {
    const { command, click, posted, failures } = await startLearn();
    failures.push(new AppError('SLACK_RESPONSE_EXPIRED', 'over'), new AppError('SLACK_NOT_IN_CHANNEL', 'no'));
    const found = await command('python');
    const reply = await click(found, 'Share');
    expect(textIn(messageOf(reply))).toContain('Type /learn here and share');
    await click(found, 'Share');
    expect(posted).toHaveLength(1);
  });

  test('throws if Slack fails, and can be tried again', async () => {
    const { command, click, posted, failures } = await startLearn();
    failures.push(new AppError('SLACK_FAILED', 'down', { data: { slackError: 'fatal_error' } }));
    const found = await command('python');
    await expect(click(found, 'Share')).rejects.toMatchObject({ code: 'SLACK_FAILED' });
    await click(found, 'Share');
    expect(posted).toHaveLength(1);
  });

  test('says so if the object may have been posted already', async () => {
    const { command, click, failures } = await startLearn();
    failures.push(new AppError('SLACK_FAILED', 'no answer'));
    const found = await command('python');
    await expect(click(found, 'Share')).rejects.toMatchObject({ code: 'SLACK_FAILED' });
    expect(textIn(messageOf(await click(found, 'Share')))).toContain('This may have been shared already');
  });

  test('from a modal posts to its conversation and thread, and says so', async () => {
    const { search, click, posted } = await startLearn();
    const target = { channelId: 'C7', threadTs: '12.5', responseUrl: 'https://hooks.example.org/thread' };
    const found = await search('python', target, { inModal: true });
    const reply = await click(found, 'Share', { inModal: true });
    expect(textIn(messageOf(reply))).toContain('Shared');
    expect(posted).toMatchObject([{ way: 'https://hooks.example.org/thread', threadTs: '12.5' }]);
  });

  test('is not offered in a modal that belongs to no conversation', async () => {
    const { search } = await startLearn();
    const buttons = buttonTexts(await search('python', undefined, { inModal: true }));
    expect(buttons.length).toBeGreaterThan(0);
    expect(buttons).not.toContain('Share');
  });
});
