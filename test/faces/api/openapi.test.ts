import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PLANS_PATH } from '../../../src/contract/index.ts';
import { describeOpenapiPath } from '../../../src/faces/api/openapi.ts';
import { KNOWN_REQUEST_ID } from '../../fakes/learning-service.ts';
import { type Api, startApi } from './start-api.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { schema: object }> };
  readonly responses: Record<string, Answer>;
  readonly 'x-skilldock-extension'?: boolean;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: object;
  readonly example?: unknown;
  readonly 'x-skilldock-extension'?: boolean;
}
interface Answer {
  readonly description: string;
  readonly headers?: Record<string, { schema: object }>;
  readonly content: Record<string, { schema: { $ref?: string } }>;
}
interface Document {
  readonly openapi: string;
  readonly info: { title: string; version: string };
  readonly servers: readonly { url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, object>; securitySchemes: Record<string, { name: string }> };
}

let api: Api;
let document: Document;
let operations: { path: string; method: string; operation: Operation }[];

beforeAll(async () => {
  api = await startApi();
  document = (await (await fetch(`${api.url}/openapi.json`)).json()) as Document;
  // Those of plans have a test of their own.
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    path.startsWith(PLANS_PATH)
      ? []
      : Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
});
afterAll(() => api.close());

const createAjv = () =>
  new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    keywords: ['x-skilldock-extension'],
    formats: { date: /^\d{4}-\d{2}-\d{2}$/, email: /@/, uri: /^[a-z][a-z0-9+.-]*:/i },
  });

describe('the document', () => {
  test('describes this host', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.2.3' },
      servers: [{ url: 'https://skills.example.org' }],
    });
  });

  test('has nothing that common generators of clients refuse', () => {
    // openapi-python-client 0.29 and oapi-codegen 2.8 refuse `items: false`, OpenAPI Generator 7.14
    // `null` in `anyOf`.
    const refused: string[] = [];
    JSON.stringify(document, (name, value) => {
      if (name === 'prefixItems' || (name === 'items' && typeof value === 'boolean')) refused.push(name);
      if (['anyOf', 'oneOf'].includes(name) && Array.isArray(value))
        refused.push(...value.filter(({ type }) => type === 'null').map(() => name));
      return value;
    });
    expect(refused).toEqual([]);
    expect(document.paths['/domcomp/v1/tagger']?.post?.responses[200]).toBeDefined();
    expect(JSON.stringify(document)).toContain(
      '{"type":["array","null"],"items":{"type":"integer","minimum":0,"maximum":9007199254740991},"minItems":2,"maxItems":2}',
    );
  });

  test('passes the lint of its specification', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
  });

  test('has every address of the design', () => {
    const both = ['provider', 'type', 'bloom', 'lang', 'search-provider', 'feedback'];
    expect(Object.keys(document.paths).sort()).toEqual(
      [
        ...['similar', 'tagger', 'suggest'].map((name) => `/domcomp/v1/${name}`),
        ...both.map((name) => `/learningobject/v2/${name}`),
        '/learningobject/v2/search',
        PLANS_PATH,
        `${PLANS_PATH}/{id}`,
        ...both.map((name) => `/marketplace/${name}`),
      ].sort(),
    );
  });

  test('names every operation once, with its key', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const isOpen = /\/(provider|type|bloom|lang)$/.test(path);
      const scheme = path.startsWith('/marketplace') ? 'marketplaceKey' : 'apiKey';
      expect(operation.security, path).toEqual(isOpen ? [] : [{ [scheme]: [] }]);
    }
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      marketplaceKey: { name: 'x-marketplace-key' },
    });
  });

  test('describes every parameter, and every error by a schema that exists', () => {
    for (const { path, operation } of operations) {
      for (const { name, description, in: place } of operation.parameters ?? []) {
        expect(description, `${path} ${name}`).toMatch(/\S/);
        expect(place).toBe(name === 'Idempotency-Key' ? 'header' : 'query');
      }
      for (const [status, { content, description }] of Object.entries(operation.responses)) {
        expect(description).toMatch(/\S/);
        const { $ref } = content['application/json']!.schema;
        expect($ref, `${path} ${status}`).toBe(status === '200' ? undefined : '#/components/schemas/Error');
      }
    }
    expect(document.components.schemas).toHaveProperty('Error');
  });

  test('has all parameters of search-provider, only keywords without a default required', () => {
    const { parameters } = document.paths['/learningobject/v2/search-provider']!.get!;
    expect(parameters!.map(({ name }) => name)).toEqual(
      'keywords lang provider sort match model max page publisher ageMax ageMin learningTimeMax learningTimeMin levelMax levelMin popularityMin address distanceMax free'.split(
        ' ',
      ),
    );
    expect(parameters!.filter(({ required }) => required).map(({ name }) => name)).toEqual(['keywords']);
  });

  test('marks what is ours, and nothing else', () => {
    const ours = operations.flatMap(({ path, operation }) => [
      ...(operation['x-skilldock-extension'] ? [path] : []),
      ...(operation.parameters ?? []).filter((p) => p['x-skilldock-extension']).map((p) => `${path}?${p.name}`),
    ]);
    expect(ours).toEqual([
      '/domcomp/v1/similar?source',
      '/domcomp/v1/similar?max',
      '/domcomp/v1/suggest?lang',
      '/learningobject/v2/feedback?Idempotency-Key',
      '/learningobject/v2/search',
      '/learningobject/v2/search?provider',
      '/learningobject/v2/search?prefer',
      '/learningobject/v2/search?without',
      '/learningobject/v2/search?type',
      '/learningobject/v2/search?bloom',
      '/learningobject/v2/search?has',
      '/learningobject/v2/search?newerThan',
      '/learningobject/v2/search?details',
      '/marketplace/feedback?Idempotency-Key',
    ]);
    expect(JSON.stringify(document.paths['/domcomp/v1/tagger']).match(/"x-skilldock-extension":true/g)).toHaveLength(8);
    const { content } = document.paths['/learningobject/v2/search']!.get!.responses['200']!;
    expect(JSON.stringify(content).match(/"x-skilldock-extension":true/g)).toHaveLength(16);
  });

  test('can have an operation with parameters in its query and its headers', () => {
    const { get } = describeOpenapiPath({
      path: '/domcomp/v1/x',
      name: 'similar',
      isGateway: false,
      operation: {
        name: 'x',
        method: 'GET',
        path: '/domcomp/v1/x',
        summary: 'An operation',
        parameters: z.object({ keywords: z.string() }),
        headers: z.object({ 'Idempotency-Key': z.string() }),
        response: z.object({}),
      },
    });
    expect(get).toMatchObject({
      parameters: [
        { name: 'keywords', in: 'query' },
        { name: 'Idempotency-Key', in: 'header' },
      ],
    });
  });

  test('every schema compiles, strictly; every example fits its schema', () => {
    const ajv = createAjv();
    let compiled = 0;
    for (const { path, operation } of operations) {
      for (const { name, schema, example } of operation.parameters ?? []) {
        const validate = ajv.compile(schema);
        compiled++;
        if (example !== undefined) expect(validate(example), `${path} ${name}`).toBe(true);
      }
      const bodies = [operation.requestBody?.content, operation.responses['200']!.content];
      for (const content of bodies.filter((each) => each !== undefined)) {
        ajv.compile(content['application/json']!.schema);
        compiled++;
      }
    }
    ajv.compile(document.components.schemas.Error!);
    expect(compiled).toBeGreaterThan(60);
  });
});

describe('what the host answers follows its document', () => {
  const body = {
    url: 'https://example.org/python',
    request_id: KNOWN_REQUEST_ID,
    email: 'ada@example.org',
    source: 'https://school.example.org',
  };
  const bodies: Record<string, object> = { tagger: { text: 'We teach Python' }, feedback: body };

  test('each operation', async () => {
    const ajv = createAjv();
    for (const { path, method, operation } of operations) {
      const name = path.split('/').at(-1)!;
      const response = await (method === 'post'
        ? api.post(path, bodies[name])
        : api.get(`${path}${operation.parameters ? '?keywords=python' : ''}`));
      expect(response.status, path).toBe(200);
      const validate = ajv.compile(operation.responses['200']!.content['application/json']!.schema);
      expect(validate(await response.json()), `${path} ${ajv.errorsText(validate.errors)}`).toBe(true);
      for (const header of Object.keys(operation.responses['200']!.headers ?? {}))
        expect(response.headers.get(header), `${path} ${header}`).toMatch(/^\d+$/);
    }
  });

  test('an error', async () => {
    const validate = createAjv().compile(document.components.schemas.Error!);
    expect(validate(await (await api.get('/domcomp/v1/similar')).json())).toBe(true);
    expect(validate({ statusCode: 400 })).toBe(false);
  });
});
