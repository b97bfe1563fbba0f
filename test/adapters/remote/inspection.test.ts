import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createInspector } from '../../../src/adapters/remote/inspection.ts';
import type { Inspection, InspectOptions, UpstreamConnection } from '../../../src/ports/upstream.ts';
import { type FakeUpstream, MARKETPLACE_KEY, startFakeUpstream, UPSTREAM_KEY } from '../../fakes/upstream.ts';
import type { UpstreamOperation } from '../../fakes/upstream-specification.ts';
import { type RunningApp, startApp } from '../../helpers/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are of the wire, and tests change them at any depth.
type Body = any;

let upstream: FakeUpstream;
beforeEach(() => restart());
afterEach(() => upstream.close());

async function restart(options: Parameters<typeof startFakeUpstream>[0] = {}): Promise<void> {
  await upstream?.close();
  upstream = await startFakeUpstream(options);
  upstream.reply('search-provider', changing());
}

const notEchoed =
  'publisher ageMax ageMin learningTimeMax learningTimeMin levelMax levelMin popularityMin address distanceMax free author';

/** A reply of the fake that echoes every parameter, as the specification wants, with one change. */
function changing(change: (body: Body) => void = () => {}): { change(body: Body): object } {
  return {
    change(body) {
      if (body.request) for (const name of notEchoed.split(' ')) body.request[name] ??= '';
      change(body);
      return body;
    },
  };
}

const inspector = createInspector({ timeoutMs: 5_000 });
afterAll(() => inspector.close());

async function inspect(
  connection: UpstreamConnection = { url: upstream.url, apiKey: UPSTREAM_KEY },
  options: InspectOptions = {},
  by = inspector,
): Promise<Inspection[]> {
  const calls: Inspection[] = [];
  for await (const call of by.inspect(connection, options)) calls.push(call);
  return calls;
}

/** `operation path: problem` of each. */
function listFindings(calls: readonly Inspection[], severity: 'deviation' | 'note'): string[] {
  return calls.flatMap(({ operation, findings }) =>
    findings
      .filter((finding) => finding.severity === severity)
      .map(({ path, problem }) => `${operation} ${path}: ${problem}`),
  );
}

describe('a service that follows the specification', () => {
  test('is called in every way, one call after the other, and has no deviation', async () => {
    const calls = await inspect();
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
      ['search-provider', 'without a key', 401],
      ['search-provider', 'with a wrong key', 403],
    ]);
    expect(listFindings(calls, 'deviation')).toEqual([]);
    expect(upstream.mostAtOnce()).toBe(1);
  });

  test('is called at its gateway for learning objects where there is one', async () => {
    const { url, marketplaceUrl } = upstream;
    const marketplace = { url: marketplaceUrl, key: MARKETPLACE_KEY };
    const calls = await inspect({ url, apiKey: UPSTREAM_KEY, marketplace });
    expect(listFindings(calls, 'deviation')).toEqual([]);
    const urls = new Map(calls.map((call) => [call.operation, call.url]));
    expect(urls.get('type')).toBe(`${marketplaceUrl}/type`);
    expect(urls.get('search-provider')).toBe(`${marketplaceUrl}/search-provider`);
    expect(urls.get('similar')).toBe(`${url}/domcomp/v1/similar`);
  });

  test('is given a feedback only where that is wanted', async () => {
    const given = () => upstream.requests.filter(({ operation }) => operation === 'feedback');
    await inspect();
    expect(given()).toEqual([]);
    const calls = await inspect(undefined, { withFeedback: true });
    expect(listFindings(calls, 'deviation')).toEqual([]);
    expect(calls.slice(-3).map(({ operation, status }) => [operation, status])).toEqual([
      ['feedback', 200],
      ['feedback', 401],
      ['feedback', 403],
    ]);
    const requestId = expect.stringContaining('tube');
    expect(given()[0]!.body).toMatchObject({ url: 'https://tube.example/0', request_id: requestId });
  });

  test('is searched in the next provider where the first has nothing', async () => {
    await restart({ providers: ['none', 'some'], counts: { none: 0 } });
    const calls = await inspect();
    expect(listFindings(calls, 'deviation')).toEqual([]);
    const purposes = calls.map(({ purpose }) => purpose).filter((purpose) => purpose.includes('provider'));
    expect(purposes).toEqual(['provider none', 'provider some']);
  });

  test('is given no feedback where it has nothing at all', async () => {
    await restart({ counts: { tube: 0, school: 0 } });
    const calls = await inspect(undefined, { withFeedback: true });
    expect(listFindings(calls, 'deviation')).toEqual([]);
    expect(calls.map(({ operation }) => operation)).not.toContain('feedback');
  });

  test('may have what the specification leaves open, which is noted', async () => {
    upstream.reply(
      'search-provider',
      changing(({ request, response }) => {
        request.max = Number(request.max);
        response.content[0].level = null;
        response.content[1].publisher = [{ name: 'A university' }];
        response.content[2].stars = { of: 'the service' };
      }),
    );
    upstream.reply('lang', { change: ({ response }) => response });
    const calls = await inspect();
    expect(listFindings(calls, 'deviation')).toEqual([]);
    expect(listFindings(calls, 'note')).toEqual([
      'bloom body: is a bare array; the specification does not show the form',
      'lang body: is a bare array; the specification does not show the form',
      'search-provider response.content[0].level: expected number, found null',
    ]);
  });
});

describe('an answer that deviates is named', () => {
  test('by its status, with the reason of the service', async () => {
    upstream.reply('similar', { status: 500, body: { message: 'Out of order' } });
    upstream.reply('tagger', { body: { statusCode: 502, message: 'Behind' } });
    expect(listFindings(await inspect(), 'deviation')).toEqual([
      'similar status: expected 200 (the service says: Out of order), found number 500',
      'tagger statusCode: expected 200 (the service says: Behind), found number 502',
    ]);
  });

  test('by its form', async () => {
    upstream.reply('type', { body: '<title>Welcome</title>' });
    upstream.reply('lang', { headers: { 'content-type': 'text/plain' } });
    expect(listFindings(await inspect(), 'deviation')).toEqual([
      'type body: expected JSON, found string "Welcome"',
      'lang header content-type: expected application/json, found string "text/plain"',
    ]);
  });

  test('where a refusal is in the envelope alone', async () => {
    upstream.reply('*', ({ operation, headers }) => {
      const isOpen = operation === 'similar' && headers['x-api-key'] === undefined;
      return isOpen ? { body: { statusCode: 403, message: 'Key is missing' } } : undefined;
    });
    const calls = await inspect();
    expect(listFindings(calls, 'deviation')).toEqual([]);
    expect(listFindings(calls, 'note')).toContain('similar status: is a success around a refusal, 403');
  });

  test('where a list needs a key, or a keyed operation none', async () => {
    upstream.reply('*', ({ operation, headers }) => {
      if (operation === 'similar' && headers['x-api-key'] === undefined) return { body: {} };
      return operation === 'bloom' ? { status: 401, body: { message: 'Key is missing' } } : undefined;
    });
    expect(listFindings(await inspect(), 'deviation')).toEqual([
      'bloom status: expected 200 (the service says: Key is missing), found number 401',
      'similar status: expected a refusal, 400 to 499, found number 200',
    ]);
  });

  test.each<[operation: UpstreamOperation, path: string, value: unknown, problem: string]>([
    ['provider', 'response[1].id', undefined, 'is missing; expected string'],
    ['provider', 'response[0].logo[2].colorScheme', 'blue', 'expected one of dark, light, found string "blue"'],
    ['provider', 'statusCode', undefined, 'is missing; expected number'],
    ['type', '[0].type', 7, 'expected string, found number 7'],
    ['bloom', '[0].description', undefined, 'is missing; expected string'],
    ['similar', 'response[1].source', undefined, 'is missing; expected string'],
    ['tagger', 'body.tags[0]', 7, 'expected string, found number 7'],
    ['search-provider', 'response.content[1].title', undefined, 'is missing; expected string'],
    ['search-provider', 'response.content[1].title', null, 'expected string, found null'],
    ['search-provider', 'response.content[0].bloom', 'Apply', 'expected array, found string "Apply"'],
    [
      'search-provider',
      'response.content[3].PriceSpecification.price-free',
      'true',
      'expected boolean, found string "true"',
    ],
    [
      'search-provider',
      'response.content[0].url',
      'javascript:0',
      'expected an http or https address, found string "javascript:0"',
    ],
    ['search-provider', 'response.msg', 'fine', 'must begin with A00-, B00- or C00-, found string "fine"'],
    ['search-provider', 'response.metadata', undefined, 'is missing; expected object'],
    ['search-provider', 'request.id', undefined, 'is missing; expected string'],
    ['search-provider', 'request.publisher', undefined, 'is missing; expected a plain value'],
    ['search-provider', 'statusCode', 201, 'expected 200, found number 201'],
  ])('by operation and field: %s %s = %j', async (operation, path, value, problem) => {
    upstream.reply(
      operation,
      changing((body) => put(body, path, value)),
    );
    expect(listFindings(await inspect(), 'deviation')).toContainEqual(
      expect.stringContaining(`${operation} ${path}: ${problem}`),
    );
  });

  test('where a suggestion has neither score nor confidence', async () => {
    upstream.reply(
      'suggest',
      changing(({ response }) => {
        response.content[1] = { label: 'x' };
      }),
    );
    expect(listFindings(await inspect(), 'deviation')).toContain(
      'suggest response.content[1].score: is missing; neither score nor confidence is given',
    );
  });

  test('once with a count, where many items deviate alike', async () => {
    upstream.reply(
      'search-provider',
      changing(({ response }) => {
        for (const item of response.content) item.lang = 1;
      }),
    );
    const search = (await inspect()).find(({ purpose }) => purpose === 'provider tube');
    const [path, problem] = ['response.content[0].lang', 'expected string, found number 1'];
    expect(search!.findings).toEqual([{ severity: 'deviation', path, problem, times: 5 }]);
  });
});

/** Changes one place of a body, or takes it away where the value is undefined.
 *  @param path `response.content[3].price-free` */
function put(body: Body, path: string, value: unknown): void {
  const steps = path.split(/\.|\[(\d+)\]/).filter(Boolean);
  const last = steps.pop()!;
  const parent = steps.reduce((at, step) => at[step], body);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}

async function inspectImpatiently(): Promise<Inspection[]> {
  const impatient = createInspector({ timeoutMs: 1_500 });
  try {
    return await inspect(undefined, {}, impatient);
  } finally {
    await impatient.close();
  }
}

describe('a connection that does not work', () => {
  test('with a wrong key deviates in every keyed operation, and shows the key nowhere', async () => {
    const key = 'a-wrong-key-0001';
    const calls = await inspect({ url: upstream.url, apiKey: key });
    const deviating = calls.filter(({ findings }) => findings.some(({ severity }) => severity === 'deviation'));
    expect(new Set(deviating.map(({ operation }) => operation))).toEqual(
      new Set(['similar', 'tagger', 'suggest', 'search-provider']),
    );
    expect(listFindings(calls, 'deviation')).toContain(
      'similar status: expected 200 (the service says: The key "•••" is not known), found number 403',
    );
    expect(JSON.stringify(calls)).not.toContain(key);
  });

  test('to a dead address has one finding, and no further calls are made', async () => {
    await upstream.stop();
    const [first, ...others] = await inspect();
    const problem = expect.stringContaining('cannot be reached');
    expect(first).toMatchObject({ status: null, isAsked: true });
    expect(first!.findings).toEqual([{ severity: 'deviation', path: 'call', problem, times: 1 }]);
    expect(others.length).toBeGreaterThan(10);
    for (const call of others) expect(call).toMatchObject({ status: null, isAsked: false, findings: [] });
  });

  test('to a service that answers nothing is waited for three times', async () => {
    upstream.reply('*', { breaks: 'hang' });
    const calls = await inspectImpatiently();
    expect(upstream.requests).toHaveLength(3);
    expect(calls.map(({ isAsked }) => isAsked)).toEqual(calls.map((_, index) => index < 3));
    expect(listFindings(calls, 'deviation')).toHaveLength(3);
  });

  test.each([
    ['provider', 'hang'],
    ['tagger', 'reset'],
  ] as const)('for %s only deviates there only', async (operation, breaks) => {
    upstream.reply(operation, { breaks });
    const calls = await inspectImpatiently();
    const unanswered = calls.filter(({ status }) => status === null);
    expect(unanswered.map((call) => call.operation)).toEqual([operation]);
    expect(calls.every(({ isAsked }) => isAsked)).toBe(true);
  });

  test.each([
    [{ url: 'api.example.org', apiKey: 'k' }, 'UPSTREAM_ADDRESS_REFUSED'],
    [{ url: 'https://api.example.org', apiKey: 'k\u00e9y' }, 'UPSTREAM_KEY_REFUSED'],
  ])('because %j cannot be called at all is refused', async (connection, code) => {
    await expect(inspect(connection)).rejects.toMatchObject({ code });
  });
});

describe('this host', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  test.each(['itself', 'its gateway'])('has no deviation at %s', async (place) => {
    const key = await app.createKey();
    const marketplace = { url: `${app.url}/marketplace`, key };
    const connection = { url: app.url, apiKey: key, ...(place === 'its gateway' && { marketplace }) };
    const calls = await inspect(connection, { withFeedback: true });
    expect(listFindings(calls, 'deviation')).toEqual([]);
    expect(listFindings(calls, 'note')).toEqual([]);
    expect(new Set(calls.map(({ operation }) => operation)).size).toBe(9);
    expect(calls.filter(({ operation }) => operation === 'feedback').map(({ status }) => status)).toEqual([
      200, 401, 403,
    ]);
  });
});
