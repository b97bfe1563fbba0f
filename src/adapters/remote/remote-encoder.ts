import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import { isOpenAddress } from '../../domain/address-kinds.ts';
import { AppError } from '../../errors.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import type { Encoder, EncoderModel } from '../../ports/encoder.ts';
import type { Call } from './call.ts';
import { readEmbeddings } from './embeddings-answer.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { defaultPolicyOptions, type PolicyOptions, withPolicies } from './policies/policies.ts';
import { readAnswer } from './read-answer.ts';
import { createSend } from './send.ts';
import { withDeadline } from './with-deadline.ts';

export interface RemoteEncoderOptions {
  /** Address of an OpenAI-compatible service; `/embeddings` is added. The operator's own, so it may be in a private network. */
  readonly url: string;
  readonly model: string;
  /** Absent sends none. */
  readonly apiKey?: string | undefined;
  /** How long somebody waits for all texts together; 1,000 by default. */
  readonly timeoutMs?: number;
  /** How long a call may go on for the benefit of later callers, and how long background work waits; 15,000 by default. */
  readonly callTimeoutMs?: number;
  /** Options that differ from the policies here. */
  readonly policies?: Partial<PolicyOptions>;
  readonly clock?: Clock;
  /** Told of each call that ended: null where the service answered well, else why not. Whoever goes away ends no call, and what is
   *  kept needs none. */
  onCall?(problem: unknown): void;
}

const MAX_BATCH = 64;

const MAX_VECTORS = 20_000;

const MB = 1024 * 1024;

const MAX_KEPT_BYTES = 64 * MB;

/** A batch of vectors of 4,096 numbers with 20 digits each has about 6 MB. */
const MAX_ANSWER_BYTES = 8 * MB;

/** Searches can do without it, and the service should not get more than a few calls at once. */
const impatient: PolicyOptions = {
  ...defaultPolicyOptions,
  maxRetries: 0,
  maxFailures: 3,
  maxAtOnce: 8,
  maxQueued: 64,
  maxWaitMs: 200,
};

/** Vectors of an OpenAI-compatible service, without those of tokens. Those of the last texts are kept, and a text that is under way is
 *  not sent again. Calls of a slow service go on after the caller has stopped waiting, so that the vectors are there the next time. The
 *  model is known from the first answer on, as only that tells of its dimensions. */
export function createRemoteEncoder(options: RemoteEncoderOptions): Encoder {
  const { timeoutMs: patienceMs = 1_000, callTimeoutMs: timeoutMs = 15_000 } = options;
  const { clock = systemClock, policies, onCall } = options;
  const endpoint = endpointOf(options);
  const kept = new LRUCache<string, Float32Array>({
    max: MAX_VECTORS,
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: (vector, text) => vector.byteLength + 2 * text.length,
  });
  let model: EncoderModel | null = null;
  const underWay = new Map<string, Promise<Float32Array | undefined>>();
  const connect = createGuardedConnector({ isAllowed: isOpenAddress, timeoutMs });
  const dispatcher = new Agent({ connect });
  const send = withPolicies(createSend({ dispatcher, timeoutMs, maxBytes: MAX_ANSWER_BYTES }), {
    ...impatient,
    ...policies,
    timeoutMs,
    clock,
  });

  async function ask(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const body = JSON.stringify({ model: options.model, input: texts, encoding_format: 'float' });
    const call = { ...endpoint, body };
    try {
      const vectors = readEmbeddings(readAnswer(call, await send(call), clock), texts.length);
      onCall?.(null);
      return vectors;
    } catch (problem) {
      onCall?.(problem);
      throw problem;
    }
  }

  /** It does not end with its first caller, as others may wait for it by then. */
  function start(texts: readonly string[]): void {
    const asked = ask(texts);
    texts.forEach((text, index) => {
      const one = asked
        .then((vectors) => {
          kept.set(text, vectors[index]);
          return vectors[index];
        })
        .finally(() => underWay.delete(text));
      underWay.set(text, one);
    });
  }

  async function findAll(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const find = (text: string) => kept.get(text) ?? underWay.get(text);
    const unknown = [...new Set(texts)].filter((text) => find(text) === undefined);
    for (let begin = 0; begin < unknown.length; begin += MAX_BATCH)
      start(unknown.slice(begin, begin + MAX_BATCH));
    const vectors = await Promise.all(texts.map(find));
    const dimension = vectors[0]?.length;
    const isComparable = (vector: Float32Array | undefined): vector is Float32Array =>
      vector !== undefined && vector.length === dimension;
    if (!vectors.every(isComparable)) {
      // Vectors of another model cannot be compared with these.
      kept.clear();
      model = null;
      throw otherDimension();
    }
    if (dimension !== undefined && dimension !== model?.dimensions) model = nameModel(options, dimension);
    return vectors;
  }

  return {
    get model() {
      return model;
    },
    async encode(texts, { isBackground = false, signal }) {
      // The work goes on when nobody waits for it any more.
      const limitMs = isBackground ? timeoutMs : patienceMs;
      try {
        const vectors = await withDeadline({ ...endpoint, signal }, limitMs, () => findAll(texts));
        return vectors.map((vector) => ({ vector }));
      } catch (cause) {
        signal?.throwIfAborted();
        throw cause instanceof AppError ? toUnavailableError(cause) : cause;
      }
    },
    // Running calls fail: nobody waits for them, as requests have ended before this is closed.
    close: () => dispatcher.destroy(),
  };
}

/** Two services may have different models of one name. */
function nameModel({ url, model: name }: RemoteEncoderOptions, dimensions: number): EncoderModel {
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([url, name, dimensions]))
    .digest('hex');
  return { name, fingerprint, dimensions, langs: null };
}

function toUnavailableError(cause: AppError): AppError {
  const { message, retryAfterSeconds, data } = cause;
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new AppError('MODEL_UNAVAILABLE', message, { cause, data, ...retry });
}

function endpointOf({ url, apiKey }: RemoteEncoderOptions): Call {
  return {
    operation: 'embeddings',
    method: 'POST',
    url: new URL(`${url}/embeddings`),
    ...(apiKey !== undefined && { key: { name: 'authorization', value: `Bearer ${apiKey}` } }),
  };
}

function otherDimension(): AppError {
  return new AppError(
    'RESPONSE_INVALID',
    'The embedding service answers with vectors of another dimension than before, so it has another model now. Those that were kept are forgotten.',
    { data: { operation: 'embeddings' } },
  );
}
