import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { KnownModel } from '../../src/adapters/onnx/known-models.ts';
import { type ModelFileName, modelFileNames } from '../../src/adapters/onnx/manifest.ts';

/** How the next request for a file is answered; those after it as they should be. */
export type SourceFault =
  | { readonly kind: 'cut' | 'hang'; readonly afterBytes: number }
  /** One byte is another one. */
  | { readonly kind: 'wrong' }
  /** It begins at the beginning, whatever was asked for. */
  | { readonly kind: 'no-range' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'status'; readonly status: number };

export interface ModelSource {
  /** As MODEL_SOURCE has it. */
  readonly url: string;
  /** What was asked for: the name of the file and the first byte. */
  readonly asked: { readonly name: ModelFileName; readonly from: number }[];
  /** Bytes that were sent. */
  readonly sent: () => number;
  fail(name: ModelFileName, ...faults: SourceFault[]): void;
  close(): Promise<void>;
}

const CHUNK_BYTES = 64 * 1024;

/** A hub of models on a real socket: like the real one, it sends those who ask for a file on to another address, which can begin in the
 *  middle. Small pauses between chunks leave time to stop in the middle. */
export async function startModelSource(
  known: KnownModel,
  folder: string,
  { chunkPauseMs = 0 } = {},
): Promise<ModelSource> {
  const asked: { name: ModelFileName; from: number }[] = [];
  const faults = new Map<ModelFileName, SourceFault[]>();
  const files = new Map(modelFileNames.map((name) => [name, readFileSync(join(folder, name))]));
  let sent = 0;

  async function send(
    name: ModelFileName,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const file = files.get(name) ?? Buffer.alloc(0);
    const fault = faults.get(name)?.shift();
    const wanted = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    asked.push({ name, from: wanted });
    if (fault?.kind === 'status') return void response.writeHead(fault.status).end('no');
    const from = fault?.kind === 'no-range' ? 0 : wanted;
    if (from >= file.length) return void response.writeHead(416).end();
    const body =
      fault?.kind === 'too-long' ? Buffer.concat([file, Buffer.alloc(9)]) : Buffer.from(file.subarray(from));
    if (fault?.kind === 'wrong') body[body.length >> 1]! ^= 1;
    const range = { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` };
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': body.length, ...(from > 0 && range) });
    for (let at = 0; at < body.length; at += CHUNK_BYTES) {
      if (fault !== undefined && 'afterBytes' in fault && at >= fault.afterBytes)
        return fault.kind === 'cut' ? void response.destroy() : undefined;
      const chunk = body.subarray(at, at + CHUNK_BYTES);
      if (response.destroyed) return;
      sent += chunk.length;
      await new Promise<void>((done) => response.write(chunk, () => done()));
      if (chunkPauseMs > 0) await new Promise((done) => setTimeout(done, chunkPauseMs));
    }
    response.end();
  }

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://source');
    const name = modelFileNames.find((each) => pathname === `/cdn/${each}`);
    if (name !== undefined) return send(name, request, response);
    const of = modelFileNames.find(
      (each) => pathname === `/${known.repository}/resolve/${known.commit}/${known.files[each].path}`,
    );
    if (of === undefined) return void response.writeHead(404).end('Entry not found');
    response.writeHead(302, { location: `/cdn/${of}` }).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    sent: () => sent,
    fail: (name, ...given) => void faults.set(name, given),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
