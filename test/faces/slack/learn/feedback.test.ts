import { describe, expect, test } from 'vitest';
import { choicesIn, viewIn } from './read-message.ts';
import { manyObjects, serviceWith } from './scripted-service.ts';
import { startLearn } from './start-learn.ts';

describe('feedback', () => {
  test.each([
    ['Give feedback', undefined],
    ['Report a broken link', { value: 'broken' }],
  ])('%s opens a form', async (text, chosen) => {
    const { command, click } = await startLearn();
    const reply = await click(await command('python'), text);
    expect(reply.kind).toBe('modal');
    const view = viewIn(reply);
    expect(JSON.stringify(view.blocks)).toContain('Course 1');
    const { element } = view.blocks[1] as { readonly element: { readonly initial_option?: object } };
    expect(element.initial_option).toEqual(chosen && expect.objectContaining(chosen));
  });

  test('has one entry in the menu, beside that for a broken link', async () => {
    const { command, act } = await startLearn();
    const menu = choicesIn(await command('python')).filter(({ actionId }) => actionId === 'learn_menu');
    expect(menu.slice(0, 3).map(({ text }) => text)).toEqual([
      'More like this',
      'Give feedback',
      'Report a broken link',
    ]);
    const { value } = menu[0]!;
    for (const choice of ['useful', 'constructor', ''])
      await expect(act('learn_menu', value.replace('similar', choice))).rejects.toMatchObject({
        code: 'PARAMETERS_INVALID',
      });
  });

  test('reaches the service of the object without a name', async () => {
    const { command, click, submit, services } = await startLearn();
    const view = viewIn(await click(await command('python'), 'Give feedback', { nth: 2 }));
    const answer = await submit(view, 'not-useful', ' Too short. ');
    expect(answer.show).toMatchObject({ kind: 'update' });
    expect(JSON.stringify(answer.show)).toContain('Thank you');
    expect(services.local.calls.feedback).toMatchObject([
      {
        url: 'https://example.org/courses/3',
        requestId: 'request-1',
        comment: 'Not useful: Too short.',
        email: 'feedback@skills.example.org',
        source: 'https://skills.example.org/slack',
      },
    ]);
  });

  test.each([
    ['broken', '', 'Broken link.'],
    [null, 'Nice', 'Nice'],
  ])('%j and %j are sent as %j', async (verdict, comment, told) => {
    const { command, click, submit, services } = await startLearn();
    const view = viewIn(await click(await command('python'), 'Give feedback'));
    await submit(view, verdict, comment);
    expect(services.local.calls.feedback[0]).toMatchObject({ comment: told });
  });

  test('is stored once if it is sent twice', async () => {
    const { command, click, submit, services } = await startLearn();
    const view = viewIn(await click(await command('python'), 'Give feedback'));
    await submit(view, 'useful', 'Yes');
    await submit(view, 'useful', 'Yes');
    expect((await services.usage.report(null, 1)).totals.feedback).toBe(1);
  });

  test.each([
    [null, '', { verdict: 'Choose an answer, or write a comment.' }],
    [null, 'x'.repeat(1_001), { comment: 'Shorten your comment to 1000 characters.' }],
  ])('%j with %j is asked for again', async (verdict, comment, errors) => {
    const { command, click, submit, services } = await startLearn();
    const view = viewIn(await click(await command('python'), 'Give feedback'));
    expect((await submit(view, verdict, comment)).show).toEqual({ kind: 'errors', errors });
    expect(services.local.calls.feedback).toEqual([]);
  });

  test('says that the service no longer has the object', async () => {
    const service = serviceWith(manyObjects(1));
    const { command, click, submit } = await startLearn({
      ...service,
      searchMany: async (query) => ({ ...(await service.ask('searchMany', query))!, requestId: 'forgotten' }),
    });
    const view = viewIn(await click(await command('python'), 'Give feedback'));
    expect(JSON.stringify((await submit(view, 'useful', '')).show)).toContain('could not be sent');
  });

  test('is limited for each person', async () => {
    const slackFeedbackLimit = { consume: async () => ({ isAllowed: false }) } as never;
    const { command, click, submit, services } = await startLearn(undefined, { deps: { slackFeedbackLimit } });
    const view = viewIn(await click(await command('python'), 'Give feedback'));
    expect(JSON.stringify((await submit(view, 'useful', '')).show)).toContain('Wait a while');
    expect(services.local.calls.feedback).toEqual([]);
  });
});
