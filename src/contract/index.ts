/** The wire of the nine operations: one file per operation, each with its schemas and its
 *  conversions to domain types. */
export {
  feedbackBody,
  feedbackHeaders,
  feedbackResponse,
  parseFeedbackIdempotencyKey,
  parseFeedbackRequest,
  parseFeedbackResponse,
  writeFeedbackRequest,
  writeFeedbackResponse,
} from './feedback.ts';
export {
  bloomResponse,
  langResponse,
  parseBloomResponse,
  parseLangResponse,
  parseProviderResponse,
  parseTypeResponse,
  providerResponse,
  typeResponse,
  writeBloomResponse,
  writeLangResponse,
  writeProviderResponse,
  writeTypeResponse,
} from './lists.ts';
export {
  authorizationParameters,
  clientRegistration,
  grantTypes,
  readOnce,
  revocationRequest,
  tokenRequest,
  writeTokens,
} from './oauth.ts';
export {
  type Operation,
  operationNames,
  operations,
  type ReceivedRequest,
  type SentRequest,
  type Wire,
} from './operations.ts';
export { findMisfits, type Misfit } from './parse.ts';
export { IMPORTANT } from './read-query.ts';
export { parseSearchRequest, searchParameters, searchResponse } from './search.ts';
export { type Echo, writeSearchRequest } from './search-parameters.ts';
export {
  isProviderExtension,
  parseSearchProviderRequest,
  parseSearchResponse,
  type SearchRequest,
  searchProviderParameters,
  searchProviderResponse,
  specifiedSearchResponse,
  writeSearchResponse,
} from './search-provider.ts';
export { type ErrorResponse, errorResponse } from './shared.ts';
export {
  parseSimilarRequest,
  parseSimilarResponse,
  similarParameters,
  similarResponse,
  writeSimilarRequest,
  writeSimilarResponse,
} from './similar.ts';
export {
  parseSuggestRequest,
  parseSuggestResponse,
  suggestParameters,
  suggestResponse,
  writeSuggestRequest,
  writeSuggestResponse,
} from './suggest.ts';
export {
  parseTaggerRequest,
  parseTaggerResponse,
  taggerBody,
  taggerResponse,
  writeTaggerRequest,
  writeTaggerResponse,
} from './tagger.ts';
export {
  type ToolObject,
  toolObject,
  writeToolObject,
} from './tools/foreign.ts';
export { promptArguments, type ToolContract, type ToolInput, type ToolOutput, tools } from './tools/tools.ts';
