import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toAnswerObject } from '../../../src/adapters/local/catalog-view.ts';
import { readStarterCatalog } from '../../../src/adapters/local/starter-catalog.ts';
import { createRecordServices } from '../../../src/compose/record-services.ts';
import { fitsFilter, parseFilter } from '../../../src/faces/resource-search/filter.ts';
import { resourceFields, toResource } from '../../../src/faces/resource-search/resource.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import { registration } from '../../contract/store/lti-records.ts';
import { type RunningApp, startApp } from '../../helpers/app.ts';
import { draw } from '../../helpers/draw.ts';
import { SECRET, secretKeysOf, tester } from '../../helpers/open-services.ts';

describe('a filter', () => {
  const values: Readonly<Record<string, readonly string[]>> = {
    name: ['Algebra, "easy"'],
    publishDate: ['2025-03-01'],
    rating: ['10'],
    author: ['Ada', 'Bob'],
  };
  test.each([
    ['', true],
    ["name~'algebra'", true],
    ["name='Algebra'", false],
    ["author='bob'", true],
    ["author!='Bob'", false],
    ["author='Eve, Ada'", true],
    ["author!='Eve'", true],
    ["language='NULL'", true],
    ["author!='NULL'", true],
    ["rating>'9'", true],
    ["publishDate>='2025-01-01' AND publishDate<'2025-03-01'", false],
    ["name~'x' AND author='Ada' OR rating<='10'", true],
    ["name~'x' OR author='Ada' AND rating<'10'", false],
  ])('%s is %s', (text, isFitting) => {
    expect(fitsFilter(parseFilter(text), (field) => values[field] ?? [])).toBe(isFitting);
  });

  test('has quotes within values', () => {
    expect(parseFilter("search~'it\\'s' AND name='a''b'")).toEqual([
      [
        { field: 'search', predicate: '~', values: ["it's"] },
        { field: 'name', predicate: '=', values: ["a'b"] },
      ],
    ]);
  });

  test.each(["name='a", 'name=a', "name='a' XOR name='b'", "name='a' AND ", "='a'", "name='a'name='b'", "name <> 'a'"])(
    'that cannot be read is refused: %s',
    (text) => {
      expect(() => parseFilter(text)).toThrow(expect.objectContaining({ code: 'PARAMETERS_INVALID' }));
    },
  );
});

/** The data model of the specification for the fields that we write. */
const uri = z.url().regex(/^[\x21-\x7e]+$/);
const text = z.string().min(1);
const resource = z.strictObject({
  id: text,
  name: text,
  url: uri,
  learningResourceType: text,
  publisher: text,
  description: text.optional(),
  subject: z.array(text).optional(),
  author: z.array(text).optional(),
  thumbnailUrl: uri.optional(),
  language: z.array(z.string().regex(/^[a-z]{2}$/)).optional(),
  learningObjectives: z
    .array(
      z.strictObject({
        alignmentType: z.enum(['teaches', 'educationLevel']),
        targetName: text.optional(),
        targetURL: uri.optional(),
      }),
    )
    .optional(),
  useRightsURL: uri.optional(),
  timeRequired: z.iso.duration().optional(),
  accessibilityFeatures: z.array(text).optional(),
  accessibilityHazards: z.array(text).optional(),
  accessMode: z.array(text).optional(),
  publishDate: z.iso.date().optional(),
  extensions: z.looseObject({}).optional(),
});

test('objects fit the data model', () => {
  for (const record of draw(readStarterCatalog('data').objects, 'objects as resources', 500)) {
    const { object } = toAnswerObject(record, 'A provider');
    const host = { publicUrl: 'https://host.example', hasLti: false };
    const sent = JSON.parse(JSON.stringify(toResource(object, 'x', host)));
    expect(resource.safeParse(sent).error?.issues ?? [], record.url).toEqual([]);
  }
});

describe('a host', () => {
  let app: RunningApp;
  let token: string;

  const createTenant = (name: string) => {
    const { store } = app;
    const services = createRecordServices({ store, secretKeys: secretKeysOf(SECRET), clock: systemClock });
    return services.tenants.createTenant(tester, name);
  };
  const askToken = (key: string, form: Readonly<Record<string, string>> = {}) =>
    fetch(`${app.url}/ims/rs/v1p0/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`client:${encodeURIComponent(key)}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...form }),
    });
  const get = (path: string, query: Readonly<Record<string, string>> = {}, bearer = token) =>
    fetch(`${app.url}/ims/rs/v1p0/${path}?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
  type Found = { readonly resources: readonly Readonly<Record<string, unknown>>[] };
  const search = async (query: Readonly<Record<string, string>>) => {
    const response = await get('resources', query);
    expect(response.status).toBe(200);
    const { resources } = (await response.json()) as Found;
    return {
      resources,
      total: Number(response.headers.get('x-total-count')),
      link: response.headers.get('link') ?? '',
    };
  };
  const minorOf = async (response: Response) => {
    const { imsx_codeMajor, imsx_codeMinor } = await response.json();
    expect(imsx_codeMajor).toBe('failure');
    return imsx_codeMinor.imsx_codeMinorField[0].imsx_codeMinorFieldValue;
  };

  beforeAll(async () => {
    app = await startApp();
    const response = await askToken(await app.createKey({ scopes: ['rs'] }), {
      scope: 'http://www.imsglobal.org/ltirs',
    });
    token = (await response.json()).access_token;
  });
  afterAll(() => app.close());

  test('gives a token for a key with the scope, and for no other', async () => {
    const answer = await (await askToken(await app.createKey({ scopes: ['rs'] }), { scope: 'rs' })).json();
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'rs' });
    const other = await askToken(await app.createKey({ scopes: ['competency'] }));
    expect([other.status, (await other.json()).error]).toEqual([401, 'invalid_client']);
    const scope = await askToken('key', { scope: 'all' });
    expect([scope.status, (await scope.json()).error]).toEqual([400, 'invalid_scope']);
    const grant = await askToken('key', { grant_type: 'password' });
    expect([grant.status, (await grant.json()).error]).toEqual([400, 'unsupported_grant_type']);
  });

  test('answers what the public command-line client asks', async () => {
    const { resources, total } = await search({
      fields: 'id,ltiLink,url,description,name',
      sort: 'name',
      orderBy: 'asc',
      filter: "search~'math' AND learningResourceType='Media/Video'",
    });
    expect(total).toBeGreaterThan(0);
    expect(resources).toHaveLength(Math.min(100, total));
    expect(Object.keys(resources[0] ?? {}).sort()).toEqual(['description', 'id', 'name', 'url']);
    const names = resources.map(({ name }) => String(name));
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })));
  });

  test('gives the command-line client a token for JSON without a grant', async () => {
    const key = await app.createKey({ scopes: ['rs'] });
    const ask = (body: string) =>
      fetch(`${app.url}/ims/rs/v1p0/token`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`client:${key}`).toString('base64url')}`,
        },
        body,
      });
    const { access_token } = await (await ask(JSON.stringify({ client_id: 'client', secret: key }))).json();
    expect((await get('resources', { limit: '1' }, access_token)).status).toBe(200);
    const broken = await ask('{');
    expect([broken.status, (await broken.json()).error]).toEqual([400, 'invalid_request']);
  });

  test('has links for the platform of a tenant that has one', async () => {
    const { id } = await createTenant('Lyon');
    const body = await (await askToken(await app.createKey({ tenantId: id, scopes: ['rs'] }))).json();
    const find = async () => {
      const filter = "search~'python'";
      const response = await get('resources', { filter, limit: '1', fields: 'url,name,ltiLink' }, body.access_token);
      const [resource] = ((await response.json()) as Found).resources;
      return resource!;
    };
    expect(await find()).not.toHaveProperty('ltiLink');
    await app.store.ltiRegistrations.addRegistration(registration('moodle', { tenantId: id }));
    const { url, name, ltiLink } = await find();
    expect(ltiLink).toMatchObject({
      title: name,
      launch_url: `${app.url}/lti/launch`,
      icon: `${app.url}/assets/icon.svg`,
      custom: { object: url },
      vendor: { code: '127.0.0.1', name: 'Skilldock' },
    });
  });

  test('turns pages, and links them', async () => {
    const filter = "language='fr' AND learningResourceType='Media/Video'";
    const first = await search({ filter, limit: '3' });
    const second = await search({ filter, limit: '3', offset: '3' });
    const within = await search({ filter, limit: '4', offset: '2' });
    const ids = ({ resources }: Found) => resources.map(({ id }) => id);
    expect(ids(within)).toEqual([...ids(first), ...ids(second)].slice(2));
    expect(first.link).toContain('rel="next"');
    expect(first.link).not.toContain('rel="prev"');
    expect(second.link).toContain('rel="prev"');
    expect(second.total).toBe(first.total);
  });

  test('every resource has what the specification requires, and no other field', async () => {
    const { resources, total } = await search({});
    expect(total).toBeGreaterThan(9_000);
    for (const resource of resources) {
      for (const name of ['name', 'url', 'learningResourceType', 'publisher'])
        expect(resource[name]).toEqual(expect.stringMatching(/./));
      expect(Object.keys(resource).filter((name) => !resourceFields.includes(name))).toEqual([]);
    }
  });

  test('filters by what the engine has no index of', async () => {
    const { resources } = await search({ filter: "accessibilityFeatures='captions' AND search~'management'" });
    expect(resources.length).toBeGreaterThan(0);
    for (const { accessibilityFeatures } of resources) expect(accessibilityFeatures).toContain('captions');
    const { total } = await search({ filter: "accessibilityFeatures='captions' AND accessibilityFeatures='NULL'" });
    expect(total).toBe(0);
  });

  test('has subjects in a tree with one root, which a search can name', async () => {
    const { subjects } = await (await get('subjects')).json();
    const identifiers = new Set(subjects.map(({ identifier }: { identifier: number }) => identifier));
    expect(identifiers.size).toBe(subjects.length);
    expect(subjects.filter(({ parent }: { parent: number }) => !identifiers.has(parent))).toEqual([subjects[0]]);
    const { total } = await search({ filter: `subject='${subjects[1].name}'`, limit: '1' });
    expect(total).toBeGreaterThan(0);
    expect((await search({ filter: "subject='No such subject'" })).total).toBe(0);
    const names: string[] = subjects.map(({ name }: { name: string }) => name);
    const named = names.find((name) => name.includes(','))!;
    expect((await search({ filter: `subject='${named}'`, limit: '1' })).total).toBeGreaterThan(0);
  });

  test('has what any of several subjects has, and what any alternative has', async () => {
    const idsOf = async (filter: string) => (await search({ filter, fields: 'id' })).resources.map(({ id }) => id);
    const [law, farming] = [await idsOf("subject='Law'"), await idsOf("subject='Agriculture'")];
    const count = async (filter: string) => (await search({ filter, limit: '1' })).total;
    const both = await count("subject='Law, Agriculture'");
    expect(both).toBeGreaterThan(Math.max(law.length, farming.length));
    expect(await count("subject='Agriculture' OR subject='Law'")).toBe(both);
    expect(await count("subject='Law' AND subject='Agriculture'")).toBeLessThan(both);
    const aboutData = await count("subject='Law' AND search~'data protection'");
    expect(aboutData).toBeGreaterThan(0);
    expect(aboutData).toBeLessThan(law.length);
    const docker = await count("search~'docker'");
    expect(await count("search~'docker' OR id='nothing'")).toBe(Math.min(docker, 2_000));
    const many = Array.from({ length: 21 }, () => "subject='Law'").join(' OR ');
    expect((await get('resources', { filter: many })).status).toBe(400);
  });

  test('refuses with the status information of the specification', async () => {
    const unread = await get('resources', { filter: 'name=math' });
    expect([unread.status, await minorOf(unread)]).toEqual([400, 'invalid_query_parameter']);
    const unknown = await get('resources', { fields: 'name,price' });
    expect([unknown.status, await minorOf(unknown)]).toEqual([400, 'invalid_query_parameter']);
    const stranger = await get('resources', {}, 'v1.00000000.AAAA');
    expect([stranger.status, await minorOf(stranger)]).toEqual([401, 'unauthorisedrequest']);
    expect(stranger.headers.get('www-authenticate')).toBe('Bearer');
  });
});
