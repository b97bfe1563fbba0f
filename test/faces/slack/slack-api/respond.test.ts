import { afterEach, expect, test } from 'vitest';
import type { ListenerOf } from '../../../../src/faces/slack/listener.ts';
import { isResponseAddress } from '../../../../src/faces/slack/slack-api/slack-calls.ts';
import { plainMessage, type RunningSigned, startSigned } from '../app/start-signed.ts';

let running: RunningSigned | null = null;
afterEach(() => running?.close());

test.each([
  ['https://hooks.slack.com/commands/T1/2/x', true],
  ['https://hooks.slack-gov.com/commands/T1/2/x', true],
  ['http://localhost:3000/responses/1', true],
  ['http://hooks.slack.com/commands/T1/2/x', false],
  ['https://hooks.slack-evil.com/x', false],
  ['https://hooks.slack.com.example.org/x', false],
  ['https://hooks.slack.com@example.org/x', false],
  ['https://hooks.slack.com:8443/x', false],
  ['http://localhost:3001/responses/1', false],
  ['http://169.254.169.254/latest', false],
  ['nowhere', false],
])('%s takes answers: %s', (address, expected) => {
  expect(isResponseAddress(address, 'http://localhost:3000/api/')).toBe(expected);
});

test('sends no answer to an address that is not of Slack, and reports it', async () => {
  const listener: ListenerOf<'action'> = {
    kind: 'action',
    name: 'a',
    handle: async () => ({ kind: 'message', message: plainMessage('an answer') }),
  };
  running = await startSigned({ listeners: [listener] });
  const press = (responseUrl: string) =>
    running!.interact({
      response_url: responseUrl,
      actions: [{ type: 'button', action_id: 'a', block_id: 'b', value: 'x' }],
    });
  // The same socket under another name.
  await press(running.responseUrl.replace('127.0.0.1', 'localhost'));
  await expect.poll(() => String(running!.services.problems)).toContain('not of Slack');
  await press(running.responseUrl);
  const answers = () => running!.calls.filter(({ method }) => method === 'response');
  await expect.poll(answers).toHaveLength(1);
  await running.close();
  expect(answers()).toHaveLength(1);
  running = null;
});
