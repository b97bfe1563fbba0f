import { expect, test } from 'vitest';
import type { Reply } from '../../../../src/faces/slack/listener.ts';
import { buttonTexts, messageOf, textIn } from './read-message.ts';
import { manyObjects, serviceWith } from './scripted-service.ts';
import { startLearn } from './start-learn.ts';

const chipsIn = (reply: Reply) => buttonTexts(messageOf(reply)).filter((text) => text.endsWith('×'));

/** A service that answers only once it is let, from when on it is held. */
function heldService() {
  const service = serviceWith(manyObjects(12));
  let held = Promise.resolve();
  const searchMany: typeof service.searchMany = async (query, options) => {
    const answer = await service.ask('searchMany', query, options);
    await held;
    return answer;
  };
  return {
    ...service,
    searchMany,
    hold(): () => void {
      const { promise, resolve } = promiseWithResolvers();
      held = promise;
      return resolve;
    },
  };
}

function promiseWithResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('applies two filters that are chosen before the first is shown', async () => {
  const service = heldService();
  const { command, click } = await startLearn(service);
  const found = await command('python');
  const letGo = service.hold();
  const first = click(found, 'Video');
  await expect.poll(() => service.queries.length).toBe(2);
  const second = click(found, 'French');
  await expect.poll(() => service.queries.length).toBe(3);
  letGo();
  // What would show one of them only is not shown.
  expect(await first).toEqual({ kind: 'done' });
  expect(chipsIn(await second)).toEqual(['Type: Video ×', 'Language: French ×']);
});

test('applies three filters that are chosen at the same moment', async () => {
  const service = serviceWith(manyObjects(12));
  const { command, click } = await startLearn(service);
  const found = await command('python');
  const replies = await Promise.all([click(found, 'Video'), click(found, 'French'), click(found, 'Advanced')]);
  const shown = replies.filter(({ kind }) => kind === 'replace').map(chipsIn);
  expect(shown.at(-1)).toEqual(expect.arrayContaining(['Type: Video ×', 'Language: French ×', 'Level: Advanced ×']));
});

test('applies chips and pages of an old list to the newest choices', async () => {
  const service = serviceWith(manyObjects(12));
  const { command, click } = await startLearn(service);
  const found = await command('python free');
  await click(found, 'Video');
  expect(chipsIn(await click(found, 'Price: Free only ×'))).toEqual(['Type: Video ×']);
  const page = messageOf(await click(found, 'Next'));
  expect(buttonTexts(page)).toContain('Type: Video ×');
  expect(textIn(page)).toContain('Page 1 of 3');
});

test('keeps the choices of two lists apart', async () => {
  const { command, click } = await startLearn();
  const [one, other] = [await command('python'), await command('python')];
  await click(one, 'Video');
  expect(chipsIn(await click(other, 'French'))).toEqual(['Language: French ×']);
});
