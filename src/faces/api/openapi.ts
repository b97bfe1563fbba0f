import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { errorResponse, type Operation } from '#contract/index';
import { type ErrorCode, errorKinds } from '#errors';
import { toHttpStatus } from '../app-errors.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { type PlanOperation, planOperations } from './plans.ts';

type Json = Record<string, unknown>;

const countHeader = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } });

const rateLimitHeaders: Json = {
  'RateLimit-Limit': countHeader('Requests that the key may make in the window'),
  'RateLimit-Remaining': countHeader('Requests that remain in the window'),
  'RateLimit-Reset': countHeader('Seconds until the window ends'),
};

const tags = {
  'Competency API': 'Skills of published taxonomies for words and texts.',
  'Learning-Object API': 'Courses, videos, articles and other learning objects, and feedback about them.',
  'Marketplace gateway': 'The same operations with the key of a marketplace.',
};

/** Creates the OpenAPI 3.1 document of the HTTP API from the schemas of the contract. */
export function createOpenApi(publicUrl: string, version: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Competency and Learning-Object Search Service',
      version,
      description: 'Finds skills for words and learning objects for skills.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: {
      ...Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, describeOpenapiPath(endpoint)])),
      ...mapValues(planOperations, (byMethod) => mapValues(byMethod, describeOpenapiPlanOperation)),
    },
    components: {
      schemas: { Error: toOpenapiSchema(errorResponse, 'output') },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        marketplaceKey: { type: 'apiKey', in: 'header', name: 'x-marketplace-key' },
      },
    },
  };
}

const mapValues = <T, R>(values: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

export function describeOpenapiPath(endpoint: Endpoint): Json {
  const { operation, isGateway } = endpoint;
  const { name, method, parameters, headers } = operation;
  return {
    [method.toLowerCase()]: describeOpenapiOperation({
      ...operation,
      id: isGateway ? `gateway-${name}` : name,
      tag: findOpenapiTag(endpoint),
      keyScheme: isGateway ? 'marketplaceKey' : 'apiKey',
      parameters: [...describeParameters(parameters, 'query'), ...describeParameters(headers, 'header')],
    }),
  };
}

const describeOpenapiPlanOperation = ({ name, parameters = [], ...operation }: PlanOperation): Json =>
  describeOpenapiOperation({
    ...operation,
    id: name,
    tag: 'Learning-Object API',
    scope: 'learning-objects',
    keyScheme: 'apiKey',
    isExtension: true,
    parameters,
  });

interface OpenapiOperation
  extends Pick<Operation, 'summary' | 'description' | 'scope' | 'body' | 'response' | 'isExtension'> {
  readonly id: string;
  readonly tag: keyof typeof tags;
  readonly keyScheme: 'apiKey' | 'marketplaceKey';
  readonly parameters: readonly object[];
}

function describeOpenapiOperation(operation: OpenapiOperation): Json {
  const { id, tag, keyScheme, summary, description, scope, body, response, isExtension, parameters } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: scope ? [{ [keyScheme]: [] }] : [],
    ...(isExtension && { 'x-skilldock-extension': true }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: describeOpenapiContent(toOpenapiSchema(body, 'input')) } }),
    responses: {
      200: {
        description: 'The answer',
        ...(scope && { headers: rateLimitHeaders }),
        content: describeOpenapiContent(toOpenapiSchema(response, 'input')),
      },
      ...describeOpenapiErrors(operation),
    },
  };
}

function findOpenapiTag({ isGateway, operation }: Endpoint): keyof typeof tags {
  if (isGateway) return 'Marketplace gateway';
  return operation.scope === 'competency' ? 'Competency API' : 'Learning-Object API';
}

function describeParameters(parameters: z.ZodType | undefined, place: 'query' | 'header'): Json[] {
  if (parameters === undefined) return [];
  const { properties = {}, required = [] } = toOpenapiSchema(parameters, 'input') as {
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

type ErrorSource = Pick<OpenapiOperation, 'scope' | 'body' | 'parameters'>;

function describeOpenapiErrors(operation: ErrorSource): Json {
  return Object.fromEntries(
    listOpenapiErrorStatuses(operation).map((status) => [status, describeOpenapiError(status, operation)]),
  );
}

function describeOpenapiError(status: number, { scope }: ErrorSource): Json {
  const headers = {
    ...(status === 429 && scope && rateLimitHeaders),
    ...([429, 503].includes(status) && { 'Retry-After': countHeader('Seconds until the same request may succeed') }),
  };
  return {
    description: errorDescriptions[status],
    ...(Object.keys(headers).length > 0 && { headers }),
    content: describeOpenapiContent({ $ref: '#/components/schemas/Error' }),
  };
}

const describeOpenapiContent = (schema: Json): Json => ({ 'application/json': { schema } });

function toOpenapiSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io,
    override: (context) => simplifyOpenapiSchema(context.jsonSchema as Json),
  }) as Json;
  return jsonSchema;
}

/** Rewrites pairs and nullable values: common generators refuse `prefixItems` and `null`. */
function simplifyOpenapiSchema(schema: Json): void {
  const { prefixItems, anyOf } = schema as {
    readonly prefixItems?: readonly Json[];
    readonly anyOf?: readonly Json[];
  };
  const [first] = prefixItems ?? [];
  if (first !== undefined && prefixItems?.every((each) => isDeepStrictEqual(each, first))) {
    const { length } = prefixItems;
    delete schema.prefixItems;
    Object.assign(schema, { items: first, minItems: length, maxItems: length });
  }
  const alternatives = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [alternative] = alternatives;
  if (anyOf?.length !== 2 || alternative === undefined || alternatives.length !== 1) return;
  if (typeof alternative.type !== 'string' || 'enum' in alternative || 'const' in alternative) return;
  delete schema.anyOf;
  Object.assign(schema, alternative, { type: [alternative.type, 'null'] });
}

const errorCodes = {
  parameters: ['PARAMETERS_INVALID'],
  body: ['PARAMETERS_INVALID', 'BODY_MALFORMED', 'BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'],
  key: ['KEY_MISSING', 'KEY_UNKNOWN', 'KEY_SCOPE', 'TENANT_DISABLED', 'RATE_LIMITED'],
  search: ['PLACE_UNKNOWN', 'PROVIDER_UNKNOWN'],
  feedback: ['REQUEST_ID_INVALID'],
  upstream: [
    'RESPONSE_INVALID',
    'UPSTREAM_UNREACHABLE',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_KEY_REFUSED',
    'UPSTREAM_FAILED',
    'UPSTREAM_THROTTLED',
    'UPSTREAM_PAUSED',
    'UPSTREAM_BUSY',
    'UPSTREAM_ADDRESS_REFUSED',
  ],
  host: ['INTERNAL', 'SECRET_UNREADABLE', 'STORE_UNAVAILABLE', 'CATALOG_UNAVAILABLE'],
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;

/** Lists the HTTP statuses of errors. Feedback has none of an upstream, as it is stored first. */
function listOpenapiErrorStatuses({ scope, parameters, body }: ErrorSource): number[] {
  const codes: readonly ErrorCode[] = [
    ...(parameters.length > 0 ? errorCodes.parameters : []),
    ...(body ? errorCodes.body : []),
    ...(scope ? errorCodes.key : []),
    ...(scope === 'learning-objects' ? errorCodes.search : []),
    ...(scope === 'feedback' ? errorCodes.feedback : errorCodes.upstream),
    ...errorCodes.host,
  ];
  return [...new Set(codes.map((code) => toHttpStatus({ code, kind: errorKinds[code] })))];
}

const errorDescriptions: Readonly<Record<number, string>> = {
  400: 'Parameters or body cannot be used; every problem is listed',
  401: 'No key was sent',
  403: 'The key is not known here, has ended, or may not do this',
  404: 'There is no such provider or plan',
  413: 'The body is larger than 64 kB',
  415: 'The body is not JSON',
  429: 'Too many requests; Retry-After says when to try again',
  500: 'The host made a mistake',
  502: 'The service that is searched cannot be reached, failed, or answered in a form that cannot be read',
  503: 'The host, or the service that is searched, cannot answer for now; Retry-After says when to try again, where that is known',
  504: 'The service that is searched did not answer in time',
};
