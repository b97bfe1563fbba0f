import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PLANS_PATH } from '../../../src/contract/index.ts';
import { createEndpointHandlers } from '../../../src/faces/api/endpoints.ts';
import type { RunningApp } from '../../helpers/app.ts';
import { bothWays } from '../../helpers/both-ways.ts';
import { openServices } from '../../helpers/open-services.ts';

interface Operation {
  readonly responses: Record<string, { content: Record<string, { schema: object }> }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, object> };
}

describe.each(bothWays)('from $name:', (way) => {
  let app: RunningApp;
  let withKey: Record<string, string>;
  let document: Document;
  beforeAll(async () => {
    app = await way.startApp();
    const key = await app.createKey();
    withKey = { 'x-api-key': key, 'x-marketplace-key': key };
    document = (await (await fetch(`${app.url}/openapi.json`)).json()) as Document;
  });
  afterAll(() => app.close());

  const ajv = new Ajv2020({
    strict: true,
    keywords: ['x-skilldock-extension'],
    formats: { email: /@/, uri: /^[a-z][a-z0-9+.-]*:/i },
  });

  /** Problem with an answer, seen from the document; nothing where they agree. */
  async function misfitOf(response: Response, path: string, method: 'get' | 'post'): Promise<string> {
    const { content } = document.paths[path]![method]!.responses[String(response.status)]!;
    const { schema } = content['application/json']!;
    const isError = '$ref' in schema;
    const validate = ajv.compile(isError ? document.components.schemas.Error! : schema);
    return validate(await response.json()) ? '' : ajv.errorsText(validate.errors);
  }

  describe('what the app answers follows its document', () => {
    test.each([
      ['/domcomp/v1/similar', 'keywords=python', 200],
      ['/domcomp/v1/similar', 'keywords=gestion+de+projet&lang=fr&max=100', 200],
      ['/domcomp/v1/similar', 'max=0', 400],
      ['/domcomp/v1/suggest', 'keywords=pyt', 200],
      ['/domcomp/v1/suggest', 'keywords=qqqqzzzz', 200],
      ['/learningobject/v2/provider', '', 200],
      ['/learningobject/v2/type', '', 200],
      ['/learningobject/v2/bloom', '', 200],
      ['/learningobject/v2/lang', '', 200],
      ['/learningobject/v2/search-provider', 'keywords=python&provider=edx', 200],
      ['/learningobject/v2/search-provider', 'keywords=qqqqzzzz&match=strict', 200],
      ['/learningobject/v2/search-provider', 'keywords=python&address=Paris&distanceMax=50!important', 200],
      ['/learningobject/v2/search-provider', 'keywords=python&provider=nobody', 404],
      ['/learningobject/v2/search-provider', 'keywords=python&address=Atlantis&distanceMax=5', 400],
      ['/learningobject/v2/search', 'keywords=python&max=20&page=1&provider=edx&provider=youtube', 200],
      ['/learningobject/v2/search', 'keywords=schülerlabor&type=training&model=extended', 200],
      ['/marketplace/search-provider', 'keywords=data&sort=random&free=true', 200],
      ['/marketplace/provider', '', 200],
    ])('%s?%s is %i', async (path, query, status) => {
      const response = await fetch(`${app.url}${path}?${query}`, { headers: withKey });
      expect(response.status).toBe(status);
      expect(await misfitOf(response, path, 'get')).toBe('');
    });

    test.each([
      ['{"text":"We write Python."}', 'application/json', 200],
      ['{"text":"Nous gérons des projets.","lang":"fr","max":3}', 'application/json', 200],
      ['{}', 'application/json', 400],
      ['{', 'application/json', 400],
      [JSON.stringify({ text: 'a'.repeat(70_000) }), 'application/json', 413],
      ['text=a', 'application/x-www-form-urlencoded', 415],
    ])('tagger with %.60s as %s is %i', async (body, type, status) => {
      const path = '/domcomp/v1/tagger';
      const headers = { ...withKey, 'content-type': type };
      const response = await fetch(app.url + path, { method: 'POST', headers, body });
      expect(response.status).toBe(status);
      expect(await misfitOf(response, path, 'post')).toBe('');
    });

    test.each([
      ['', 401],
      ['nobody', 403],
    ])('the key %j is %i', async (key, status) => {
      const path = '/learningobject/v2/search';
      const response = await fetch(`${app.url}${path}?keywords=a`, { headers: { 'x-api-key': key } });
      expect(response.status).toBe(status);
      expect(await misfitOf(response, path, 'get')).toBe('');
    });
  });

  describe('the document and the app have the same addresses', () => {
    test('every one', async () => {
      const services = await openServices();
      onTestFinished(() => services.close());
      const { learningOf, apiAccess: access, feedback, insight } = services;
      const served = createEndpointHandlers({ learningOf, access, feedback, insight }).keys();
      const operations = Object.keys(document.paths).filter((path) => !path.startsWith(PLANS_PATH));
      expect(operations.sort()).toEqual([...served].sort());
    });

    test('and the methods that the app allows', async () => {
      for (const [path, methods] of Object.entries(document.paths)) {
        const { headers } = await fetch(app.url + path.replace('{id}', 'x'), { method: 'OPTIONS' });
        const allowed = Object.keys(methods).flatMap((method) =>
          method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
        );
        expect(headers.get('allow'), path).toBe([...allowed, 'OPTIONS'].join(', '));
      }
    });
  });

  test('every reference in the document leads somewhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to!);
    expect(references.length).toBeGreaterThan(20);
    for (const reference of new Set(references)) {
      const [root, ...steps] = reference.split('/');
      expect(root).toBe('#');
      const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], document);
      expect(target, reference).toBeTypeOf('object');
    }
  });
});
