/** The operations on the wire: a file for each, and the table in `operations.ts`. */
export * from './oauth.ts';
export * from './operations.ts';
export * from './plans.ts';
export { IMPORTANT } from './read-query.ts';
export { parseSearchRequest } from './search.ts';
export { writeSearchRequest } from './search-parameters.ts';
export {
  isProviderExtension,
  parseProviderResponse,
  parseSearchProviderRequest,
  writeProviderResponse,
} from './search-provider.ts';
export { type ErrorResponse, errorResponse } from './shared.ts';
export { type ToolObject, toolObject, writeToolObject } from './tools/foreign.ts';
export * from './tools/tools.ts';
export type { Operation, ReceivedRequest, SentRequest, Wire } from './wire.ts';
