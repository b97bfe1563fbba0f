import { openLocalService } from '#adapters/local/open-local-service';
import { createRequestIds } from '#adapters/local/request-ids';
import { createLtiPlatforms } from '#adapters/lti-platforms/lti-platforms';
import { openEncoder } from '#adapters/meaning/static-encoder';
import { createBackupFolder } from '#adapters/store/sqlite/backup-folder';
import type { Config } from '#config';
import { AppError, hasErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import type { LtiPlatforms } from '#ports/lti-platforms';
import { createHarvest } from '#services/catalogue/harvest';
import { createImportedCatalog } from '#services/catalogue/imported-catalog';
import { rememberImportChoices } from '#services/catalogue/imports/imports';
import { createImportRepeats } from '#services/catalogue/imports/repeats';
import { createUploadedImports } from '#services/catalogue/imports/uploaded-imports';
import { createPlacedChecks } from '#services/catalogue/link-checks/link-checks';
import { createPageReader } from '#services/catalogue/objects/page-reader';
import { makeSigningKeyPair } from '#services/courses/lti-registrations/signing-keys';
import { createBackups } from '#services/host/backups';
import { createRetention } from '#services/people/retention';
import type { Admins } from '#services/tenants/admins/admins';
import { describeEndingApiKeys } from '#services/tenants/api-keys';
import {
  openOidc,
  openOutbound,
  openPictures,
  openTracing,
  openUpstreams,
  traceLearning,
  traceStore,
} from './connections.ts';
import { createIsolatedSources } from './import-sources.ts';
import { catalogDir, openCatalogStore, openLinkTools, readImportOutbound } from './imports.ts';
import { createLog, type HostLog } from './log.ts';
import { giveUpLostSecrets, openData } from './open-data.ts';
import { findStoreFile, openSharedFiles } from './open-store.ts';
import { readInitialUpstream } from './record-services.ts';
import { createServices, type Services } from './services.ts';

export interface PartsOptions {
  readonly config: Config;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly version: string;
  readonly clock: Clock;
  /** Aborted when the host is to stop before it is open. */
  readonly signal?: AbortSignal;
  /** Whether to start although the store or secrets are lost; false by default. */
  readonly allowLostSecrets?: boolean;
  /** Whether a host may run on the same folder: the only background work is to follow imports. */
  readonly isBeside?: boolean;
  /** Called before the index is built, which takes some seconds. */
  onIndexing?(): void;
}

export type Parts = Awaited<ReturnType<typeof openParts>>;

/** Opens the adapters and services of a host: data and tracing, the engine (up to date with all
 *  imports), connections, services, background work, and the records of a first start. Then the
 *  background work starts. Where a step fails, everything that is open is closed.
 *  Errors: CONFIG_INVALID (also for an ADMIN_PASSWORD that is easy to guess), CATALOG_INVALID, and
 *  those of `openData`. */
export async function openParts(options: PartsOptions) {
  const { log, mask, flush } = createLog(options.config);
  const onProblem = (err: unknown) => log.warn({ err }, 'an operation failed; the server continues');
  const open: Closable[] = [];
  const closeLater = <T extends Closable | null>(part: T): T => {
    if (part !== null) open.push(part);
    return part;
  };
  const closeParts = async () => {
    // A part that cannot be closed does not keep the others open.
    for (const part of open.toReversed()) await part.close().catch(onProblem);
    flush();
  };
  const opening = { ...options, log, mask, onProblem, closeLater };
  warnOfUselessSettings(options.config, log);
  try {
    const data = await openKeptData(opening);
    const engine = await openEngine(opening, data);
    const connections = await openConnections(opening, data);
    const services = openServices(opening, { ...data, ...engine, ...connections });
    const platforms = createLtiPlatforms({
      registrations: services.ltiRegistrations,
      outbound: connections.outbound,
      clock: options.clock,
    });
    const harvest = closeLater(openHarvest(opening, { ...data, ...engine, ...connections, services }));
    const parts = { ...data, ...engine, ...connections, services, platforms, harvest };
    const { uploadedImports, backups, background } = createBackgroundWork(opening, parts);
    await prepareRecords(opening, services);
    for (const work of options.isBeside ? [engine.local.updates] : [...background, harvest]) work.start();
    return {
      ...parts,
      log,
      uploadedImports,
      backups,
      readObjectPage: createPageReader(connections.importSources),
      onProblem,
      /** Rejects while a load balancer should send requests to other hosts. */
      async isReady(): Promise<void> {
        await parts.store.check();
        // Other hosts have imports that this one does not search yet.
        if (parts.shared !== undefined && !parts.local.updates.hasCaughtUp)
          throw new Error('the index has not caught up with the imports yet');
      },
      /** Ends the work that no request waits for. */
      async endBackgroundWork(): Promise<void> {
        // Running imports may take longer than requests, and the next host continues them.
        const ending = [...background, services.imports];
        await Promise.all(ending.map((work) => work.close().catch(onProblem)));
      },
      close: closeParts,
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

function warnOfUselessSettings({ obsolete, hasIgnoredBackups }: Config, log: HostLog['log']): void {
  if (hasIgnoredBackups)
    log.warn('BACKUP_DIR has no effect with MONGODB_URI: back MongoDB up with mongodump, or snapshots of its disk');
  if (obsolete.length === 0) return;
  const names = obsolete.join(', ');
  const why = 'semantic search is built in, so these settings have no effect';
  log.warn({ settings: obsolete }, `Remove ${names} from the environment: ${why}`);
}

type Closable = { close(): Promise<void> };

interface Opening extends PartsOptions, Pick<HostLog, 'log' | 'mask'> {
  onProblem(error: unknown): void;
  /** Closes the part when the host closes, after everything that was opened later. */
  closeLater<T extends Closable | null>(part: T): T;
}

type KeptData = Awaited<ReturnType<typeof openKeptData>>;

async function openKeptData(opening: Opening) {
  const { config, version, clock, allowLostSecrets = false, isBeside = false } = opening;
  const { mask, onProblem, closeLater } = opening;
  const tracing = closeLater(await openTracing(config, { version, onProblem }));
  const data = closeLater(await openData({ config, clock, allowLostSecrets, isBeside, onProblem }));
  const { dataDir, secretKeys, demoKey, uploads } = data;
  const [current, ...previous] = secretKeys.read();
  for (const key of [current, ...previous]) mask.hide(key);
  const store = traceStore(tracing, data.store);
  const { shared } = openSharedFiles(config, { store, clock, onProblem });
  return {
    tracing,
    dataDir,
    store,
    imported: createImportedCatalog({ imports: store.imports, linkChecks: store.linkChecks }),
    shared,
    secretKeys,
    secrets: [Buffer.from(current), ...previous.map((key) => Buffer.from(key))] as const,
    demoKey,
    uploads,
  };
}

type Engine = Awaited<ReturnType<typeof openEngine>>;

/** Waits until the engine has caught up with the imports in the store, or `signal` is aborted. */
async function openEngine(opening: Opening, { dataDir, imported, shared, secrets }: KeptData) {
  const { config, clock, publicUrl, log, closeLater } = opening;
  const [secret, ...previous] = secrets;
  const catalogStore = closeLater(await openCatalogStore(config));
  const local = closeLater(
    openLocalService({
      catalogDir,
      dataDir: dataDir.path,
      imported,
      ...(shared && { shared }),
      requestIds: createRequestIds(secret, clock, previous),
      clock,
      publicUrl,
      ...(catalogStore !== null && { external: catalogStore }),
      encoder: openEncoder(),
      ...(opening.onIndexing && { onIndexing: opening.onIndexing }),
      onProblem: (err) =>
        log.warn({ err }, 'searches use the former index: the new one cannot be read, built or stored'),
    }),
  );
  await local.updates.catchUp(opening.signal);
  return { catalogStore, local };
}

type Connections = Awaited<ReturnType<typeof openConnections>>;

async function openConnections(opening: Opening, { tracing, dataDir, store, imported, secrets }: KeptData) {
  const { config, clock, mask, publicUrl, version, onProblem, closeLater } = opening;
  const outbound = closeLater(openOutbound(opening));
  const folder = dataDir.file('pictures');
  const { linkChecks } = store;
  return {
    upstreams: closeLater(openUpstreams(config, { clock, mask, tracing })),
    outbound: tracing?.trace('outbound', outbound) ?? outbound,
    pictures: closeLater(openPictures({ config, folder, secrets, publicUrl, version, linkChecks, clock, onProblem })),
    importSources: rememberImportChoices(
      closeLater(createIsolatedSources(readImportOutbound(config, version))),
      store.imports,
    ),
    linkTools: closeLater(openLinkTools({ config, imported, version })),
    oidc: await openOidc(config),
  };
}

function openServices(opening: Opening, parts: KeptData & Engine & Connections): Services {
  const { config, publicUrl, clock, onProblem, closeLater } = opening;
  const { tracing, store, secretKeys, demoKey, local, upstreams, outbound } = parts;
  const services = createServices({
    store,
    secretKeys,
    local: traceLearning(tracing, 'engine', local.learning),
    catalog: local.catalog,
    providerOf: local.providerOf,
    upstreams,
    outbound,
    shareAnswers: config.shareAnswers,
    backupDays: config.backups?.keptDays ?? null,
    makeKeyPair: makeSigningKeyPair,
    roleMapping: config.oidc?.roles,
    demoKey,
    publicUrl,
    slackApp: config.slack.app,
    slackApiOrigin: new URL(config.slack.apiUrl).origin,
    clock,
    onProblem,
  });
  for (const part of [services.usage, services.imports, services.slackInstallations]) closeLater(part);
  return services;
}

function openHarvest(
  { clock, version, onProblem }: Opening,
  { store, local, linkTools, services }: KeptData & Engine & Connections & { readonly services: Services },
) {
  return createHarvest({
    harvest: store.harvest,
    catalog: local.catalog,
    layers: services.layers,
    catalogVersion: () => `${version} ${local.sizes.objects} ${local.imported}`,
    listAddresses: linkTools.listAddresses,
    clock,
    onProblem,
  });
}

function createBackgroundWork(
  { config, clock, log, onProblem, closeLater }: Opening,
  parts: KeptData & Engine & Connections & { readonly services: Services; readonly platforms: LtiPlatforms },
) {
  const { services, store, local, uploads, shared, importSources: sources, linkTools: tools, platforms } = parts;
  const { linkChecks, imports: runs } = services;
  const { apiKeys, nonces, rateCounters, imports } = store;
  async function logSweep(counts: Readonly<Record<string, number>>): Promise<void> {
    if (Object.keys(counts).length > 0) log.info({ counts }, 'outdated records removed');
    const keys = await describeEndingApiKeys(apiKeys, clock.now());
    if (keys.length > 0) log.warn({ keys }, 'API keys end soon: replace them');
  }
  const uploadedImports = createUploadedImports({
    runs,
    sources,
    uploads,
    shared,
    rateCounters,
    clock,
    onProblem,
  });
  const sweeping = { ...store, keptDays: config.keptDays, audit: services.audit, clock, onProblem };
  const backups =
    config.backups === null
      ? null
      : createBackups({
          ...config.backups,
          clock,
          onProblem,
          folder: createBackupFolder(config.backups.folder, findStoreFile(parts.dataDir)),
        });
  const placedChecks = createPlacedChecks({ linkChecks, nonces, tools, clock, onProblem });
  const background: readonly (Closable & { start(): void })[] = [
    createRetention({ ...sweeping, onSwept: logSweep }),
    ...(backups === null ? [] : [backups]),
    services.feedbackOutbox,
    services.createScoreOutbox(platforms),
    services.insight,
    local.updates,
    uploads,
    uploadedImports,
    createImportRepeats({ imports, runs, sources, nonces, clock, onProblem }),
    ...(config.checksLinks ? [placedChecks] : []),
  ];
  for (const work of background) closeLater(work);
  return { uploadedImports, backups, background };
}

/** Creates what a first start needs: the default tenant and, where a password is set, an owner. */
async function prepareRecords(opening: Opening, services: Services): Promise<void> {
  const { config, allowLostSecrets = false, isBeside = false, log } = opening;
  const { tenants, admins } = services;
  if (allowLostSecrets) await giveUpLostSecrets(services);
  const upstream = readInitialUpstream(config);
  await (isBeside ? tenants.prepareDefault(upstream) : tenants.prepare(upstream));
  if (config.adminPassword !== undefined) await prepareFirstOwner(admins, config.adminPassword);
  const missingTenants = await admins.findUnknownRuleTenants();
  if (missingTenants.length > 0) log.warn({ tenants: missingTenants }, 'OIDC_ROLES names tenants that do not exist');
}

async function prepareFirstOwner(admins: Admins, password: string): Promise<void> {
  try {
    await admins.prepareOwner(password);
  } catch (error) {
    if (!hasErrorCode(error, 'FORM_INVALID')) throw error;
    const problems = error.problems.map(({ problem }) => ({ path: 'ADMIN_PASSWORD', problem }));
    throw new AppError('CONFIG_INVALID', 'This password cannot be used. Set another one and start again.', {
      problems,
    });
  }
}
