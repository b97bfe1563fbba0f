import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { wordsOf } from '../../../fakes/slack.ts';
import { isFullRun } from '../../../helpers/draw.ts';
import { type RunningSlack, startSlack } from '../start-slack.ts';

let running: RunningSlack;
afterEach(() => running.close());

const SEARCH_MS = 4_000;

/** In a full run as many as Slack's three seconds allow on two quiet cores; else few enough for a busy machine. */
const CROWD = isFullRun ? 200 : 25;

// The fake is as strict as Slack: what is not acknowledged within three seconds has failed.
test('many at once with a slow search are all acknowledged in time, and all answered', async () => {
  running = await startSlack({
    crowd: CROWD,
    deps: ({ discoveryOf }) => ({
      discoveryOf(tenantId) {
        const discovery = discoveryOf(tenantId);
        return {
          ...discovery,
          async searchLearningObjects(...given) {
            await wait(SEARCH_MS);
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
  const slowestMs = Math.max(...acks.map(({ tookMs }) => tookMs));
  process.stderr.write(`slowest acknowledgement of ${acks.length}: ${Math.round(slowestMs)} ms\n`);
  expect(acks.filter(({ ok }) => !ok)).toEqual([]);
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
