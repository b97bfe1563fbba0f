import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '#errors';
import type { Backups } from '#services/host/backups';
import { createStrictRouter } from '../strict-paths.ts';
import { memoize } from './memoize.ts';
import { requireRequestMethod } from './request.ts';

export interface MonitoringDeps {
  /** Token for `/metrics`, which is open to everyone if it is absent. */
  readonly metricsToken?: string | undefined;
  /** Rejects while the host cannot answer. */
  isReady(): Promise<void>;
  /** Returns the current numbers of entries by name, and the bytes of the index. */
  sizes(): Readonly<Record<string, number>> & { readonly indexBytes: number };
  readonly backups?: Pick<Backups, 'describe'> | null;
  /** Tells whether OpenSearch answered when it was last asked; undefined without OpenSearch. */
  isCatalogUp?(): boolean | undefined;
}

const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

export function createMonitoring(deps: MonitoringDeps) {
  const { metricsToken, isReady, sizes } = deps;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addSizeMetrics(registry, sizes);
  if (deps.backups) addBackupMetrics(registry, deps.backups);
  if (deps.isCatalogUp?.() !== undefined) addCatalogMetrics(registry, deps);
  const router = createStrictRouter();
  router.all('/healthz', requireRequestMethod('GET'), (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.all('/readyz', requireRequestMethod('GET'), async (_request, response) => {
    const [{ status: outcome }] = await Promise.allSettled([isReady()]);
    const nameState = (isUp: boolean) => (isUp ? 'ready' : 'unavailable');
    const isUp = outcome === 'fulfilled';
    const isCatalogUp = deps.isCatalogUp?.();
    // Terms, tags and suggestions work without the catalogue, so balancers keep this host.
    const catalogue = isCatalogUp === undefined ? {} : { catalogue: nameState(isCatalogUp) };
    response.status(isUp ? 200 : 503).set('Cache-Control', 'no-store');
    response.json({ status: nameState(isUp), ...catalogue });
  });
  router.all('/metrics', requireRequestMethod('GET'), requireToken(metricsToken), async (_request, response) => {
    response.type(registry.contentType).send(await registry.metrics());
  });
  return { measure: createRequestMeasure(registry), router };
}

function requireToken(token: string | undefined): RequestHandler {
  // Digests have the same length, so the time of the comparison reveals nothing.
  const digestOf = (text: string) => createHash('sha256').update(text).digest();
  return (request, response, next) => {
    const [, sent = ''] = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
    if (token === undefined || timingSafeEqual(digestOf(sent), digestOf(token))) return next();
    response.set('WWW-Authenticate', 'Bearer');
    const message = 'This address asks for a token. Send the METRICS_TOKEN of this host as Authorization: Bearer.';
    throw new AppError('METRICS_TOKEN_WRONG', message);
  };
}

function createRequestMeasure(registry: Registry): (response: ServerResponse & Pick<Response, 'locals'>) => void {
  const registers = [registry];
  const requests = new Counter({
    name: 'skilldock_requests_total',
    help: 'Requests of the HTTP API',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'skilldock_request_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['operation'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const secondsOf = memoize((operation: string) => seconds.labels({ operation }));
  const requestsOf = memoize((operation: string) =>
    memoize((status: number) => requests.labels({ operation, status })),
  );
  return (response) => {
    const start = performance.now();
    response.once('close', () => {
      // Never the URL: texts that people send must not become labels.
      const operation = String(response.locals.operation ?? 'unknown');
      secondsOf(operation).observe((performance.now() - start) / 1000);
      requestsOf(operation)(response.statusCode).inc();
    });
  };
}

type GaugeOptions = { readonly name: string; readonly help: string; read(): number | Promise<number> };

function addGauge(registry: Registry, { read, ...options }: GaugeOptions): void {
  new Gauge({
    ...options,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
}

function addSizeMetrics(registry: Registry, sizes: MonitoringDeps['sizes']): void {
  new Gauge({
    name: 'skilldock_index_entries',
    help: 'Entries of what is searched',
    labelNames: ['what'],
    registers: [registry],
    collect() {
      const { indexBytes: _, ...entries } = sizes();
      for (const [what, count] of Object.entries(entries)) this.set({ what }, count);
    },
  });
  addGauge(registry, {
    name: 'skilldock_index_bytes',
    help: 'Size of the object index',
    read: () => sizes().indexBytes,
  });
}

function addBackupMetrics(registry: Registry, backups: Pick<Backups, 'describe'>): void {
  addGauge(registry, {
    name: 'skilldock_backup_timestamp_seconds',
    help: 'When the newest good backup began, in Unix time; 0 for none',
    read: async () => ((await backups.describe()).backups[0]?.at.getTime() ?? 0) / 1000,
  });
  addGauge(registry, {
    name: 'skilldock_backup_failing',
    help: 'Whether the last backup failed',
    read: async () => Number((await backups.describe()).problem !== null),
  });
}

function addCatalogMetrics(registry: Registry, { isCatalogUp }: MonitoringDeps): void {
  addGauge(registry, {
    name: 'skilldock_catalog_up',
    help: 'Whether the engine that keeps the learning objects answered when it was last asked',
    read: () => Number(isCatalogUp?.() === true),
  });
}
