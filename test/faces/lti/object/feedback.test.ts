import { afterEach, expect, test } from 'vitest';
import type { FeedbackRecord } from '../../../../src/ports/store/store.ts';
import { bareObject } from '../../../fakes/learning-service.ts';
import { tester } from '../../../helpers/open-services.ts';
import { type OpenedObject, openObject, textOf } from './open-object.ts';

let opened: OpenedObject;
afterEach(() => opened.close());

async function stored(): Promise<FeedbackRecord[]> {
  const records: FeedbackRecord[] = [];
  const all = { scope: null, state: null, provider: null, received: { from: null, until: null }, search: '' };
  for await (const record of opened.services.feedback.readFeedback(all)) records.push(record);
  return records;
}

const verdicts = async () => opened.services.completions.countVerdicts(await opened.find());

test('counts the verdict of a learner, and forwards the comment without the name', async () => {
  opened = await openObject();
  const token = await opened.launch();
  const response = await opened.send('/object/feedback', token, { verdict: 'useful', comment: ' Clear. ' });
  expect(response.status).toBe(303);
  const page = await (await fetch(opened.url + response.headers.get('location'))).text();
  expect(textOf(page)).toContain('Thank you. Your answer has been sent.');
  expect(page).toMatch(/value="useful" required checked/);
  expect(await verdicts()).toEqual({ useful: 1, notUseful: 0, broken: 0 });
  const [record, ...others] = await stored();
  expect(others).toEqual([]);
  expect(record).toMatchObject({ url: 'https://example.org/python', comment: 'Useful: Clear.' });
  expect(record!.email).not.toContain('lea');
  expect(JSON.stringify(record)).not.toContain('learner-1');
});

test('tells learners when their e-mail address is sent as well', async () => {
  opened = await openObject();
  const { id, version } = await opened.services.tenants.getTenant('default');
  const settings = { sharedEmail: null, sharedEmailFor: 'nobody', retentionDays: null } as const;
  await opened.services.tenants.changeFeedbackSettings(tester, id, { version, settings });
  const named = textOf(await opened.page('/object', await opened.launch()));
  expect(named).toContain('Your answer and your e-mail address also go to the service that found this resource.');
  const user = { id: 'learner-2', name: 'Lea', email: null };
  const token = await opened.launch({ user });
  expect(textOf(await opened.page('/object', token))).toContain('without your name');
  await opened.send('/object/feedback', token, { verdict: 'broken', comment: '' });
  expect((await stored())[0]).toMatchObject({
    comment: 'Broken link.',
    email: expect.stringContaining('feedback@'),
  });
});

test('stores the same feedback once, and replaces it by another opinion', async () => {
  opened = await openObject();
  const token = await opened.launch();
  const fields = { verdict: 'not-useful', comment: 'Too short' };
  await Promise.all([opened.send('/object/feedback', token, fields), opened.send('/object/feedback', token, fields)]);
  expect(await stored()).toHaveLength(1);
  await opened.send('/object/feedback', token, { verdict: 'broken', comment: '' });
  expect(await stored()).toHaveLength(2);
  expect(await verdicts()).toEqual({ useful: 0, notUseful: 0, broken: 1 });
});

test('takes verdicts but no comments for an object without a search', async () => {
  opened = await openObject({ requestId: null });
  const token = await opened.launch();
  const html = await opened.page('/object', token);
  expect(html).not.toContain('name="comment"');
  expect(textOf(html)).not.toContain('the service that found this');
  const response = await opened.sendByScript('/object/feedback', token, { verdict: 'broken' });
  expect(textOf(await response.text())).toContain('Thank you. Your answer has been saved.');
  expect(await stored()).toEqual([]);
  expect(await verdicts()).toMatchObject({ broken: 1 });
});

test('counts the verdict and reports the lost comment where the search is unknown', async () => {
  opened = await openObject({ requestId: 'forgotten' });
  const token = await opened.launch();
  const fields = { verdict: 'useful', comment: 'Nice' };
  const said = textOf(await (await opened.sendByScript('/object/feedback', token, fields)).text());
  expect(said).toContain(
    'Thank you. Your answer has been saved, but the comment could not be sent: the service that found this resource no longer has it. Please tell your teacher.',
  );
  expect(await verdicts()).toMatchObject({ useful: 1 });
});

test('forwards the feedback of instructors without counting it', async () => {
  opened = await openObject();
  const token = await opened.teach();
  const html = await opened.page('/object', token);
  expect(textOf(html)).toContain('Report a broken link, or give your opinion');
  expect(textOf(html)).not.toContain('Your teacher sees');
  const response = await opened.send('/object/feedback', token, { verdict: 'broken', comment: 'It is 404' });
  const page = textOf(await (await fetch(opened.url + response.headers.get('location'))).text());
  expect(page).toContain('Thank you. Your answer has been sent.');
  expect(await stored()).toMatchObject([{ comment: 'Broken link: It is 404' }]);
  expect(await verdicts()).toEqual({ useful: 0, notUseful: 0, broken: 0 });
});

test('tells instructors when nobody receives their feedback', async () => {
  opened = await openObject({ requestId: 'forgotten' });
  const sent = await opened.sendByScript('/object/feedback', await opened.teach(), { verdict: 'broken' });
  expect(textOf(await sent.text())).toContain(
    'Your answer could not be sent: the service that found this resource no longer has it.',
  );
  await opened.replace({ requestId: null });
  expect(await opened.page('/object', await opened.teach())).not.toContain('name="verdict"');
});

test.each([
  ['no verdict', { comment: 'x' }],
  ['another verdict', { verdict: 'awful', comment: '' }],
  ['too long a comment', { verdict: 'useful', comment: 'x'.repeat(1_001) }],
])('refuses %s', async (_, fields) => {
  opened = await openObject();
  const response = await opened.sendByScript('/object/feedback', await opened.launch(), fields);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'PARAMETERS_INVALID' });
  expect(await stored()).toEqual([]);
  expect(await verdicts()).toEqual({ useful: 0, notUseful: 0, broken: 0 });
});

test('ignores feedback on an object that was replaced meanwhile', async () => {
  opened = await openObject();
  const token = await opened.launch();
  await opened.page('/object', token);
  await opened.replace({ object: bareObject });
  const response = await opened.send('/object/feedback', token, { verdict: 'broken', comment: '' });
  expect(response.headers.get('location')).toContain('said=changed');
  expect(await stored()).toEqual([]);
  expect(await verdicts()).toMatchObject({ broken: 0 });
});

test('warns learners after two reports of a broken link, not after one', async () => {
  opened = await openObject();
  const warning = 'Several learners could not open this resource.';
  const shown = async () => textOf(await opened.page('/object', await opened.launch()));
  for (const [id, isWarned] of [
    ['a', false],
    ['b', true],
  ] as const) {
    const token = await opened.launch({ user: { id, name: null, email: null } });
    await opened.send('/object/feedback', token, { verdict: 'broken', comment: '' });
    expect((await shown()).includes(warning)).toBe(isWarned);
  }
  await opened.replace({ object: bareObject });
  expect(await shown()).not.toContain(warning);
});

test('limits the feedback of each person per hour', async () => {
  opened = await openObject();
  const token = await opened.launch();
  const sayWith = async (sender: string, n: number) => {
    const said = { verdict: 'useful', comment: `${n}` };
    return textOf(await (await opened.sendByScript('/object/feedback', sender, said)).text());
  };
  const { points } = opened.deps.ltiFeedbackLimit.limit;
  for (let n = 1; n <= points; n += 1)
    expect(await sayWith(token, n)).toContain('Thank you. Your answer has been sent.');
  expect(await sayWith(token, points + 1)).toContain(
    'You have given a lot of feedback in the last hour, so this was not sent.',
  );
  const other = await opened.launch({ user: { id: 'learner-2', name: null, email: null } });
  expect(await sayWith(other, 1)).toContain('Thank you. Your answer has been sent.');
});
