import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningLti, startLti } from '../start-lti.ts';

let lti: RunningLti;

beforeEach(async () => {
  lti = await startLti();
});
afterEach(() => lti.close());

test('has the addresses of this host', async () => {
  const answer = await fetch(`${lti.url}/lti/config/canvas.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  const launch = `${lti.url}/lti/launch`;
  expect(await answer.json()).toMatchObject({
    title: 'Skilldock',
    oidc_initiation_url: `${lti.url}/lti/login`,
    target_link_uri: launch,
    redirect_uris: [launch],
    public_jwk_url: `${lti.url}/lti/keys`,
    scopes: expect.arrayContaining(['https://purl.imsglobal.org/spec/lti-ags/scope/score']),
    custom_fields: { context_history: '$Context.id.history', link_history: '$ResourceLink.id.history' },
    extensions: [
      {
        platform: 'canvas.instructure.com',
        domain: new URL(lti.url).host,
        privacy_level: 'name_only',
        settings: {
          placements: expect.arrayContaining([
            expect.objectContaining({
              placement: 'editor_button',
              message_type: 'LtiDeepLinkingRequest',
              target_link_uri: launch,
              enabled: true,
            }),
          ]),
        },
      },
    ],
  });
});

test('is in the language of the reader, and not cached', async () => {
  const answer = await fetch(`${lti.url}/lti/config/canvas.json`, { headers: { 'accept-language': 'fr' } });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.json()).toMatchObject({
    extensions: [{ settings: { text: 'Ressources pédagogiques' } }],
  });
});
