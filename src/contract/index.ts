/** The wire of the operations: a file for each, with its schemas and its conversions to domain
 *  types, and one table of all of them in `operations.ts`. */
export * from './oauth.ts';
export * from './operations.ts';
export { findMisfits, type Misfit } from './parse.ts';
export { IMPORTANT } from './read-query.ts';
export { parseSearchRequest } from './search.ts';
export { writeSearchRequest } from './search-parameters.ts';
export {
  isProviderExtension,
  parseSearchProviderRequest,
  parseSearchResponse,
  specifiedSearchResponse,
  writeSearchResponse,
} from './search-provider.ts';
export { type ErrorResponse, errorResponse } from './shared.ts';
export { type ToolObject, toolObject, writeToolObject } from './tools/foreign.ts';
export * from './tools/tools.ts';
export type { Operation, ReceivedRequest, SentRequest, Wire } from './wire.ts';
