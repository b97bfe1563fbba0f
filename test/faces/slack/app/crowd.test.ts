import { afterEach, expect, test } from 'vitest';
import { wordsOf } from '../../../fakes/slack.ts';
import { isFullRun } from '../../../helpers/draw.ts';
import { type RunningSlack, startSlack } from '../start-slack.ts';
import { createHold } from './start-signed.ts';

let running: RunningSlack;
afterEach(() => running.close());

const CROWD = isFullRun ? 200 : 25;

test('acknowledges a crowd of commands before the searches end, and answers all', async () => {
  const search = createHold();
  running = await startSlack({
    crowd: CROWD,
    deps: ({ discoveryOf }) => ({
      discoveryOf(tenantId) {
        const discovery = discoveryOf(tenantId);
        return {
          ...discovery,
          async searchLearningObjects(...given) {
            await search.wait();
            return discovery.searchLearningObjects(...given);
          },
        };
      },
    }),
  });
  const { slack, failures } = running;
  // What comes first waits for what is loaded late.
  expect((await slack.ada.types('/learn')).ok).toBe(true);
  const acks = await Promise.all(slack.crowd.map((person, at) => person.types(`/learn python ${at}`)));
  expect(acks.filter(({ ok }) => !ok)).toEqual([]);
  search.release();
  const answers = () => slack.crowd.map((person) => person.sees().filter(({ from }) => from === 'app'));
  await expect.poll(() => answers().filter(({ length }) => length > 0).length).toBe(CROWD);
  for (const [at, messages] of answers().entries()) {
    expect(messages).toHaveLength(1);
    expect(wordsOf(messages[0]!)).toContain(`python ${at}`);
    expect(wordsOf(messages[0]!)).toContain('Python for everybody');
  }
  expect(failures).toEqual([]);
  expect(slack.problems).toEqual([]);
});
