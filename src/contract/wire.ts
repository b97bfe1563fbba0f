import type { z } from 'zod';
import type { ApiKeyScope } from '#domain/tenant';
import type { OperationAnswer, OperationName, OperationRequest, PresentAnswer } from '#ports/learning-service';
import type { WrittenSearchOptions } from './search-parameters.ts';

export interface Operation {
  /** The end of its path. A marketplace gateway has the operation under this name. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Where it is in the service itself. */
  readonly path: string;
  readonly summary: string;
  /** More explanation; Markdown. */
  readonly description?: string;
  /** The scope that a key needs; absent where no key is needed. */
  readonly scope?: ApiKeyScope;
  /** Whether a marketplace gateway has it as well, under its name. */
  readonly isAtGateway?: true;
  /** Whether it is our extension. */
  readonly isExtension?: true;
  readonly parameters?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
  /** The answer without its envelope, where the specification does not say whether it has one. */
  readonly bareResponse?: z.ZodType;
}

export interface SentRequest {
  /** The part after `?`; empty where there is none. */
  readonly query?: string;
  /** Of a POST: JSON. */
  readonly body?: unknown;
  /** Value of the header `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined;
}

export interface ReceivedRequest<N extends OperationName> {
  readonly request: OperationRequest<N>;
  /** See `CallOptions`. */
  readonly withDetails?: boolean;
  /** The body of the answer: plain data, or the text of its JSON. */
  writeAnswer(answer: PresentAnswer<N>): unknown;
}

/** How an operation is written and read on both sides. */
export interface Wire<N extends OperationName> extends Operation {
  /** Of a server. Errors: PARAMETERS_INVALID. */
  readRequest(sent: SentRequest): ReceivedRequest<N>;
  /** Of a client. */
  writeRequest(request: OperationRequest<N>, options?: WrittenSearchOptions): SentRequest;
  /** Of a client, from parsed JSON. Errors: RESPONSE_INVALID. */
  readAnswer(body: unknown): OperationAnswer<N>;
}
