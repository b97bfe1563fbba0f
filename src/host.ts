import { createReadStream } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { App, AppOptions } from './app.ts';
import type { Config } from './config.ts';
import { AppError } from './errors.ts';
import { queueRequests } from './faces/request-queue.ts';
import { endSlowBody } from './faces/slow-body.ts';
import { projectRoot } from './project-root.ts';

export interface Host extends Pick<App, 'faces' | 'demoKey' | 'setupPath' | 'dataDir' | 'sizes'> {
  readonly url: string;
  /** Stops listening, waits for running requests (at most 10 s), and closes the store. */
  close(): Promise<void>;
}

/** How long clients may take to send a request and to read its answer, in milliseconds. */
const defaultLimits = {
  headersMs: 15_000,
  bodyMs: 30_000,
  /** For a file from an administrator, who is authenticated before any of it is accepted. */
  uploadMs: 30 * 60_000,
  /** For a client that reads nothing of its answer. */
  unreadMs: 30_000,
  /** Interval of the checks for slow headers and uploads. */
  checkMs: 5_000,
};

export interface StartOptions extends Omit<AppOptions, 'publicUrl' | 'clock'> {
  readonly limits?: typeof defaultLimits;
  /** Searches once before requests are answered; false by default. */
  readonly warmsUp?: boolean;
}

const DRAIN_MS = 10_000;
/** Longer than proxies keep an idle connection (nginx 60 s): who sends a form over one that is just
 *  being closed cannot know whether it arrived, and must not send it again. */
const IDLE_MS = 75_000;

/** Listens first and then builds the host: a port in use is noticed before any work, and faces get
 *  the address, also with port 0. Until then, requests get 503 with `Retry-After`, and `/healthz`
 *  200. Errors: LISTEN_FAILED, and those of `createApp`. */
export async function startHost(options: StartOptions): Promise<Host> {
  const { limits = defaultLimits, warmsUp = false, ...appOptions } = options;
  const { config } = appOptions;
  let handle = answerWhileStarting;
  let isDraining = false;
  const { headersMs, bodyMs, uploadMs, unreadMs, checkMs } = limits;
  const times = { headersTimeout: headersMs, requestTimeout: uploadMs, connectionsCheckingInterval: checkMs };
  const server = createServer({ ...times, keepAliveTimeout: IDLE_MS }).setTimeout(unreadMs);
  queueRequests(server, (request, response) => {
    if (isDraining) response.setHeader('Connection', 'close');
    endSlowBody(request, response, bodyMs);
    handle(request, response);
  });
  await listenOn(server, config);
  const { port } = server.address() as AddressInfo;
  const url = config.publicUrl ?? `http://localhost:${port}`;
  try {
    // The modules of a host take as long to load as its catalogue.
    const { createApp } = await import('./app.ts');
    const app = await createApp({ ...appOptions, publicUrl: url });
    if (warmsUp) await app.warmUp();
    handle = app.listener;
    const { faces, demoKey, setupPath, dataDir } = app;
    return {
      url,
      faces,
      demoKey,
      setupPath,
      dataDir,
      get sizes() {
        return app.sizes;
      },
      async close() {
        isDraining = true;
        // In parallel, as a supervisor kills a host that takes much longer than requests may.
        await Promise.all([drainConnections(server), app.endBackgroundWork()]);
        await app.close();
      },
    };
  } catch (error) {
    server.close();
    throw error;
  }
}

async function listenOn(server: Server, { port, host }: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(explainListenError(cause, port, host)));
    server.listen({ port, ...(host !== undefined && { host }) }, resolve);
  });
}

function explainListenError(cause: NodeJS.ErrnoException, port: number, host: string | undefined): unknown {
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

async function drainConnections(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}

/** Answers before the host is built: a supervisor must not restart a host that is still loading its
 *  catalogue, and people must see that it starts. */
const answerWhileStarting: RequestListener = ({ url, headers }, response) => {
  if (url === '/healthz') {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end('{"status":"ok"}');
  } else if (headers.accept?.includes('text/html')) {
    response.writeHead(503, { 'Retry-After': '1', Refresh: '1', 'Content-Type': 'text/html; charset=utf-8' });
    createReadStream(join(projectRoot, 'views/starting.html')).pipe(response);
  } else response.writeHead(503, { 'Retry-After': '1' }).end();
};
