import { describe, expect, test } from 'vitest';
import { createInspector } from '../../../../src/adapters/remote/inspection/inspection.ts';
import type { Inspection } from '../../../../src/ports/upstream.ts';
import { MARKETPLACE_KEY, UPSTREAM_KEY } from '../../../fakes/upstream.ts';
import { collect, found, fullEcho, useInspection } from './start-inspection.ts';

const used = useInspection();

describe('a good service', () => {
  test('is called in every way, one after the other, and has no deviation', async () => {
    const calls = await used.inspect();
    expect(calls.map(({ operation, purpose, status }) => [operation, purpose, status])).toEqual([
      ['provider', '', 200],
      ['type', '', 200],
      ['bloom', '', 200],
      ['lang', '', 200],
      ...['similar', 'tagger', 'suggest'].flatMap((name) => [
        [name, '', 200],
        [name, 'without a key', 401],
        [name, 'with a wrong key', 403],
      ]),
      ['search-provider', 'provider tube', 200],
      ['search-provider', 'page 1', 200],
      ['search-provider', 'max=20', 200],
      ['search-provider', 'max=21', 400],
      ['search-provider', 'without a key', 401],
      ['search-provider', 'with a wrong key', 403],
    ]);
    expect(found(calls, 'deviation')).toEqual([]);
    expect(used.upstream.mostAtOnce()).toBe(1);
  });

  test('may have what the specification leaves open, which is noted', async () => {
    expect(found(await used.inspect(), 'note')).toEqual([
      'bloom body: is a bare array; the specification does not show the form',
      'suggest response.content[0]: has confidence in the place of score, a known quirk',
    ]);
  });

  test('is asked at its gateway for learning objects where there is one', async () => {
    const { url, marketplaceUrl } = used.upstream;
    const marketplace = { url: marketplaceUrl, key: MARKETPLACE_KEY };
    const calls = await used.inspect({ url, apiKey: UPSTREAM_KEY, marketplace });
    expect(found(calls, 'deviation')).toEqual([]);
    const urls = new Map(calls.map((call) => [call.operation, call.url]));
    expect(urls.get('type')).toBe(`${marketplaceUrl}/type`);
    expect(urls.get('search-provider')).toBe(`${marketplaceUrl}/search-provider`);
    expect(urls.get('similar')).toBe(`${url}/domcomp/v1/similar`);
  });

  test('is given a feedback only where that is wanted', async () => {
    const given = () => used.upstream.requests.filter(({ operation }) => operation === 'feedback');
    await used.inspect();
    expect(given()).toEqual([]);
    const calls = await used.inspect(undefined, { withFeedback: true });
    expect(found(calls, 'deviation')).toEqual([]);
    expect(calls.slice(-3).map(({ operation, status }) => [operation, status])).toEqual([
      ['feedback', 200],
      ['feedback', 401],
      ['feedback', 403],
    ]);
    const requestId = expect.stringContaining('tube');
    expect(given()[0]!.body).toMatchObject({ url: 'https://tube.example/0', request_id: requestId });
  });

  test('whose first provider has nothing is asked for the next one', async () => {
    await used.restart({ providers: ['none', 'some'], counts: { none: 0 } });
    const calls = await used.inspect();
    expect(found(calls, 'deviation')).toEqual([]);
    const purposes = calls.map(({ purpose }) => purpose).filter((purpose) => /provider|page/.test(purpose));
    expect(purposes).toEqual(['provider none', 'provider some', 'page 1']);
    expect(found(calls, 'note')).toContain(
      'search-provider response.content: is empty, so no learning object could be looked at',
    );
  });

  test('that has nothing at all is given no feedback', async () => {
    await used.restart({ counts: { tube: 0, school: 0 } });
    const calls = await used.inspect(undefined, { withFeedback: true });
    expect(found(calls, 'deviation')).toEqual([]);
    expect(calls.map(({ operation }) => operation)).not.toContain('feedback');
  });
});

describe('what is around an answer is named', () => {
  test('its status, with what the service says', async () => {
    used.upstream.reply('similar', { status: 500, body: { message: 'Out of order' } });
    used.upstream.reply('tagger', { body: { statusCode: 502, message: 'Behind' } });
    expect(found(await used.inspect(), 'deviation')).toEqual([
      'similar status: expected 200 (the service says: Out of order), found number 500',
      'tagger statusCode: expected 200 (the service says: Behind), found number 502',
    ]);
  });

  test('its form', async () => {
    used.upstream.reply('type', { body: '<title>Welcome</title>' });
    used.upstream.reply('lang', { headers: { 'content-type': 'text/plain' } });
    expect(found(await used.inspect(), 'deviation')).toEqual([
      'type body: expected JSON, found string "Welcome"',
      'lang header content-type: expected application/json, found string "text/plain"',
    ]);
  });

  test('a refusal in the envelope alone', async () => {
    used.upstream.reply('*', ({ operation, headers }) => {
      const isOpen = operation === 'similar' && headers['x-api-key'] === undefined;
      return isOpen ? { body: { statusCode: 403, message: 'Key is missing' } } : undefined;
    });
    const calls = await used.inspect();
    expect(found(calls, 'deviation')).toEqual([]);
    expect(found(calls, 'note')).toContain('similar status: is a success around a refusal, 403');
  });

  test('a key that is asked for in vain, or not asked for', async () => {
    used.upstream.reply('*', ({ operation, headers }) => {
      if (operation === 'similar' && headers['x-api-key'] === undefined) return { body: {} };
      return operation === 'bloom' ? { status: 401, body: { message: 'Key is missing' } } : undefined;
    });
    expect(found(await used.inspect(), 'deviation')).toEqual([
      'bloom status: expected 200 (the service says: Key is missing), found number 401',
      'similar status: expected a refusal, 400 to 499, found number 200',
    ]);
  });
});

async function inspectImpatiently(): Promise<Inspection[]> {
  const impatient = createInspector({ timeoutMs: 1_500 });
  try {
    return await collect(impatient, { url: used.upstream.url, apiKey: UPSTREAM_KEY });
  } finally {
    await impatient.close();
  }
}

describe('a connection that does not work', () => {
  test('with a wrong key deviates in every keyed operation, and shows the key nowhere', async () => {
    const key = 'a-wrong-key-0001';
    const calls = await used.inspect({ url: used.upstream.url, apiKey: key });
    const deviating = calls.filter(({ findings }) =>
      findings.some(({ severity }) => severity === 'deviation'),
    );
    expect(new Set(deviating.map(({ operation }) => operation))).toEqual(
      new Set(['similar', 'tagger', 'suggest', 'search-provider']),
    );
    expect(found(calls, 'deviation')).toContain(
      'similar status: expected 200 (the service says: The key "•••" is not known), found number 403',
    );
    expect(JSON.stringify(calls)).not.toContain(key);
  });

  test('to a dead address says so once, and what was not asked then has no findings', async () => {
    await used.upstream.stop();
    const [first, ...others] = await used.inspect();
    const problem = expect.stringContaining('cannot be reached');
    expect(first).toMatchObject({ status: null, isAsked: true });
    expect(first!.findings).toEqual([{ severity: 'deviation', path: 'call', problem, times: 1 }]);
    expect(others.length).toBeGreaterThan(10);
    for (const call of others) expect(call).toMatchObject({ status: null, isAsked: false, findings: [] });
  });

  test('to a service that answers nothing is waited for three times', async () => {
    used.upstream.reply('*', { breaks: 'hang' });
    const calls = await inspectImpatiently();
    expect(used.upstream.requests).toHaveLength(3);
    expect(calls.map(({ isAsked }) => isAsked)).toEqual([
      true,
      true,
      true,
      ...calls.slice(3).map(() => false),
    ]);
    expect(found(calls, 'deviation')).toHaveLength(3);
  });

  test('to a service of which one operation is late is that of this operation only', async () => {
    used.upstream.reply('provider', { breaks: 'hang' });
    const calls = await inspectImpatiently();
    expect(calls.filter(({ status }) => status === null).map(({ operation }) => operation)).toEqual([
      'provider',
    ]);
    expect(calls.every(({ isAsked }) => isAsked)).toBe(true);
  });

  test('for one call only deviates in that call only', async () => {
    used.upstream.reply('tagger', { breaks: 'reset' });
    const calls = await used.inspect();
    const broken = calls.filter(({ status }) => status === null);
    expect(broken.map(({ operation }) => operation)).toEqual(['tagger']);
  });

  test.each([
    [{ url: 'api.example.org', apiKey: 'k' }, 'UPSTREAM_ADDRESS_REFUSED'],
    [{ url: 'https://api.example.org', apiKey: 'k\u00e9y' }, 'UPSTREAM_KEY_REFUSED'],
  ])('because %j cannot be called at all is refused', async (connection, code) => {
    await expect(used.inspect(connection)).rejects.toMatchObject({ code });
  });
});

test('what is alike in many items is counted', async () => {
  used.upstream.reply(
    'search-provider',
    fullEcho(({ response }) => {
      for (const item of response.content) item.lang = 1;
    }),
  );
  const search = (await used.inspect()).find(({ purpose }) => purpose === 'max=20');
  const [path, problem] = ['response.content[0].lang', 'expected string, found number 1'];
  expect(search!.findings).toEqual([{ severity: 'deviation', path, problem, times: 20 }]);
});
