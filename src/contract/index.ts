/** The wire of the operations: a file for each operation, with its schemas and its conversions to
 *  domain types, and one table of all of them in `operations.ts`. */
export * from './feedback.ts';
export * from './lists.ts';
export * from './oauth.ts';
export * from './operations.ts';
export { findMisfits, type Misfit } from './parse.ts';
export { IMPORTANT } from './read-query.ts';
export * from './search.ts';
export { type Echo, writeSearchRequest } from './search-parameters.ts';
export * from './search-provider.ts';
export { type ErrorResponse, errorResponse } from './shared.ts';
export * from './similar.ts';
export * from './suggest.ts';
export * from './tagger.ts';
export { type ToolObject, toolObject, writeToolObject } from './tools/foreign.ts';
export * from './tools/tools.ts';
