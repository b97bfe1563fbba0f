import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { buttonTexts, choicesIn, textIn } from './read-message.ts';
import { startLearn } from './start-learn.ts';

describe('sharing', () => {
  test('posts the object for everyone, with the name of the person and without the search', async () => {
    const { command, share, posted } = await startLearn();
    const found = await command('my secret words');
    expect(await share(found)).toContain('Shared. Everyone');
    expect(posted).toHaveLength(1);
    const { way, message } = posted[0]!;
    expect(way).toBe('https://hooks.example.org/C1');
    expect(message.text).toBe('<@U1> shared: Course 1');
    expect(textIn(message)).toContain('Shared by <@U1>\n<https://example.org/courses/1|Course 1>\nYouTube');
    expect(JSON.stringify(message)).not.toContain('secret words');
    expect(choicesIn(message)).toEqual([]);
  });

  test('shows what everyone will see first, with room for a comment', async () => {
    const { command, click, submit, posted } = await startLearn();
    const preview = await click(await command('python'), 'Share');
    if (preview.kind !== 'modal') throw new Error('There is no preview.');
    const shown = JSON.stringify(preview.view.blocks);
    expect(shown).toContain('Everyone in the conversation will see this:');
    expect(shown).toContain('|Course 1>');
    expect(posted).toEqual([]);
    await submit(preview.view, null, 'Look at <part> two');
    expect(textIn(posted[0]!.message)).toContain('Shared by <@U1>\nLook at &lt;part&gt; two\n');
  });

  test('posts each object once in a conversation, however often it is clicked', async () => {
    const { command, share, posted } = await startLearn();
    const found = await command('python');
    const replies = await Promise.all([share(found), share(found)]);
    expect(replies.filter((text) => text.includes('Shared. Everyone'))).toHaveLength(1);
    expect(await share(await command('other words'))).toBe('You have already shared this here.');
    await share(found, { channelId: 'C2' });
    expect(posted.map(({ way }) => way)).toEqual(['https://hooks.example.org/C1', 'https://hooks.example.org/C2']);
  });

  test('posts as the app after the response URL has expired', async () => {
    const { command, share, posted, failures } = await startLearn();
    failures.push(new AppError('SLACK_RESPONSE_EXPIRED', 'over'));
    await share(await command('python'));
    expect(posted.map(({ way }) => way)).toEqual(['C1']);
  });

  test('says what to do if the app may not post, and can be tried again', async () => {
    const { command, share, posted, failures } = await startLearn();
    failures.push(new AppError('SLACK_RESPONSE_EXPIRED', 'over'), new AppError('SLACK_NOT_IN_CHANNEL', 'no'));
    const found = await command('python');
    expect(await share(found)).toContain('Type /learn here and share');
    await share(found);
    expect(posted).toHaveLength(1);
  });

  test('throws if Slack fails, and can be tried again', async () => {
    const { command, share, posted, failures } = await startLearn();
    failures.push(new AppError('SLACK_FAILED', 'down', { data: { slackError: 'fatal_error' } }));
    const found = await command('python');
    await expect(share(found)).rejects.toMatchObject({ code: 'SLACK_FAILED' });
    await share(found);
    expect(posted).toHaveLength(1);
  });

  test('says so if the object may have been posted already', async () => {
    const { command, share, failures } = await startLearn();
    failures.push(new AppError('SLACK_FAILED', 'no answer'));
    const found = await command('python');
    await expect(share(found)).rejects.toMatchObject({ code: 'SLACK_FAILED' });
    expect(await share(found)).toContain('This may have been shared already');
  });

  test('from a modal posts to its conversation and thread, and says so', async () => {
    const { search, share, posted } = await startLearn();
    const target = { channelId: 'C7', threadTs: '12.5', responseUrl: 'https://hooks.example.org/thread' };
    const found = await search('python', target, { inModal: true });
    expect(await share(found, { inModal: true })).toContain('Shared');
    expect(posted).toMatchObject([{ way: 'https://hooks.example.org/thread', threadTs: '12.5' }]);
  });

  test('is not offered in a modal that belongs to no conversation', async () => {
    const { search } = await startLearn();
    const buttons = buttonTexts(await search('python', undefined, { inModal: true }));
    expect(buttons.length).toBeGreaterThan(0);
    expect(buttons).not.toContain('Share');
  });
});
