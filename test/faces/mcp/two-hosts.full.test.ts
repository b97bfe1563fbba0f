import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/ports/clock.ts';
import { type RunningApp, startApp } from '../../helpers/app.ts';
import { startMongoServer } from '../../helpers/mongo-server.ts';
import { CALLBACK, connectWith } from './assistant.ts';
import { ADMIN_PASSWORD, answerRequest, signIn } from './let-in.ts';

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

describe.runIf(mongo !== null)('two hosts on one MongoDB, behind one address', () => {
  const settings = {
    MONGODB_URI: mongo?.newUri() ?? '',
    SECRET_KEY: 'a secret that both of the hosts share',
    PUBLIC_URL: 'http://localhost:1',
    ADMIN_PASSWORD,
  };
  let one: RunningApp;
  let other: RunningApp;
  beforeAll(async () => {
    one = await startApp(systemClock, settings);
    other = await startApp(systemClock, settings);
  });
  afterAll(() => Promise.all([one?.close(), other?.close()]));

  test('authorize an assistant with each step on another host', async () => {
    const verifier = 'v'.repeat(43);
    const registered = await fetch(`${one.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Both', redirect_uris: [CALLBACK] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const asked = new URL(`${other.url}/oauth/authorize`);
    const code_challenge = createHash('sha256').update(verifier).digest('base64url');
    const parameters = { response_type: 'code', client_id, redirect_uri: CALLBACK, code_challenge };
    asked.search = String(new URLSearchParams({ ...parameters, code_challenge_method: 'S256' }));
    const answered = new URL(await answerRequest(await signIn(one.url), asked));
    expect(answered.searchParams.get('iss')).toBe(settings.PUBLIC_URL);
    const token = (app: RunningApp, fields: Record<string, string>) =>
      fetch(`${app.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ client_id, ...fields }),
      });
    const code = answered.searchParams.get('code')!;
    const exchange = { grant_type: 'authorization_code', code, code_verifier: verifier };
    const given = (await (await token(other, exchange)).json()) as {
      access_token: string;
      refresh_token: string;
    };
    for (const { url } of [one, other]) {
      const client = await connectWith(url, given.access_token);
      expect((await client.listTools()).tools).toHaveLength(11);
      await client.close();
    }
    const renewal = { grant_type: 'refresh_token', refresh_token: given.refresh_token };
    const renewals = await Promise.all([token(one, renewal), token(other, renewal)]);
    const tokens = await Promise.all(renewals.map((renewed) => renewed.json()));
    expect(tokens[0]).toMatchObject({ access_token: expect.any(String) });
    expect({ ...tokens[1], expires_in: 0 }).toEqual({ ...tokens[0], expires_in: 0 });
  });
});
