import { crowdId } from '../../test/fakes/slack/world.ts';
import { startFakeSlack } from '../../test/fakes/slack.ts';
import { required } from '../required.ts';
import type { Lane } from './lanes.ts';
import type { DrawWords } from './words.ts';

const CROWD = 60;

const app = {
  clientId: '111.222',
  clientSecret: 'client-secret-of-the-bench',
  signingSecret: 'signing-secret-of-the-bench',
} as const;

/** A Slack, and people who use the app in it. */
export async function startSoakSlack() {
  const slack = await startFakeSlack({ crowd: CROWD });

  async function install(url: string): Promise<void> {
    slack.connect({ ...app, eventsUrl: `${url}/slack/events`, redirectUrl: `${url}/slack/oauth_redirect` });
    const begun = await fetch(`${url}/slack/install`, { redirect: 'manual' });
    const cookie = begun.headers.getSetCookie().map((line) => required(line.split(';')[0], 'cookie'));
    const back = await slack.approve(required(begun.headers.get('location'), 'link to Slack'));
    const installed = await fetch(back, { headers: { cookie: cookie.join('; ') } });
    if (!installed.ok) throw new Error(`installing was answered with ${installed.status}`);
  }

  return {
    settings: {
      SLACK_CLIENT_ID: app.clientId,
      SLACK_CLIENT_SECRET: app.clientSecret,
      SLACK_SIGNING_SECRET: app.signingSecret,
      SLACK_API_URL: slack.apiUrl,
    },
    problems: slack.problems,
    close: () => slack.close(),
    /** At the host, whose settings those above are. */
    async createLane(url: string, draw: DrawWords): Promise<Lane> {
      await install(url);
      return {
        name: 'Slack',
        everySeconds: 2,
        async act(turn) {
          const person = required(slack.crowd[turn % CROWD], crowdId(turn % CROWD));
          if (turn % 5 === 4) await person.opensHome();
          else await person.types(`/${turn % 3 === 2 ? 'skills' : 'learn'} ${draw(2)}`);
          // The Slack of the tests remembers everything.
          (slack.calls as unknown[]).length = 0;
        },
      };
    },
  };
}
