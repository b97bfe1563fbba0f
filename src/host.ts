import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type App, createApp } from './app.ts';
import type { Config } from './config.ts';
import { AppError } from './errors.ts';

/** A host that listens. */
export interface Host extends Pick<App, 'faces' | 'demoKey' | 'setupPath' | 'dataDir' | 'sizes'> {
  /** Where people reach it. */
  readonly url: string;
  /** Stop listening, let running requests end (at most 10 s), and close the store. */
  close(): Promise<void>;
}

const DRAIN_MS = 10_000;
/** A caller that sends slower than this holds a connection for nothing. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 30_000;

/** Listen first, then build: a port in use is known before any work, and the address (also of port 0) before the faces
 *  that show it. Until they stand, requests are told to come back.
 *  Errors: LISTEN_FAILED, and those of `createApp`. */
export async function startHost(config: Config, version: string): Promise<Host> {
  let handle: RequestListener = (_request, response) => {
    response.writeHead(503, { 'Retry-After': '1' }).end();
  };
  let isDraining = false;
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS },
    (request, response) => {
      if (isDraining) response.setHeader('Connection', 'close');
      handle(request, response);
    },
  );
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  const url = config.publicUrl ?? `http://localhost:${port}`;
  try {
    const app = await createApp({ config, publicUrl: url, version });
    handle = app.express;
    const { faces, demoKey, setupPath, dataDir, sizes } = app;
    return {
      url,
      faces,
      demoKey,
      setupPath,
      dataDir,
      sizes,
      async close() {
        isDraining = true;
        // Both at once: whoever stops a host kills it when it takes much longer than requests may.
        await Promise.all([drain(server), app.endBackgroundWork()]);
        await app.close();
      },
    };
  } catch (error) {
    server.close();
    throw error;
  }
}

async function listen(server: Server, { port, host }: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(explain(cause, port, host)));
    server.listen({ port, ...(host !== undefined && { host }) }, resolve);
  });
}

function explain(cause: NodeJS.ErrnoException, port: number, host: string | undefined): unknown {
  if (cause.code === 'EADDRINUSE') {
    const message = `Port ${port} is in use. Stop the program that listens there, or set PORT to another one.`;
    return new AppError('LISTEN_FAILED', message, { cause });
  }
  if (cause.code === 'EACCES' || cause.code === 'EADDRNOTAVAIL' || cause.code === 'ENOTFOUND') {
    const message = `This machine cannot listen on ${host ?? 'every address'}, port ${port} (${cause.code}). Correct HOST or PORT.`;
    return new AppError('LISTEN_FAILED', message, { cause });
  }
  return cause;
}

async function drain(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
