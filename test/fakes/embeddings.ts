import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendReply, type UpstreamReply } from './upstream-replies.ts';

export const EMBEDDINGS_KEY = 'key+of/the=embeddings';
export const EMBEDDINGS_MODEL = 'words-32';

const MAX_INPUTS = 64;
/** A hash has so many bytes. */
const DIMENSION = 32;
const MIDDLE_BYTE = 127.5;

export interface FakeEmbeddings {
  /** As an operator sets it. */
  readonly url: string;
  /** The texts of each request that was correct, in order. */
  readonly inputs: (readonly string[])[];
  /** How requests that are correct are answered from now on, one reply after another, the last one for good; nothing is the
   *  good answer. */
  reply(...replies: (UpstreamReply | undefined)[]): void;
  close(): Promise<void>;
}

interface Embedded {
  readonly object: 'embedding';
  readonly index: number;
  readonly embedding: readonly number[];
}

/** What a good answer is. */
export interface EmbeddingsBody {
  readonly object: 'list';
  readonly model: string;
  readonly data: readonly Embedded[];
}

/** A strict service on a real socket, with one model and one key. Texts with the same words have the same vector, whatever
 *  the order of the words, so the shorter a text around a query is, the more it is like it. */
export async function startFakeEmbeddings(): Promise<FakeEmbeddings> {
  const inputs: (readonly string[])[] = [];
  let replies: readonly (UpstreamReply | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const refusal = refuse(request, body);
    if (refusal !== null) return sendReply(response, refusal);
    const { input } = body as { input: readonly string[] };
    inputs.push(input);
    const [next] = replies;
    if (replies.length > 1) replies = replies.slice(1);
    const good = answerTo(input);
    return sendReply(response, { body: next?.change?.(good) ?? good, ...next });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    inputs,
    reply(...given) {
      replies = given;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || 'null');
}

function refuse({ method, url, headers }: IncomingMessage, body: unknown): UpstreamReply | null {
  const refusal = (status: number, message: string) => ({ status, body: { error: { message } } });
  if (method !== 'POST' || url !== '/v1/embeddings') return refusal(404, `Unknown request: ${method} ${url}`);
  if (headers.authorization !== `Bearer ${EMBEDDINGS_KEY}`)
    return refusal(401, `Incorrect API key provided: ${headers.authorization?.replace('Bearer ', '')}`);
  const { model, input, encoding_format: format, ...rest } = (body ?? {}) as Record<string, unknown>;
  if (model !== EMBEDDINGS_MODEL) return refusal(404, `The model ${String(model)} does not exist`);
  const isRight = Array.isArray(input) && input.length > 0 && input.length <= MAX_INPUTS;
  if (!isRight || !input.every((text) => typeof text === 'string' && text !== ''))
    return refusal(400, `input must be 1 to ${MAX_INPUTS} texts`);
  if (format !== 'float' || Object.keys(rest).length > 0) return refusal(400, 'unknown fields');
  return null;
}

/** Last first: `index` tells which is which. */
function answerTo(input: readonly string[]): EmbeddingsBody {
  const data = input.map(
    (text, index): Embedded => ({
      object: 'embedding',
      index,
      embedding: embedWords(text),
    }),
  );
  return { object: 'list', model: EMBEDDINGS_MODEL, data: data.toReversed() };
}

/** Not of length 1. */
export function embedWords(text: string): number[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [''];
  const hashes = words.map((word) => createHash('sha256').update(word).digest());
  return Array.from({ length: DIMENSION }, (_, i) =>
    hashes.reduce((sum, hash) => sum + hash[i]! - MIDDLE_BYTE, 0),
  );
}
