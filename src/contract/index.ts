/** The wire of the nine operations: one file per operation, each with its schemas and its conversions to domain types. */
export { bloomResponse, parseBloomResponse, writeBloomResponse } from './bloom.ts';
export { type ErrorResponse, errorResponse } from './error.ts';
export {
  feedbackBody,
  feedbackHeaders,
  feedbackResponse,
  parseFeedbackRequest,
  parseFeedbackResponse,
  parseIdempotencyKey,
  writeFeedbackRequest,
  writeFeedbackResponse,
} from './feedback.ts';
export { langResponse, parseLangResponse, writeLangResponse } from './lang.ts';
export { findMisfits, type Misfit } from './misfits.ts';
export { parseProviderResponse, providerResponse, writeProviderResponse } from './provider.ts';
export { IMPORTANT } from './query-string.ts';
export { parseSearchRequest, searchParameters, searchResponse } from './search.ts';
export { type Echo, writeSearchRequest } from './search-parameters.ts';
export {
  isOurExtension,
  parseSearchProviderRequest,
  parseSearchResponse,
  type SearchRequest,
  searchProviderParameters,
  searchProviderResponse,
  specifiedSearchResponse,
  writeSearchResponse,
} from './search-provider.ts';
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
export { parseTypeResponse, typeResponse, writeTypeResponse } from './type.ts';
