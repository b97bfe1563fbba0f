import type { z } from 'zod';
import type { ApiKeyScope } from '#domain/tenant';
import type { OperationAnswer, OperationName, OperationRequest, PresentAnswer } from '#ports/learning-service';
import type { WrittenSearchOptions } from './search-parameters.ts';

export interface Operation {
  /** The end of its path, and its name at a marketplace gateway. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Path at the service itself. */
  readonly path: string;
  readonly summary: string;
  /** Description in Markdown. */
  readonly description?: string;
  /** Scope of the key; absent if no key is needed. */
  readonly scope?: ApiKeyScope;
  /** Whether a marketplace gateway has the operation as well. */
  readonly isAtGateway?: true;
  readonly isExtension?: true;
  readonly parameters?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
}

export interface SentRequest {
  /** Query string without `?`; may be empty. */
  readonly query?: string;
  /** Parsed JSON of a POST. */
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

export interface ReceivedRequest<N extends OperationName> {
  readonly request: OperationRequest<N>;
  /** Whether facets and highlights are requested. */
  readonly withDetails?: boolean;
  /** Returns plain data, or its JSON. */
  writeAnswer(answer: PresentAnswer<N>): unknown;
}

/** An operation on the wire: servers read requests, clients write them and read answers. */
export interface Wire<N extends OperationName> extends Operation {
  /** Errors: PARAMETERS_INVALID. */
  readRequest(sent: SentRequest): ReceivedRequest<N>;
  writeRequest(request: OperationRequest<N>, options?: WrittenSearchOptions): SentRequest;
  /** Reads parsed JSON. Errors: RESPONSE_INVALID. */
  readAnswer(body: unknown): OperationAnswer<N>;
}
