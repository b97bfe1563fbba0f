/** Characters of a comment on a learning object. */
export const MAX_COMMENT_LENGTH = 2_000;

/** Characters of the address of a learning object, or of the place the feedback is sent from. */
export const MAX_ADDRESS_LENGTH = 2_000;

export const MAX_REQUEST_ID_LENGTH = 200;

/** Scheme, without the colon, of the address of the place that feedback is sent from. Applications
 *  may have their own schemes; those that a browser would run as a script are refused. */
export const SOURCE_SCHEME = /^(?!(?:javascript|data|vbscript)$)/i;

/** Days that a tenant may keep feedback. */
export const MAX_RETENTION_DAYS = 3_650;

/** Role of the author of feedback. A program has a key, and knows whose address it sends. */
export type FeedbackRole = 'learner' | 'staff' | 'unknown' | 'program';
