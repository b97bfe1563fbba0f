import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, ExpressReceiver, LogLevel } from '@slack/bolt';
import express from 'express';
import { type FakeSlack, type FakeSlackOptions, startFakeSlack } from '../../fakes/slack.ts';

export interface RunningBolt {
  readonly slack: FakeSlack;
  readonly app: App;
  readonly token: string;
  /** Call of the Web API without a library. */
  call(method: string, args: object, token?: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export const credentials = {
  clientId: '1.2',
  clientSecret: 'client-secret',
  signingSecret: 'signing-secret',
} as const;

/** The fake Slack with an app of Slack's own library on the other side, which says whether it is
 *  Slack's language that is spoken. */
export async function startBolt(options: FakeSlackOptions = {}): Promise<RunningBolt> {
  const slack = await startFakeSlack(options);
  const host = express();
  const server = createServer(host);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver = new ExpressReceiver({
    ...credentials,
    router: express.Router(),
    endpoints: '/events',
    logLevel: LogLevel.ERROR,
  });
  const app = new App({
    receiver,
    authorize: async ({ teamId = '', enterpriseId = '', isEnterpriseInstall }) => {
      const grant = slack.core.grants.findAt((isEnterpriseInstall ? enterpriseId : teamId) ?? '');
      if (grant === null) throw new Error('not installed');
      return { botToken: grant.token, botId: grant.botId, botUserId: grant.botUserId };
    },
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    convoStore: false,
    logLevel: LogLevel.ERROR,
  });
  host.use('/slack', receiver.router);
  slack.connect({
    ...credentials,
    eventsUrl: `${url}/slack/events`,
    redirectUrl: `${url}/slack/oauth_redirect`,
  });
  const { token } = slack.install();
  return {
    slack,
    app,
    token,
    async call(method, args, given = token) {
      const response = await fetch(slack.apiUrl + method, {
        method: 'POST',
        headers: { authorization: `Bearer ${given}`, 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(args),
      });
      return (await response.json()) as Record<string, unknown>;
    },
    async close() {
      await slack.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** What a response URL says to a message. */
export async function answer(responseUrl: string, message: object): Promise<{ status: number; body: string }> {
  const response = await fetch(responseUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  return { status: response.status, body: await response.text() };
}
