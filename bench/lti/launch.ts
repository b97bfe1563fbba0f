import { randomInt } from 'node:crypto';
import { Agent, request } from 'undici';
import { required } from '../required.ts';
import type { BenchPlatform } from './platform.ts';
import { CLIENT_ID, DEPLOYMENT_ID } from './platform.ts';

/** One whole launch: login, signature of the platform, launch, and the redirect that ends it. */
export type LaunchOnce = () => Promise<void>;

export interface Launcher {
  readonly launch: LaunchOnce;
  close(): Promise<void>;
}

/** More launches than our host lets one address begin come from many schools, behind one proxy. */
const fromSomewhere = () => ({ 'x-forwarded-for': `203.0.113.${randomInt(1, 255)}` });

/** Does what browser and platform do, with connections that are kept. Fails when the tool does not go on. */
export function createLauncher(toolUrl: string, platform: BenchPlatform): Launcher {
  const dispatcher = new Agent({ connections: 64 });
  const target = `${toolUrl}/lti/launch`;
  const login = `${toolUrl}/lti/login?${new URLSearchParams({
    iss: platform.url,
    client_id: CLIENT_ID,
    login_hint: 'lea',
    lti_message_hint: 'hint',
    lti_deployment_id: DEPLOYMENT_ID,
    target_link_uri: target,
  })}`;

  async function begin() {
    const { headers, body } = await request(login, { dispatcher, headers: fromSomewhere() });
    const text = await body.text();
    const found = headers.location ?? /data-on href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    if (typeof found !== 'string') throw new Error(`The login leads nowhere: ${text.slice(0, 500)}`);
    const { searchParams } = new URL(found);
    const cookie = [headers['set-cookie'] ?? []].flat().map((text) => text.split(';')[0]);
    return {
      state: required(searchParams.get('state'), 'state'),
      nonce: required(searchParams.get('nonce'), 'nonce'),
      cookie: cookie.join('; '),
    };
  }

  return {
    async launch() {
      const { state, nonce, cookie } = await begin();
      const fields = { state, id_token: await platform.sign(nonce, target) };
      const { statusCode, body } = await request(target, {
        dispatcher,
        method: 'POST',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', origin: platform.url },
        body: new URLSearchParams(fields).toString(),
      });
      const text = await body.text();
      if (statusCode !== 302 && statusCode !== 303)
        throw new Error(`Refused with ${statusCode}: ${text.slice(0, 1_000)}`);
    },
    close: () => dispatcher.close(),
  };
}
