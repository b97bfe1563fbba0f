import { z } from 'zod';
import { errorResponse } from '../../contract/index.ts';
import { type Operation, operations } from './openapi-operations.ts';

type Json = Record<string, unknown>;

const countHeader = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } });

const rateLimitHeaders: Json = {
  'RateLimit-Limit': countHeader('Requests that the key has in the window'),
  'RateLimit-Remaining': countHeader('Requests that are left of them'),
  'RateLimit-Reset': countHeader('Seconds until they are counted anew'),
};

/** The OpenAPI 3.1 document of the HTTP API, made from the contract's schemas. */
export function createOpenApi(publicUrl: string, version: string): Json {
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
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
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

/** A path of the document. */
export function describeOperation(operation: Operation): Json {
  const { id, tag, summary, key, parameters, headers, body, response, isExtension } = operation;
  return {
    [body ? 'post' : 'get']: {
      operationId: id,
      tags: [tag],
      summary,
      security: key ? [{ [key]: [] }] : [],
      ...(isExtension && { 'x-skilldock-extension': true }),
      ...((parameters ?? headers) && {
        parameters: [...describeParameters(parameters, 'query'), ...describeParameters(headers, 'header')],
      }),
      ...(body && { requestBody: { required: true, content: asJson(schemaOf(body, 'input')) } }),
      responses: {
        '200': {
          description: 'The answer',
          ...(key && { headers: rateLimitHeaders }),
          content: asJson(schemaOf(response, 'input')),
        },
        ...Object.fromEntries(
          errorsOf(operation).map(([status, description]) => [status, errorAnswer(status, description)]),
        ),
      },
    },
  };
}

function describeParameters(parameters: z.ZodType | undefined, place: 'query' | 'header'): Json[] {
  if (parameters === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(parameters, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(Array.isArray(examples) && { example: examples[0] }),
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

function errorAnswer(status: string, description: string): Json {
  return {
    description,
    ...(status === '429' && {
      headers: {
        ...rateLimitHeaders,
        'Retry-After': countHeader('Seconds until the same request may succeed'),
      },
    }),
    content: asJson({ $ref: '#/components/schemas/Error' }),
  };
}

function asJson(schema: Json): Json {
  return { 'application/json': { schema } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io }) as Json;
  return rest;
}
