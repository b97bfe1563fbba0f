import { z } from 'zod';
import { errorResponse, type Operation } from '../../contract/index.ts';
import { type Address, addresses } from './endpoints.ts';

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
    tags: [...new Set(addresses.map(findTag))].map((name) => ({ name })),
    paths: Object.fromEntries(addresses.map((address) => [address.path, describeOpenapiPath(address)])),
    components: {
      schemas: { Error: toJsonSchema(errorResponse, 'output') },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        marketplaceKey: { type: 'apiKey', in: 'header', name: 'x-marketplace-key' },
      },
    },
  };
}

/** A path of the document. */
export function describeOpenapiPath(address: Address): Json {
  const { name, operation, isGateway } = address;
  const { method, summary, scope, parameters, headers, body, response, isExtension } = operation;
  const key = isGateway ? 'marketplaceKey' : 'apiKey';
  return {
    [method.toLowerCase()]: {
      operationId: isGateway ? `gateway-${name}` : name,
      tags: [findTag(address)],
      summary,
      security: scope ? [{ [key]: [] }] : [],
      ...(isExtension && { 'x-skilldock-extension': true }),
      ...((parameters ?? headers) && {
        parameters: [...describeParameters(parameters, 'query'), ...describeParameters(headers, 'header')],
      }),
      ...(body && { requestBody: { required: true, content: describeContent(toJsonSchema(body, 'input')) } }),
      responses: {
        '200': {
          description: 'The answer',
          ...(scope && { headers: rateLimitHeaders }),
          content: describeContent(toJsonSchema(response, 'input')),
        },
        ...Object.fromEntries(
          listErrors(operation).map(([status, description]) => [status, describeError(status, description)]),
        ),
      },
    },
  };
}

function findTag({ isGateway, operation }: Address): string {
  if (isGateway) return 'Marketplace gateway';
  return operation.scope === 'competency' ? 'Competency API' : 'Learning-Object API';
}

function describeParameters(parameters: z.ZodType | undefined, place: 'query' | 'header'): Json[] {
  if (parameters === undefined) return [];
  const { properties = {}, required = [] } = toJsonSchema(parameters, 'input') as {
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

function listErrors({ scope, parameters, body }: Operation): [status: string, description: string][] {
  const errors: [string, string][] = [];
  if (parameters || body) errors.push(['400', 'Parameters or body cannot be used; every problem is listed']);
  if (scope)
    errors.push(
      ['401', 'No key was sent'],
      ['403', 'The key is not known here, has ended, or may not do this'],
    );
  if (scope === 'learning-objects') errors.push(['404', 'There is no such provider']);
  if (body) errors.push(['413', 'The body is larger than 64 kB'], ['415', 'The body is not JSON']);
  if (scope) errors.push(['429', 'Too many requests; Retry-After says when to try again']);
  return [...errors, ['500', 'The host made a mistake']];
}

function describeError(status: string, description: string): Json {
  return {
    description,
    ...(status === '429' && {
      headers: {
        ...rateLimitHeaders,
        'Retry-After': countHeader('Seconds until the same request may succeed'),
      },
    }),
    content: describeContent({ $ref: '#/components/schemas/Error' }),
  };
}

function describeContent(schema: Json): Json {
  return { 'application/json': { schema } };
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io }) as Json;
  return rest;
}
