import type { z } from 'zod';
import {
  bloomResponse,
  feedbackBody,
  feedbackHeaders,
  feedbackResponse,
  langResponse,
  providerResponse,
  searchParameters,
  searchProviderParameters,
  searchProviderResponse,
  searchResponse,
  similarParameters,
  similarResponse,
  suggestParameters,
  suggestResponse,
  taggerBody,
  taggerResponse,
  typeResponse,
} from '../../contract/index.ts';

/** One operation at one address, as the OpenAPI document describes it. */
export interface Operation {
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly key?: 'apiKey' | 'marketplaceKey';
  readonly parameters?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
  readonly isExtension?: boolean;
}

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
  response: searchResponse,
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
      headers: feedbackHeaders,
      body: feedbackBody,
      response: feedbackResponse,
    },
  ].map((operation) => ({ ...operation, path: prefix + operation.path }) as Operation);
}

/** Every address of the API. */
export const operations: readonly Operation[] = [
  ...competencyOperations,
  ...learningObjectOperations('/learningobject/v2', LEARNING_OBJECTS, 'apiKey'),
  searchOperation,
  ...learningObjectOperations('/marketplace', GATEWAY, 'marketplaceKey'),
];
