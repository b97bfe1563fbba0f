import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/compose/log.ts';
import { readConfig } from '../../src/config.ts';
import { AppError } from '../../src/errors.ts';

const settings = {
  SECRET_KEY: 'the-secret-key-of-the-host-000000',
  SECRET_KEY_PREVIOUS: 'the-previous-key-of-the-host-00000',
  MONGODB_URI: 'mongodb://user:pass-word@db.example.org/skilldock',
  UPSTREAM_URL: 'https://api.example.org',
  UPSTREAM_API_KEY: 'upstream/key+with="oddities"\\',
  MARKETPLACE_URL: 'https://market.example.org',
  MARKETPLACE_KEY: 'key-of-the-marketplace',
  ADMIN_PASSWORD: 'umbrella violin tractor',
  OIDC_ISSUER: 'https://login.example.org',
  OIDC_CLIENT_ID: 'skilldock',
  OIDC_CLIENT_SECRET: 'secret-of-the-oidc-client',
  SLACK_SIGNING_SECRET: 'signing-secret-of-slack',
  SLACK_CLIENT_ID: '111.222',
  SLACK_CLIENT_SECRET: 'client-secret-of-slack',
  SLACK_APP_TOKEN: 'xapp-of-slack',
  DEMO_API_KEY: 'the-demo-key-of-the-host',
};

function openLog() {
  const lines: string[] = [];
  const hostLog = createLog(readConfig(settings), { write: (line: string) => lines.push(line) });
  return {
    ...hostLog,
    lines,
    last: () => JSON.parse(lines.at(-1)!) as Record<string, Record<string, unknown>>,
  };
}

describe('no secret reaches the log', () => {
  const secrets = Object.entries(settings).filter(([name]) => /KEY|PASSWORD|SECRET|TOKEN/.test(name));

  test.each(secrets)('%s, wherever it turns up', (_name, secret) => {
    const { log, lines } = openLog();
    const inAddress = encodeURIComponent(secret);
    log.info({ a: { b: { c: secret } }, list: [secret] }, `it is ${secret}`);
    log.error({ err: new Error(`refused: ${secret}`, { cause: new Error(`/?x=${inAddress}`) }) });
    log.info({ req: { url: `/search?anything=${inAddress}` } });
    const written = lines.join('');
    for (const form of [secret, inAddress, JSON.stringify(secret).slice(1, -1)]) expect(written).not.toContain(form);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  test('a key of a tenant, from the moment it is known', () => {
    const { log, mask, lines } = openLog();
    mask.hide('key-of-a-tenant');
    log.info('sent with key-of-a-tenant');
    expect(lines.join('')).not.toContain('key-of-a-tenant');
  });

  test.each([
    ['a key of ours', '/x?whatever=sk_tjL9VGbEHSE1mUWXd0mgi59J1gSIYasA', 'tjL9VGbE'],
    ['a demo key', 'demo_0123456789abcdef is used', '0123456789abcdef'],
    ['a one-time link', '/admin/link/B8uiOtGuF-hs9PHRnsxxAm7tNnz20AaauE0?lang=fr', 'B8uiOtGuF'],
    ['a key in an address', '/search?keywords=a&x-api-key=unknown-key-1', 'unknown-key-1'],
    ['a key under another name', '/search?apikey=unknown-key-2&api_key=unknown-key-3', 'unknown-key'],
    ['what a sign-in comes back with', '/admin/oidc/callback?code=abcdefgh&state=ijklmnop', 'abcdefgh'],
    ['a password in an address', 'mongodb+srv://other:pass-phrase@db.example.org/', 'pass-phrase'],
  ])('%s', (_what, text, secret) => {
    const { log, lines } = openLog();
    log.info({ req: { url: text } }, text);
    expect(lines.join('')).not.toContain(secret);
    expect(lines.join('')).toContain('•••');
  });

  test.each([
    '/?q=python&keywords=key+skills&lang=en',
    '/learningobject/v2/search?keywords=secret%20garden&provider=youtube&page=2',
    'https://api.example.org/v1 answers',
  ])('but what is none stays readable: %s', (text) => {
    const { log, last } = openLog();
    log.info({ req: { url: text } });
    expect(last().req!.url).toBe(text);
  });

  test.each([
    'xoxb-111-222-AbCdEfGh',
    'xoxe.xoxp-1-AbCdEfGh',
    'xapp-1-A1-2-AbCdEfGh',
    'https://hooks.slack.com/commands/T1/2/AbCdEfGh',
    'https://hooks.slack-gov.com/commands/T1/2/AbCdEfGh',
  ])('what Slack gives workspaces: %s', (secret) => {
    const { log, lines } = openLog();
    log.info({ a: secret }, `it is ${secret}`);
    expect(lines.join('')).not.toContain('AbCdEfGh');
  });

  test('what an error carries, as clients of HTTP hang the request on theirs', () => {
    const { log, lines, last } = openLog();
    const connection = { url: 'https://api.example.org', apiKey: 'unknown-key-1' };
    const cause = Object.assign(new Error('socket hang up'), {
      code: 'ECONNRESET',
      config: { headers: { 'x-api-key': 'unknown-key-2', authorization: 'Bearer unknown-key-3' } },
      connection,
    });
    const problems = [{ path: 'url', problem: 'cannot be reached' }];
    const error = new AppError('UPSTREAM_UNREACHABLE', 'It cannot be reached.', {
      cause,
      problems,
      data: { connection },
    });
    log.error({ err: error, reference: 'r' });
    expect(lines.join('')).not.toContain('unknown-key');
    expect(last()).toMatchObject({
      err: { type: 'AppError', code: 'UPSTREAM_UNREACHABLE', message: 'It cannot be reached.', problems },
      reference: 'r',
    });
    expect(last().err!.stack).toMatch(/AppError: It cannot be reached[\s\S]*caused by: Error: socket hang up/);
  });

  test('what is no error at all', () => {
    const { log, lines } = openLog();
    log.error({ err: { headers: { 'x-api-key': 'unknown-key-1' } } });
    log.error({ err: 'unknown-key-1' });
    expect(lines.join('')).not.toContain('unknown-key');
  });

  test('fields that hold keys by their names', () => {
    const { log, lines } = openLog();
    log.info({ headers: { 'x-api-key': 'unknown-key-1' }, body: { key: 'unknown-key-2' } });
    log.info({ req: { headers: { cookie: 'unknown-key-3' }, body: 'unknown-key-4' } });
    log.info({ apiKey: 'unknown-key-5', upstream: { apiKey: 'unknown-key-6' }, password: 'unknown-key-7' });
    log.info({ connection: { apiKey: 'unknown-key-8' }, token: 'unknown-key-9' });
    expect(lines.join('')).not.toContain('unknown-key');
  });
});

test('an error that is its own cause is logged all the same', () => {
  const { log, last } = openLog();
  const error = new Error('round');
  error.cause = error;
  log.error({ err: error });
  expect(last().err).toMatchObject({ type: 'Error', message: 'round' });
});
