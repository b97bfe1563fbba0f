import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '../helpers/app.ts';
import { sendRaw } from '../helpers/send-raw.ts';

const TOKEN = 'a-token-of-24-characters';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp(undefined, { METRICS_TOKEN: TOKEN });
});
afterAll(() => app.close());

const ask = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  sendRaw(app.url, { method, path, headers: { host: 'a', ...headers } });

describe('an address is exact', () => {
  test.each([
    ['/METRICS', '/Metrics', '/metrics/', '//metrics', '/metrics//', '/%6detrics', '/metrics;a', '/metrics%2f'],
    ['/Healthz', '/HEALTHZ', '/healthz/', '/Readyz', '/readyz/', '/./readyz', '/readyz%00'],
    ['/OpenApi.json', '/openapi.json/', '/Complete?q=a', '/complete/?q=a', '/Assets/home.css', '/LANGUAGE'],
    ['/admin/Sign-In', '/docs/viewer/', '/docs/Viewer/swagger-ui.css', '/lti/Keys', '/slack/install/x'],
  ])('%s and the like are unknown', async (...paths) => {
    for (const path of paths) {
      const { status, text } = await ask(path, 'GET', { authorization: `Bearer ${TOKEN}` });
      expect(status, path).toBe(404);
      expect(text, path).not.toMatch(/# HELP|"status":/);
    }
  });

  test.each([
    ['/docs/', '/docs'],
    ['/Docs', '/docs'],
    ['/Admin', '/admin'],
    ['/ADMIN/', '/admin'],
    ['/admin/sign-in/?next=%2Fadmin%2FTenants%2F', '/admin/sign-in?next=%2Fadmin%2FTenants%2F'],
    ['/admin/link/AbC/', '/admin/link/AbC'],
    ['/Slack/Install/', '/slack/Install'],
    ['/lti/keys/', '/lti/keys'],
    ['/demo/', '/demo'],
    ['/tags/', '/tags'],
  ])('%s, as people type it, leads to %s', async (path, exact) => {
    for (const method of ['GET', 'POST']) {
      const { status, headers } = await ask(path, method);
      expect([status, headers.location], method).toEqual([308, exact]);
    }
  });

  test.each(['//evil.example/', '/\\evil.example/', '/adminevil/', '///admin/', '/%2fadmin/'])(
    '%s leads nowhere',
    async (path) => {
      const { status, headers } = await ask(path);
      expect([status, headers.location]).toEqual([404, undefined]);
    },
  );

  test('the form for proxies, with an origin that is none, is no mistake of the host', async () => {
    const target = (path: string) => ask(`http://x:99999999${path}`, 'GET', { accept: 'application/json' });
    expect((await target('/skills?uri=skilldock%3Apython-programming')).status).toBe(200);
    expect((await target('/oembed?url=x')).status).toBe(404);
    expect((await target('?q=python')).status).toBe(200);
    const feed = await target('/feed?q=python');
    expect(feed.status).toBe(200);
    expect(feed.text).toContain(`${app.url}/feed?q=python`);
    expect(feed.text).not.toContain('99999999');
  });

  test('operations of the API are found as before, as clients write them in many ways', async () => {
    const path = '/DomComp/v1/Suggest/?keywords=a';
    expect((await ask(path, 'GET', { 'x-api-key': app.demoKey })).status).toBe(200);
  });
});

test('metrics are for those who have their token', async () => {
  const wrong = ['', TOKEN, `Basic ${TOKEN}`, 'Bearer', 'Bearer ', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`];
  for (const authorization of wrong) {
    const { status, headers, text } = await ask('/metrics', 'GET', { authorization });
    expect(status, authorization).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(JSON.parse(text)).toMatchObject({ code: 'METRICS_TOKEN_WRONG' });
  }
  const { status, text } = await ask('/metrics', 'GET', { authorization: `bearer ${TOKEN}` });
  expect(status).toBe(200);
  expect(text).toContain('# HELP');
  for (const path of ['/healthz', '/readyz']) expect((await ask(path)).status).toBe(200);
});
