import { expect, test } from 'vitest';
import type { ListenerOf } from '../../../src/faces/slack/listener.ts';
import { startSigned } from './app/start-signed.ts';

test('who is not answered when the host stops is told so, with a button to try again', async () => {
  const slow: ListenerOf<'command'> = {
    kind: 'command',
    name: '/learn',
    handle: () => new Promise(() => undefined),
  };
  const running = await startSigned({ listeners: [slow] });
  expect((await running.command('docker')).text).toBe('');
  await running.close();
  expect(running.calls).toMatchObject([{ method: 'users.info' }, { method: 'response' }]);
  const said = JSON.stringify(running.calls.at(-1)!.args);
  expect(said).toContain('restarting');
  expect(said).toContain('try_again');
});
