import type { z } from 'zod';
import type { ApiKeyScope } from '../domain/tenant.ts';
import { feedbackBody, feedbackHeaders, feedbackResponse } from './feedback.ts';
import { bloomResponse, langResponse, providerResponse, typeResponse } from './lists.ts';
import { searchParameters, searchResponse } from './search.ts';
import { searchProviderParameters, searchProviderResponse } from './search-provider.ts';
import { similarParameters, similarResponse } from './similar.ts';
import { suggestParameters, suggestResponse } from './suggest.ts';
import { taggerBody, taggerResponse } from './tagger.ts';

/** An operation as it is on the wire. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** Where it is in the service itself. */
  readonly path: string;
  readonly summary: string;
  /** What more there is to know; Markdown. */
  readonly description?: string;
  /** The scope that a key needs; absent where no key is needed. */
  readonly scope?: ApiKeyScope;
  /** Whether a marketplace gateway has it as well, under its name. */
  readonly isAtGateway?: true;
  /** Whether it is our extension. */
  readonly isExtension?: true;
  readonly parameters?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
}

const filtering =
  'A filter whose value ends in `!important`, such as `learningTimeMax=60!important`, excludes what does not meet it even where `match` is `best-effort`.';

/** The nine operations of the specification, and our own search of all providers. This is the one list of them: the server,
 *  the client, the OpenAPI document and the inspection of upstreams take address, method and key from here. */
export const operations = {
  similar: {
    method: 'GET',
    path: '/domcomp/v1/similar',
    summary: 'Terms of several taxonomies that are similar to keywords',
    scope: 'competency',
    parameters: similarParameters,
    response: similarResponse,
  },
  tagger: {
    method: 'POST',
    path: '/domcomp/v1/tagger',
    summary: 'Tags extracted from, or associated with, a text',
    scope: 'competency',
    body: taggerBody,
    response: taggerResponse,
  },
  suggest: {
    method: 'GET',
    path: '/domcomp/v1/suggest',
    summary: 'Terms for autocompletion and suggested queries',
    scope: 'competency',
    parameters: suggestParameters,
    response: suggestResponse,
  },
  provider: {
    method: 'GET',
    path: '/learningobject/v2/provider',
    summary: 'Supported providers',
    isAtGateway: true,
    response: providerResponse,
  },
  type: {
    method: 'GET',
    path: '/learningobject/v2/type',
    summary: 'Supported types (a bare array)',
    isAtGateway: true,
    response: typeResponse,
  },
  bloom: {
    method: 'GET',
    path: '/learningobject/v2/bloom',
    summary: 'Supported Bloom objectives',
    isAtGateway: true,
    response: bloomResponse,
  },
  lang: {
    method: 'GET',
    path: '/learningobject/v2/lang',
    summary: 'Supported languages',
    isAtGateway: true,
    response: langResponse,
  },
  'search-provider': {
    method: 'GET',
    path: '/learningobject/v2/search-provider',
    summary: 'Search the learning objects of one provider',
    description: filtering,
    scope: 'learning-objects',
    isAtGateway: true,
    parameters: searchProviderParameters,
    response: searchProviderResponse,
  },
  feedback: {
    method: 'POST',
    path: '/learningobject/v2/feedback',
    summary: 'Give feedback on a learning object that a search returned',
    scope: 'feedback',
    isAtGateway: true,
    headers: feedbackHeaders,
    body: feedbackBody,
    response: feedbackResponse,
  },
  search: {
    method: 'GET',
    path: '/learningobject/v2/search',
    summary: 'Extension: search all providers at once, with filters by type and Bloom objective',
    description: filtering,
    scope: 'learning-objects',
    isExtension: true,
    parameters: searchParameters,
    response: searchResponse,
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;
