/** How a field relates to a person. */
export const personalKinds = [
  /** `lti:<registration id>:<user id>`, `slack:<workspace id>:<user id>`, `admin:<id>`. */
  'account',
  /** User id of the platform of `registrationId`, or of the link `linkId`. */
  'lms-user',
  /** User id in the workspace or organisation `id`. */
  'slack-user',
  /** Id of an administrator. */
  'admin',
  /** An `Actor`: account, name and network address. */
  'actor',
  'email',
  /** A name in a record that also has the account. */
  'name',
  /** A name in a record without an account. */
  'signature',
  /** A hash of a person or address. */
  'mark',
  /** A secret, which is never shown. */
  'secret',
  /** Anything else about the person whom another field names. */
  'about',
] as const;
export type PersonalKind = (typeof personalKinds)[number];

/** Kinds of records that the nightly sweep removes after a number of days. */
export const retentionKinds = ['activity', 'scores', 'feedback', 'audit', 'uploads'] as const;
export type RetentionKind = (typeof retentionKinds)[number];

/** What happens to the personal fields of a record. The catalogues of texts have its purpose, as
 *  `privacy.why.<name>`, and words for these values. */
export interface Privacy {
  readonly seenBy: readonly ('person' | 'teachers' | 'admins' | 'owners' | 'auditors' | 'link' | 'nobody')[];
  readonly kept: RetentionKind | 'person' | 'account' | 'tenant' | 'course' | 'server' | 'grant' | 'week' | 'day';
  /** Who receives it outside of the host; absent if it stays. */
  readonly leaves?: 'lms' | 'upstream' | 'assistant';
  /** What erasing a person does: `remove` the record, put a `pseudonym` in its place, or let it
   *  expire. */
  readonly erasure: 'remove' | 'pseudonym' | 'expire';
}

export interface Retention {
  readonly kind: RetentionKind;
  /** The instant from which the days count. */
  readonly since: string;
  /** Records in these states stay. */
  readonly unless?: readonly string[];
}
