import { z } from 'zod';
import {
  bloomResponse,
  errorResponse,
  feedbackBody,
  feedbackResponse,
  langResponse,
  providerResponse,
  searchParameters,
  searchProviderParameters,
  searchProviderResponse,
  similarParameters,
  similarResponse,
  suggestParameters,
  suggestResponse,
  taggerBody,
  taggerResponse,
  typeResponse,
} from '../../contract/index.ts';

interface Operation {
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly key?: 'apiKey' | 'marketplaceKey';
  readonly parameters?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
  readonly isExtension?: boolean;
}

type Json = Record<string, unknown>;

const COMPETENCY = 'Competency API';
const LEARNING_OBJECTS = 'Learning-Object API';
const GATEWAY = 'Marketplace gateway';

const competencyOperations: readonly Operation[] = [
  {
    path: '/domcomp/v1/similar',
    id: 'similar',
    tag: COMPETENCY,
    summary: 'Terms of several taxonomies that are similar to keywords',
    key: 'apiKey',
    parameters: similarParameters,
    response: similarResponse,
  },
  {
    path: '/domcomp/v1/tagger',
    id: 'tagger',
    tag: COMPETENCY,
    summary: 'Tags extracted from, or associated with, a text',
    key: 'apiKey',
    body: taggerBody,
    response: taggerResponse,
  },
  {
    path: '/domcomp/v1/suggest',
    id: 'suggest',
    tag: COMPETENCY,
    summary: 'Terms for autocompletion and suggested queries',
    key: 'apiKey',
    parameters: suggestParameters,
    response: suggestResponse,
  },
];

const searchOperation: Operation = {
  path: '/learningobject/v2/search',
  id: 'search',
  tag: LEARNING_OBJECTS,
  summary: 'Extension: search all providers at once, with filters by type and Bloom objective',
  key: 'apiKey',
  parameters: searchParameters,
  response: searchProviderResponse,
  isExtension: true,
};

/** The six operations that the API and the gateway share. */
function learningObjectOperations(
  prefix: string,
  tag: string,
  key: 'apiKey' | 'marketplaceKey',
): Operation[] {
  const id = (name: string) => (tag === GATEWAY ? `gateway-${name}` : name);
  return [
    {
      path: '/provider',
      id: id('provider'),
      tag,
      summary: 'Supported providers',
      response: providerResponse,
    },
    { path: '/type', id: id('type'), tag, summary: 'Supported types (a bare array)', response: typeResponse },
    { path: '/bloom', id: id('bloom'), tag, summary: 'Supported Bloom objectives', response: bloomResponse },
    { path: '/lang', id: id('lang'), tag, summary: 'Supported languages', response: langResponse },
    {
      path: '/search-provider',
      id: id('search-provider'),
      tag,
      summary: 'Search the learning objects of one provider',
      key,
      parameters: searchProviderParameters,
      response: searchProviderResponse,
    },
    {
      path: '/feedback',
      id: id('feedback'),
      tag,
      summary: 'Give feedback on a learning object that a search returned',
      key,
      body: feedbackBody,
      response: feedbackResponse,
    },
  ].map((operation) => ({ ...operation, path: prefix + operation.path }) as Operation);
}

/** The OpenAPI 3.1 document of the HTTP API, made from the contract's schemas. */
export function createOpenApi(publicUrl: string, version: string): Json {
  const operations = [
    ...competencyOperations,
    ...learningObjectOperations('/learningobject/v2', LEARNING_OBJECTS, 'apiKey'),
    searchOperation,
    ...learningObjectOperations('/marketplace', GATEWAY, 'marketplaceKey'),
  ];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Competency and Learning-Object Search Service',
      version,
      description:
        'Finds skills for words and learning objects for skills. Any parameter value of a search may end in `!important`: it is then applied strictly even when `match` is `best-effort`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: [COMPETENCY, LEARNING_OBJECTS, GATEWAY].map((name) => ({ name })),
    paths: Object.fromEntries(operations.map((operation) => [operation.path, describeOperation(operation)])),
    components: {
      schemas: { Error: schemaOf(errorResponse, 'output') },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        marketplaceKey: { type: 'apiKey', in: 'header', name: 'x-marketplace-key' },
      },
    },
  };
}

function describeOperation(operation: Operation): Json {
  const { id, tag, summary, key, parameters, body, response, isExtension } = operation;
  return {
    [body ? 'post' : 'get']: {
      operationId: id,
      tags: [tag],
      summary,
      security: key ? [{ [key]: [] }] : [],
      ...(isExtension && { 'x-skilldock-extension': true }),
      ...(parameters && { parameters: describeParameters(parameters) }),
      ...(body && { requestBody: { required: true, content: asJson(schemaOf(body, 'input')) } }),
      responses: {
        '200': { description: 'The answer', content: asJson(schemaOf(response, 'input')) },
        ...Object.fromEntries(
          errorsOf(operation).map(([status, description]) => [status, errorAnswer(description)]),
        ),
      },
    },
  };
}

function describeParameters(parameters: z.ZodType): Json[] {
  const { properties = {}, required = [] } = schemaOf(parameters, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(schema['x-skilldock-extension'] === true && { 'x-skilldock-extension': true }),
    schema,
  }));
}

function errorsOf({ key, parameters, body, id }: Operation): [status: string, description: string][] {
  const errors: [string, string][] = [];
  if (parameters || body) errors.push(['400', 'Parameters or body cannot be used; every problem is listed']);
  if (key)
    errors.push(
      ['401', 'No key was sent'],
      ['403', 'The key is not known here, has ended, or may not do this'],
    );
  if (id.endsWith('search-provider') || id === 'search') errors.push(['404', 'There is no such provider']);
  if (body) errors.push(['413', 'The body is larger than 64 kB'], ['415', 'The body is not JSON']);
  if (key) errors.push(['429', 'Too many requests; Retry-After says when to try again']);
  return [...errors, ['500', 'The host made a mistake']];
}

function errorAnswer(description: string): Json {
  return { description, content: asJson({ $ref: '#/components/schemas/Error' }) };
}

function asJson(schema: Json): Json {
  return { 'application/json': { schema } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io }) as Json;
  return rest;
}
