export { bloomResponse, parseBloomResponse, writeBloomResponse } from './bloom.ts';
export { type ErrorResponse, errorResponse } from './error.ts';
export {
  feedbackBody,
  feedbackResponse,
  MAX_COMMENT_LENGTH,
  parseFeedbackRequest,
  writeFeedbackRequest,
  writeFeedbackResponse,
} from './feedback.ts';
export { langResponse, parseLangResponse, writeLangResponse } from './lang.ts';
export { parseProviderResponse, providerResponse, writeProviderResponse } from './provider.ts';
export { parseSearchRequest, searchParameters } from './search.ts';
export {
  DEFAULT_PROVIDER,
  parseSearchProviderRequest,
  parseSearchResponse,
  type SearchRequest,
  searchProviderParameters,
  searchProviderResponse,
  writeSearchResponse,
} from './search-provider.ts';
export {
  parseSimilarRequest,
  parseSimilarResponse,
  similarParameters,
  similarResponse,
  writeSimilarResponse,
} from './similar.ts';
export {
  parseSuggestRequest,
  parseSuggestResponse,
  suggestParameters,
  suggestResponse,
  writeSuggestResponse,
} from './suggest.ts';
export {
  MAX_TEXT_LENGTH,
  parseTaggerRequest,
  parseTaggerResponse,
  taggerBody,
  taggerResponse,
  writeTaggerRequest,
  writeTaggerResponse,
} from './tagger.ts';
export { parseTypeResponse, typeResponse, writeTypeResponse } from './type.ts';
