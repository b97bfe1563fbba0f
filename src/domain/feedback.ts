export const MAX_COMMENT_LENGTH = 2_000;
export const MAX_ADDRESS_LENGTH = 2_000;
export const MAX_REQUEST_ID_LENGTH = 200;

/** Applications may have their own schemes; those that run as a script in a browser are refused. */
export const SOURCE_SCHEME = /^(?!(?:javascript|data|vbscript)$)/i;

export const MAX_RETENTION_DAYS = 3_650;

/** A `program` has a key, and answers for the e-mail addresses that it sends. */
export type FeedbackRole = 'learner' | 'staff' | 'unknown' | 'program';
