import type { DataDir } from '#adapters/files/data-dir';
import { type LocalService, openLocalService } from '#adapters/local/open-local-service';
import { createRequestIds, type RequestIds } from '#adapters/local/request-ids';
import { openEncoder } from '#adapters/meaning/static-encoder';
import type { OpenSearchStore } from '#adapters/opensearch/objects-store';
import { createOutbound } from '#adapters/remote/outbound';
import type { Config } from '#config';
import { findOwnOrigin, isLoopback } from '#domain/loopback';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { ImportSources, Uploads } from '#ports/imports';
import type { LtiPlatforms } from '#ports/lti-platforms';
import type { Oidc } from '#ports/oidc';
import type { Outbound } from '#ports/outbound';
import type { SharedFiles } from '#ports/shared-files';
import type { Store } from '#ports/store/store';
import type { Tracing } from '#ports/tracing';
import { createImportedCatalog } from '#services/catalogue/imported-catalog';
import { createImportRepeats } from '#services/catalogue/imports/repeats';
import { createUploadedImports, type UploadedImports } from '#services/catalogue/imports/uploaded-imports';
import { createPlacedChecks } from '#services/catalogue/link-checks/link-checks';
import { createPageReader, type ReadPageAt } from '#services/catalogue/objects/page-reader';
import type { Pictures } from '#services/catalogue/pictures/pictures';
import type { LtiRegistrations } from '#services/courses/lti-registrations/lti-registrations';
import { makeKeyPair } from '#services/courses/lti-registrations/signing-keys';
import type { Admins } from '#services/tenants/admins/admins';
import { catalogDir, openCatalogStore } from './catalog.ts';
import { createThreadedSources } from './import-sources.ts';
import { openLinkWays, readImportOutbound } from './imports.ts';
import { createLog, type HostLog } from './log.ts';
import { giveUpLostSecrets, openData } from './open-data.ts';
import { openSharedFiles } from './open-store.ts';
import { openPictures } from './pictures.ts';
import { toInitialUpstream } from './record-services.ts';
import { createServices, type Services } from './services.ts';
import { openTracing, traceStore } from './tracing.ts';
import { openUpstreams } from './upstreams.ts';

export interface PartsOptions {
  readonly config: Config;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly version: string;
  readonly clock: Clock;
  /** Aborted where nothing is waited for any more. */
  readonly signal?: AbortSignal;
  /** Whether to go on without a store or secrets that are lost; false by default. */
  readonly allowLostSecrets?: boolean;
  /** Whether a host may be running on the same folder: then nothing is done in the background but following imports. */
  readonly isBeside?: boolean;
  /** Access to platforms, which the face that speaks with them provides. */
  createPlatforms(deps: PlatformsDeps): LtiPlatforms;
}

export interface PlatformsDeps {
  readonly registrations: LtiRegistrations;
  readonly outbound: Outbound;
  readonly clock: Clock;
}

/** What the faces of a host are built on. */
export interface Parts {
  readonly log: HostLog['log'];
  /** Null where nothing is traced. */
  readonly tracing: Tracing | null;
  readonly dataDir: DataDir;
  readonly store: Store;
  readonly local: LocalService;
  /** What keeps the learning objects; null for our own engine. */
  readonly catalogStore: Pick<OpenSearchStore, 'problem' | 'place'> | null;
  readonly services: Services;
  readonly outbound: Outbound;
  readonly pictures: Pictures;
  readonly importSources: ImportSources;
  readonly readObjectPage: ReadPageAt;
  readonly uploads: Uploads;
  readonly uploadedImports: UploadedImports;
  readonly platforms: LtiPlatforms;
  /** Null where no provider is configured. */
  readonly oidc: Oidc | null;
  readonly demoKey: string;
  /** Told of what went wrong in passing. */
  onProblem(error: unknown): void;
  /** Rejects while others should answer instead. */
  isReady(): Promise<void>;
  /** Ends the work that no request waits for. */
  endBackgroundWork(): Promise<void>;
  close(): Promise<void>;
}

interface Closable {
  close(): Promise<void>;
}

/** Open adapters and services, and create what a first start needs.
 *  Errors: CONFIG_INVALID (also for an ADMIN_PASSWORD that is easy to guess), CATALOG_INVALID, and those of `openData`. What was
 *  opened before is closed then. */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const { config, clock, allowLostSecrets = false, isBeside = false } = options;
  const { log, mask, flush } = createLog(config);
  const onProblem = (err: unknown) => log.warn({ err }, 'an operation failed; the server continues');
  warnOfObsolete(config, log);
  const opened: Closable[] = [];
  const close = async () => {
    // What cannot be closed must not keep the rest open.
    for (const each of opened.toReversed()) await each.close().catch(onProblem);
    flush();
  };
  try {
    const tracing = await openTracing(config, { version: options.version, onProblem });
    if (tracing !== null) opened.push(tracing);
    const data = await openData({ config, clock, allowLostSecrets, isBeside, onProblem });
    opened.push(data);
    const { dataDir, secretKeys, demoKey, uploads } = data;
    const keys = secretKeys.read();
    const store = traceStore(tracing, data.store);
    for (const key of keys) mask.hide(key);
    const upstreams = openUpstreams(config, { clock, mask, tracing });
    opened.push(upstreams);
    const secrets = keys.map((key) => Buffer.from(key));
    const [secret = Buffer.alloc(0), ...previous] = secrets;
    const requestIds = createRequestIds(secret, clock, previous);
    const { shared } = openSharedFiles(config, { store, clock, onProblem });
    const catalogStore = await openCatalogStore(config);
    if (catalogStore !== null) opened.push(catalogStore);
    const local = openLocal(options, { dataDir, store, shared, requestIds, log, catalogStore });
    opened.push(local);
    await local.updates.catchUp(options.signal);
    const calls = openOutbound(options);
    opened.push(calls);
    const outbound = tracing?.trace('outbound', calls) ?? calls;
    const services = createServices({
      store,
      secretKeys,
      local: tracing?.trace('engine', local.learning) ?? local.learning,
      catalog: local.catalog,
      providerOf: local.providerOf,
      upstreams,
      outbound,
      shareAnswers: config.shareAnswers,
      makeKeyPair,
      demoKey,
      publicUrl: options.publicUrl,
      slackApp: config.slack.app,
      slackApiOrigin: new URL(config.slack.apiUrl).origin,
      clock,
      onProblem,
    });
    const pictures = openPictures({
      ...{ config, folder: dataDir.file('pictures'), secrets, clock, onProblem },
      ...{ publicUrl: options.publicUrl, version: options.version },
    });
    opened.push(pictures);
    const importSources = createThreadedSources(readImportOutbound(config, options.version));
    opened.push(importSources);
    const platforms = options.createPlatforms({ registrations: services.ltiRegistrations, outbound, clock });
    const scoreOutbox = services.createScoreOutbox(platforms);
    const { feedbackRetention, feedbackOutbox, insight } = services;
    const linkWays = openLinkWays({
      config,
      imported: createImportedCatalog(store),
      version: options.version,
    });
    opened.push(linkWays);
    const placedChecks = createPlacedChecks({
      ...{ linkChecks: services.linkChecks, nonces: store.nonces, ways: linkWays, clock, onProblem },
    });
    const checks = config.checksLinks ? [placedChecks] : [];
    const repeats = createImportRepeats({
      ...{ imports: store.imports, runs: services.imports, sources: importSources, nonces: store.nonces },
      ...{ clock, onProblem },
    });
    const uploadedImports = createUploadedImports({
      ...{ runs: services.imports, sources: importSources, uploads, shared },
      ...{ rateCounters: store.rateCounters, clock, onProblem },
    });
    const background = [
      feedbackRetention,
      feedbackOutbox,
      scoreOutbox,
      insight,
      local.updates,
      uploads,
      uploadedImports,
      repeats,
      ...checks,
    ];
    opened.push(services.usage, services.imports, services.slackInstallations, ...background);
    if (allowLostSecrets) await giveUpLostSecrets(services);
    if (isBeside) await services.tenants.prepareDefault(toInitialUpstream(config));
    else await services.tenants.prepare(toInitialUpstream(config));
    if (config.adminPassword !== undefined) await prepareOwner(services.admins, config.adminPassword);
    for (const each of isBeside ? [local.updates] : background) each.start();
    const endBackgroundWork = async () => {
      // Imports that run are stopped: they may take longer than requests, and the next one goes on where they were.
      const ending = [...background, services.imports];
      await Promise.all(ending.map((each) => each.close().catch(onProblem)));
    };
    const oidc = await openOidc(config);
    const readObjectPage = createPageReader(importSources);
    const ways = {
      outbound,
      pictures,
      importSources,
      readObjectPage,
      uploads,
      uploadedImports,
      platforms,
      oidc,
    };
    return {
      log,
      tracing,
      dataDir,
      store,
      local,
      catalogStore,
      services,
      ...ways,
      demoKey,
      onProblem,
      async isReady() {
        await store.check();
        // Other hosts have what was imported, and this one would answer as if there were none of it.
        if (shared !== undefined && !local.updates.hasCaughtUp)
          throw new Error('what was imported is not searched yet');
      },
      endBackgroundWork,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function openLocal(
  { clock, publicUrl }: PartsOptions,
  {
    dataDir,
    store,
    shared,
    requestIds,
    log,
    catalogStore,
  }: Pick<Parts, 'dataDir' | 'store' | 'log'> & {
    readonly requestIds: RequestIds;
    readonly shared: SharedFiles | undefined;
    readonly catalogStore: OpenSearchStore | null;
  },
): LocalService {
  return openLocalService({
    catalogDir,
    dataDir: dataDir.path,
    imported: createImportedCatalog(store),
    ...(shared && { shared }),
    requestIds,
    clock,
    publicUrl,
    ...(catalogStore !== null && { elsewhere: catalogStore }),
    encoder: openEncoder(),
    onProblem: (err) =>
      log.warn({ err }, 'what is searched stays as it is for now: the index cannot be read, made or kept'),
  });
}

/** One line: who starts the host reads it, and can take them away at any time. */
function warnOfObsolete({ obsolete }: Config, log: HostLog['log']): void {
  if (obsolete.length === 0) return;
  log.warn(
    { settings: obsolete },
    `Remove ${obsolete.join(', ')} from the environment: meaning comes with the program, and no model is asked any more`,
  );
}

/** Somebody who tries things out on this machine may have a platform here, too. */
function openOutbound({ config, publicUrl, version }: PartsOptions) {
  const { hasDemo, host, port, privateAccess } = config;
  // The demo course is a platform of this very host; it is called over the port that was set, if one was.
  const own = hasDemo && port !== 0 ? { ownOrigin: findOwnOrigin(host, port) } : {};
  return createOutbound({ ...own, allowLoopback: isLoopback(publicUrl), privateAccess, version });
}

async function prepareOwner(admins: Admins, password: string): Promise<void> {
  try {
    await admins.prepareOwner(password);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'FORM_INVALID')) throw error;
    const problems = error.problems.map(({ problem }) => ({ path: 'ADMIN_PASSWORD', problem }));
    throw new AppError('CONFIG_INVALID', 'This password cannot be used. Set another one and start again.', {
      problems,
    });
  }
}

/** Loaded only where it is used. */
async function openOidc({ oidc }: Config): Promise<Oidc | null> {
  if (oidc === undefined) return null;
  const { createOidc } = await import('#adapters/oidc/oidc');
  return createOidc(oidc);
}
