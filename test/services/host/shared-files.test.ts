import { expect, onTestFinished, test, vi } from 'vitest';
import { createSharedFiles } from '../../../src/services/host/shared-files.ts';
import { createStandingClock } from '../../fakes/clock.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { openTestStore } from '../../helpers/test-store.ts';

const LEASE_MS = 15_000;

test('a host that takes its time keeps its turn, and another has it afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = openTestStore(`${makeTempDir()}/skilldock.db`);
  onTestFinished(() => store.close());
  const clock = createStandingClock();
  const openHost = () => createSharedFiles({ ...store, clock, onProblem: expect.unreachable });
  const other = openHost();
  const takenByOther: unknown[] = [];
  const isDone = await openHost().alone('long', async () => {
    for (let passedMs = 0; passedMs < 3 * LEASE_MS; passedMs += LEASE_MS / 4) {
      clock.advance(LEASE_MS / 4);
      await vi.advanceTimersByTimeAsync(LEASE_MS / 4);
      takenByOther.push(await other.alone('long', async () => true));
    }
    return true;
  });
  expect(isDone).toBe(true);
  expect(takenByOther).toEqual(Array(12).fill(null));
  expect(await other.alone('long', async () => 'free again')).toBe('free again');
});
