import type { ApiKeyScope } from '../domain/api-key.ts';

export interface FeedbackRecord {
  readonly id: string;
  readonly url: string;
  readonly comment: string | null;
  readonly requestId: string;
  readonly email: string;
  readonly source: string;
  readonly receivedAt: Date;
}

export interface FeedbackRepository {
  saveFeedback(record: FeedbackRecord): Promise<void>;
  /** Newest first; `limit` 1 to 1,000. */
  listFeedback(limit: number): Promise<readonly FeedbackRecord[]>;
}

export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the key, hexadecimal; the key itself is never kept. */
  readonly keyHash: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly perSecond: number;
  readonly perDay: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface ApiKeyRepository {
  addApiKey(record: ApiKeyRecord): Promise<void>;
  findApiKeyByHash(keyHash: string): Promise<ApiKeyRecord | null>;
  /** Oldest first. */
  listApiKeys(): Promise<readonly ApiKeyRecord[]>;
  /** False when there is no such key or it was revoked before. */
  revokeApiKey(id: string, revokedAt: Date): Promise<boolean>;
}

/** Everything kept between requests. */
export interface Store {
  readonly feedback: FeedbackRepository;
  readonly apiKeys: ApiKeyRepository;
  /** Rejects with STORE_UNAVAILABLE when the store cannot answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}
