import { createPictureEncoder } from '#adapters/pictures/picture-encoder';
import { createPictureFiles } from '#adapters/pictures/picture-files';
import { createOutbound } from '#adapters/remote/outbound';
import { createUpstreams } from '#adapters/remote/upstreams';
import type { Config } from '#config';
import { noPrivateAccess } from '#domain/private-hosts';
import { findLoopbackOrigin, isLoopbackAddress } from '#domain/web-address';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LearningService } from '#ports/learning-service';
import type { Oidc } from '#ports/oidc';
import type { LinkCheckRepository, Store } from '#ports/store/store';
import type { Tracing } from '#ports/tracing';
import type { Upstreams } from '#ports/upstream';
import { createPagePictures } from '#services/catalogue/pictures/page-pictures';
import type { PictureSecrets, Pictures } from '#services/catalogue/pictures/pictures';
import { createNoPictures, createPictures, createPictureTokens } from '#services/catalogue/pictures/pictures';
import { readImportOutbound } from './imports.ts';
import type { Mask } from './log.ts';

/** Creates the access to upstreams, whose keys are masked in the log. */
export function openUpstreams(
  { privateAccess }: Config,
  { clock, mask, tracing }: { readonly clock: Clock; readonly mask: Mask; readonly tracing: Tracing | null },
): Upstreams & { close(): Promise<void> } {
  const upstreams = createUpstreams({ privateAccess, clock });
  const hideKeys = ({ apiKey, marketplace }: Parameters<Upstreams['connect']>[0]) => {
    mask.hide(apiKey);
    mask.hide(marketplace?.key);
  };
  return {
    connect(connection) {
      hideKeys(connection);
      return traceLearning(tracing, 'upstream', upstreams.connect(connection));
    },
    test(connection, signal) {
      hideKeys(connection);
      return upstreams.test(connection, signal);
    },
    close: () => upstreams.close(),
  };
}

/** Fetches pictures from public addresses only: anyone who adds an object names their addresses. */
export function openPictures(deps: {
  readonly config: Config;
  readonly folder: string;
  /** Secrets of the host, the current one first. */
  readonly secrets: PictureSecrets;
  readonly publicUrl: string;
  readonly version: string;
  readonly linkChecks: LinkCheckRepository;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}): Pictures {
  const { config, folder, secrets, publicUrl, version, linkChecks, clock, onProblem } = deps;
  if (!config.showsPictures) return createNoPictures(publicUrl);
  const outbound = createOutbound({ ...readImportOutbound(config, version), privateAccess: noPrivateAccess });
  const encoder = createPictureEncoder();
  const pictures = createPictures({
    tokens: createPictureTokens(secrets),
    outbound,
    files: createPictureFiles({ folder }),
    encoder,
    publicUrl,
    clock,
    onProblem,
  });
  const pagePictures = createPagePictures({ linkChecks, onProblem });
  pagePictures.start();
  return {
    ...pictures,
    findOfPage: pagePictures.find,
    linksVersion: () => pictures.linksVersion() + pagePictures.count(),
    async close() {
      await pagePictures.close();
      await pictures.close();
      await Promise.all([outbound.close(), encoder.close()]);
    },
  };
}

/** Creates the access to platforms. A host at a loopback address may call platforms there, too. */
export function openOutbound(deps: { readonly config: Config; readonly publicUrl: string; readonly version: string }) {
  const { config, publicUrl, version } = deps;
  const { hasDemo, host, port, privateAccess } = config;
  // The demo course is a platform on this host; it is called over the configured port, if any.
  const loopback = hasDemo && port !== 0 ? { hostOrigin: findLoopbackOrigin(host, port) } : {};
  return createOutbound({ ...loopback, allowLoopback: isLoopbackAddress(publicUrl), privateAccess, version });
}

/** Returns null without settings. The adapter is loaded only if it is used. */
export async function openOidc({ oidc }: Config): Promise<Oidc | null> {
  if (oidc === undefined) return null;
  const { createOidc } = await import('#adapters/oidc/oidc');
  return createOidc({ ...oidc, roleClaim: oidc.roles?.claim });
}

/** Errors: CONFIG_INVALID if traces are asked for and OpenTelemetry is not installed. */
export async function openTracing(
  { isTraced }: Config,
  options: { readonly version: string; onProblem(error: unknown): void },
): Promise<Tracing | null> {
  if (!isTraced) return null;
  const { openOtel } = await import('#adapters/otel/otel').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const message =
      'OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, but OpenTelemetry is not installed. Run "npm ci" without "--omit=dev", or build the image with "--target traced"; or set OTEL_SDK_DISABLED=true.';
    throw new AppError('CONFIG_INVALID', message, { cause: error });
  });
  return openOtel(options);
}

/** Wraps a service so that each operation creates a span, such as `engine.searchProvider`. */
export function traceLearning(
  tracing: Tracing | null,
  part: 'engine' | 'upstream',
  learning: LearningService,
): LearningService {
  return tracing?.trace(part, learning, (_ask, [operation]) => String(operation)) ?? learning;
}

/** Wraps a store so that each call of a repository creates a span. */
export function traceStore(tracing: Tracing | null, store: Store): Store {
  if (tracing === null) return store;
  const traced = Object.entries(store).map(([name, part]) => [
    name,
    typeof part === 'object' ? tracing.trace(`store.${name}`, part) : part,
  ]);
  return Object.fromEntries(traced) as Store;
}
