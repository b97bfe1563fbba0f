import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { bareObject, fullObject } from '../../../fakes/learning-service.ts';
import { ada, adaInCourse, buttonsOf, type StartedHome, startHome, textsOf } from './start-home.ts';

let home: StartedHome;
beforeEach(async () => {
  home = await startHome();
  await home.open();
});
afterEach(() => home.close());

const firstPage = { page: 0, pageSize: 100 };
const titlesOf = async (owner: typeof ada) =>
  (await home.shelf.list(owner, firstPage)).items.map(({ object }) => object.title).sort();

const type = (code: string) =>
  home.send('home_link_code', {
    home_link_code: { home_link_code: { type: 'plain_text_input', value: code } },
  });

async function shownCode(): Promise<string> {
  const reply = await home.click('home_link');
  if (reply.kind !== 'modal') throw new Error(`a modal, not ${reply.kind}`);
  return /\*([A-Z0-9]{4}-[A-Z0-9]{4})\*/.exec(textsOf(reply.view))![1]!;
}

test('shows a code that works on the learning platform, and until when', async () => {
  await home.save(fullObject);
  const reply = await home.click('home_link');
  if (reply.kind !== 'modal') throw new Error(`a modal, not ${reply.kind}`);
  const seconds = home.clock.now().getTime() / 1_000 + 600;
  expect(textsOf(reply.view)).toContain(`<!date^${seconds}^{time}|`);
  await home.people.link(adaInCourse, await shownCode());
  expect(await titlesOf(adaInCourse)).toEqual(['Python for everybody']);
});

test('takes a code of the learning platform: one list from then on', async () => {
  await home.save(fullObject);
  await home.shelf.save(adaInCourse, { object: bareObject, requestId: null });
  const { code } = await home.people.createLinkCode(adaInCourse);
  expect(await type(` ${code.toLowerCase()} `)).toMatchObject({ kind: 'update' });
  expect(await titlesOf(ada)).toEqual(['Bare', 'Python for everybody']);
  expect(await titlesOf(adaInCourse)).toEqual(['Bare', 'Python for everybody']);
  expect(textsOf(home.home())).toContain('Linked: Slack and your learning platform share');
  expect(textsOf(home.home())).toContain('Saved (2)');
});

test('says beside the field what is wrong with a code', async () => {
  const { code } = await home.people.createLinkCode(adaInCourse);
  await home.people.link({ ...ada, person: 'slack:T1:bob' }, code);
  const problem = (text: string) => ({
    kind: 'errors',
    errors: { home_link_code: expect.stringContaining(text) },
  });
  expect(await type('  ')).toEqual(problem('Type the code'));
  expect(await type(code)).toEqual(problem('This code is not valid'));
  const ofSlack = await home.people.createLinkCode({ ...ada, person: 'slack:T1:bob' });
  expect(await type(ofSlack.code)).toEqual(problem('type a code from Slack on the learning platform'));
  for (let tries = 2; tries <= 10; tries++) await type('AAAA-AAAA');
  expect(await type('AAAA-AAAA')).toEqual(problem('Too many wrong codes'));
  vi.spyOn(home.people, 'link').mockRejectedValueOnce(new AppError('SHELF_FULL', 'It is full.'));
  expect(await type('AAAA-AAAA')).toEqual(problem('exceed the maximum'));
  expect(await home.people.countLinked(ada)).toBe(0);
});

test('unlinks, and saved objects stay with the learning platform', async () => {
  await home.save(fullObject);
  await home.people.link(adaInCourse, await shownCode());
  await home.open();
  expect(buttonsOf(home.home(), 'home_unlink')).toHaveLength(1);
  await home.click('home_unlink');
  expect(textsOf(home.home())).toContain('Unlinked.');
  expect(textsOf(home.home())).toContain('Nothing saved yet.');
  expect(await titlesOf(adaInCourse)).toEqual(['Python for everybody']);
  await home.save(bareObject);
  await home.click('home_unlink');
  expect(textsOf(home.home())).not.toContain('Unlinked.');
  expect(await titlesOf(ada)).toEqual(['Bare']);
});
