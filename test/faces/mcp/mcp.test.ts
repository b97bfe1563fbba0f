import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { tools } from '../../../src/contract/index.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import { type RunningApp, startApp } from '../../helpers/app.ts';
import { type AdminBrowser, createAdminBrowser } from '../admin/admin-browser.ts';
import { askIn, connectWith } from './assistant.ts';
import { ADMIN_PASSWORD, answerRequest, letIn, signIn } from './let-in.ts';

interface Found {
  items: { title: string; url: string; request_id?: string; description?: string }[];
  request_id: string;
  total: number;
  notices?: string[];
  other_words?: string[];
  drop_filters?: string[];
}

let app: RunningApp;
let key: string;
let owner: AdminBrowser;
beforeAll(async () => {
  app = await startApp(systemClock, { ADMIN_PASSWORD });
  key = await app.createKey();
  owner = await signIn(app.url);
});
afterAll(() => app.close());

async function connect(mode: 'legacy' | 'auto' = 'auto', language = 'en'): Promise<Client> {
  const client = await connectWith(app.url, key, mode, language);
  onTestFinished(() => client.close());
  return client;
}

const call = async <T>(client: Client, name: string, args: object): Promise<T> => {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: { ...args } });
  expect(isError, JSON.stringify(content)).toBeFalsy();
  return structuredContent as T;
};
const fail = async (client: Client, name: string, args: object) => {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } });
  expect(isError).toBe(true);
  return (content as { text: string }[])[0]!.text;
};

describe.each(['legacy', 'auto'] as const)('with a key, a client that begins with %s', (mode) => {
  test('lists tools, resources and prompts with descriptions', async () => {
    const client = await connect(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
    const listed = (await client.listTools()).tools;
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(tools).slice(0, 7));
    for (const { annotations, inputSchema, outputSchema } of listed) {
      expect(annotations).toMatchObject({ idempotentHint: true, openWorldHint: false });
      expect(inputSchema.type).toBe('object');
      expect(outputSchema?.type).toBe('object');
    }
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['plan_course', 'skills_in_job_ad', 'learning_path']);
  });

  test('searches, reads an object, and gives feedback on it', async () => {
    const client = await connect(mode);
    const { items, request_id } = await call<Found>(client, 'search_learning', { keywords: 'python' });
    expect(items).toHaveLength(10);
    const [{ url, title }] = items as [Found['items'][number]];
    const { object } = await call<{ object: { title: string } }>(client, 'get_learning_object', { url });
    expect(object.title).toBe(title);
    const similar = await call<Found>(client, 'similar_objects', { url, max: 3 });
    expect(similar.items).toHaveLength(3);
    expect(similar.items.map((item) => item.url)).not.toContain(url);
    const given = await call(client, 'give_feedback', { url, request_id, comment: `Useful, said ${mode}.` });
    expect(given).toEqual({ is_kept: true });
    const kept = await app.store.transfer.readRecords('feedback', null, 100);
    expect(kept.filter(({ record }) => record.url === url && record.comment === `Useful, said ${mode}.`)).toHaveLength(
      1,
    );
    expect(await fail(client, 'give_feedback', { url: 'https://a.example/', request_id, comment: 'x' })).toContain(
      'REQUEST_ID_INVALID',
    );
  });
});

describe('skills', () => {
  test('are concepts of published taxonomies, and readable by their URI', async () => {
    const client = await connect();
    const { skills } = await call<{ skills: { uri: string; taxonomy: string; score: number }[] }>(
      client,
      'find_skills',
      {
        keywords: 'data analysis',
        max: 5,
      },
    );
    expect(skills).toHaveLength(5);
    for (const { uri, taxonomy, score } of skills) {
      expect(score).toBeGreaterThan(0);
      const { contents } = await client.readResource({ uri: `skilldock://concept/${uri}` });
      const concept = JSON.parse((contents[0] as { text: string }).text);
      expect(concept.uri).toBe(uri);
      expect(taxonomy.startsWith(concept.taxonomy)).toBe(true);
    }
    await expect(client.readResource({ uri: 'skilldock://concept/skilldock:invented' })).rejects.toThrow('not found');
  });

  test('of a text have evidence', async () => {
    const text = 'We look for a nurse who cares for patients, gives first aid and writes reports.';
    const { skills } = await call<{
      skills: { label: string; uri: string; evidence: { start: number; end: number; words: string } }[];
    }>(await connect(), 'tag_text', { text });
    const aid = skills.find(({ label }) => label === 'first aid')!;
    expect(text.slice(aid.evidence.start, aid.evidence.end)).toBe(aid.evidence.words);
    expect(aid).toMatchObject({
      uri: 'skilldock:first-aid',
      evidence: { words: expect.stringContaining('first aid') },
    });
  });

  test('that no taxonomy has are not returned, with a notice', async () => {
    const none = await call<{ skills: []; notices: string[] }>(await connect(), 'find_skills', {
      keywords: 'xqzzkw',
    });
    expect(none).toMatchObject({
      skills: [],
      notices: ['No taxonomy on this server has a skill for “xqzzkw”.'],
    });
  });
});

describe('a search', () => {
  test('understands filters in the words', async () => {
    const client = await connect();
    const { notices } = await call<Found>(client, 'search_learning', {
      keywords: 'free python video for beginners',
    });
    expect(notices?.join(' ')).toContain('For beginners, Free, and Video');
    const { items } = await call<Found>(client, 'search_learning', {
      keywords: 'cuisine',
      lang: 'fr',
      match: 'strict',
    });
    expect(items.every((item) => (item as { lang?: string }).lang === 'fr')).toBe(true);
    expect(await fail(client, 'search_learning', { keywords: 'a', provider: ['nobody'] })).toContain(
      'PROVIDER_UNKNOWN',
    );
  });

  test('reports missing results and other searches', async () => {
    const client = await connect();
    const none = await call<Found>(client, 'search_learning', { keywords: 'xqzzkw' });
    expect(none).toMatchObject({ total: 0, items: [], quality: 'C00' });
    const narrow = await call<Found>(client, 'search_learning', {
      keywords: 'python',
      lang: 'fr',
      match: 'strict',
      learningTimeMax: 1,
    });
    expect(narrow.total).toBe(0);
    expect(narrow.drop_filters).toContain('learningTime');
  });

  test.each(['python', 'leadership', 'histoire', 'machine learning', 'nursing', 'cuisine', 'management de projet'])(
    'for %s takes at most 6 kB with ten objects and their addresses',
    async (keywords) => {
      const client = await connect('legacy');
      const result = await client.callTool({ name: 'search_learning', arguments: { keywords } });
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(6_144);
      for (const { url } of (result.structuredContent as unknown as Found).items) expect(URL.canParse(url)).toBe(true);
    },
  );

  test('answers in the language of the reader', async () => {
    const { content } = await (await connect('auto', 'fr')).callTool({
      name: 'search_learning',
      arguments: { keywords: 'python' },
    });
    expect((content as { text: string }[])[0]!.text).toContain('ressources pour');
  });
});

test.each(['legacy', 'auto'] as const)('no lists are announced that never change, protocol %s', async (mode) => {
  const errors: Error[] = [];
  const client = new Client(
    { name: 'test', version: '1' },
    {
      ...(mode === 'auto' && { versionNegotiation: { mode } }),
      listChanged: { tools: { onChanged: () => undefined } },
    },
  );
  client.onerror = (error) => errors.push(error);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit }));
  onTestFinished(() => client.close());
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  for (const lists of [tools, resources, prompts]) expect(lists?.listChanged ?? false).toBe(false);
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  expect(errors).toEqual([]);
});

test('groups a plan by the weeks of the syllabus, with each object once', async () => {
  const text = 'Week 1: Introduction to Python programming\nWeek 2: SQL and relational databases\nWeek 3: Statistics';
  const { weeks } = await call<{
    weeks: { title: string; skills: { label: string; items: Found['items'] }[] }[];
  }>(await connect(), 'plan_from_text', { text });
  expect(weeks.map(({ title }) => title)).toEqual(text.split('\n'));
  const urls = weeks.flatMap(({ skills }) => skills.flatMap(({ items }) => items.map(({ url }) => url)));
  expect(urls.length).toBeGreaterThan(3);
  expect(new Set(urls).size).toBe(urls.length);
});

describe('an assistant of a person', () => {
  test.each(['legacy', 'auto'] as const)(
    'lets an assistant in that begins with %s, and it has their shelf',
    async (mode) => {
      const assistant = await askIn(app.url, mode);
      onTestFinished(() => assistant.close());
      expect(assistant.asked().searchParams.get('resource')).toBe(`${app.url}/mcp`);
      await letIn(owner, assistant);
      const { client } = assistant;
      expect((await client.listTools()).tools).toHaveLength(11);
      const { items } = await call<Found>(client, 'search_learning', { keywords: 'statistics', max: 1 });
      const { url } = items[0]!;
      await call(client, 'my_shelf', { action: 'remove', url });
      expect(await call(client, 'my_shelf', { action: 'save', url })).toMatchObject({ done: 'added' });
      expect(await call(client, 'my_shelf', { action: 'save', url })).toMatchObject({ done: 'kept' });
      expect(await call(client, 'my_shelf', { action: 'list' })).toMatchObject({
        total: 1,
        items: [{ url }],
      });
      expect(await fail(client, 'my_shelf', { action: 'save', url: 'https://invented.example/' })).toContain(
        'OBJECT_UNKNOWN',
      );
      expect(await fail(client, 'my_shelf', { action: 'save' })).toContain('PARAMETERS_INVALID');
      expect(await fail(client, 'place_in_course', { objects: [{ url }] })).toContain('COURSE_UNLINKED');
    },
  );

  test('makes a plan, reads it, improves it in place, shares it and removes it', async () => {
    const assistant = await askIn(app.url);
    onTestFinished(() => assistant.close());
    await letIn(owner, assistant);
    const { client } = assistant;
    interface Stored {
      readonly done: string;
      readonly plan: {
        readonly id: string;
        readonly name: string;
        readonly link?: string;
        readonly sections: readonly {
          readonly id: string;
          readonly title: string;
          readonly items: readonly { readonly id: string; readonly url: string }[];
        }[];
      };
    }
    const text = 'Programming\n\nWeek 1: Python\nVariables and loops\n\nWeek 2: SQL\nTables and joins';
    const { plan } = await call<Stored>(client, 'my_plans', { action: 'make', text });
    expect([plan.name, ...plan.sections.map(({ title }) => title)]).toEqual([
      'Programming',
      'Week 1: Python',
      'Week 2: SQL',
    ]);
    expect((await call<Stored>(client, 'my_plans', { action: 'read', id: plan.id })).plan).toEqual(plan);
    const [item] = plan.sections[0]!.items;
    const { id } = plan;
    const improved = await call<Stored>(client, 'change_plan', { id, action: 'another', item: item!.id });
    expect(improved.done).toBe('changed');
    const [first, ...others] = improved.plan.sections[0]!.items;
    expect([first!.id, first!.url === item!.url]).toEqual([item!.id, false]);
    expect(others).toEqual(plan.sections[0]!.items.slice(1));
    const section = plan.sections[1]!.id;
    const moved = await call<Stored>(client, 'change_plan', {
      id,
      action: 'move-item',
      item: item!.id,
      section,
      place: 0,
    });
    expect(moved.plan.sections[1]!.items[0]!.id).toBe(item!.id);
    const shared = await call<Stored>(client, 'my_plans', { action: 'share', id });
    expect(shared.plan.link).toMatch(/\/plans\/[\w-]{22}$/);
    const copy = await call<Stored>(client, 'my_plans', { action: 'copy', link: shared.plan.link });
    expect(await call(client, 'my_plans', { action: 'list' })).toMatchObject({ done: 'listed', total: 2 });
    for (const each of [id, copy.plan.id]) await call(client, 'my_plans', { action: 'remove', id: each });
    expect(await fail(client, 'my_plans', { action: 'read', id })).toContain('PLAN_UNKNOWN');
    expect(await fail(client, 'my_plans', { action: 'read' })).toContain('PARAMETERS_INVALID');
  });

  test('loses access when the person disconnects it', async () => {
    const assistant = await askIn(app.url);
    onTestFinished(() => assistant.close());
    await letIn(owner, assistant);
    const page = await owner.page('/account/assistants');
    expect(page).toContain('Test assistant');
    const ids = [...page.matchAll(/account\/assistants\/([\w-]+)\/end/g)].map(([, id]) => id);
    for (const id of ids) await owner.post(`/account/assistants/${id}/end`);
    const authorization = `Bearer ${assistant.tokens().access_token}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const ask = () => fetch(`${app.url}/mcp`, { method: 'POST', body: '{}', headers });
    await expect.poll(async () => (await ask()).status).toBe(401);
  });

  test('asks a teacher without an account for a code from their course', async () => {
    const assistant = await askIn(app.url);
    const stranger = createAdminBrowser(app.url);
    const begun = await fetch(assistant.asked(), { redirect: 'manual' });
    const path = begun.headers.get('location')!.slice('/admin'.length);
    const page = await stranger.page(path);
    expect(page).toContain('Code from your course');
    expect(page).toContain(`/admin/sign-in?next=/admin${path}`);
    expect(page).not.toContain('name="tenant"');
    const wrong = await stranger.post(path, { answer: 'yes', code: 'AAAA-AAAA' });
    expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('This code is not valid')]);
    const denied = await stranger.post(path, { answer: 'no' });
    expect(await denied.text()).toContain('error=access_denied');
  });

  test('is told when the person refuses it', async () => {
    const assistant = await askIn(app.url);
    const answered = new URL(await answerRequest(owner, assistant.asked(), { answer: 'no' }));
    expect(Object.fromEntries(answered.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'a state',
      iss: app.url,
    });
  });
});

test('refuses assistants of a tenant that turned them off, until it turns them on', async () => {
  const client = await connect();
  await owner.post('/tenants/default/assistants/switch', { on: 'no' });
  await expect.poll(() => client.listTools().catch(String)).toContain('ASSISTANTS_OFF');
  await owner.post('/tenants/default/assistants/switch', { on: 'yes' });
  await expect.poll(async () => (await client.listTools()).tools).toHaveLength(7);
});

test('counts calls by tool', async () => {
  await call(await connect(), 'find_skills', { keywords: 'nursing' });
  await expect.poll(() => owner.page('/assistants')).toContain('Assistants: Find skills');
  expect(await owner.page('')).toContain('Assistants: Find skills');
});
