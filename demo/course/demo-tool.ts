import { randomBytes } from 'node:crypto';
import { systemActor } from '#domain/admin';
import type { PlatformDetails } from '#domain/lti/registration';
import type { DemoDeps } from '#load-demo';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { paths } from '../platform/lti-platform.ts';
import type { Tool } from '../platform/model.ts';
import { allScopes } from '../platform/vocabulary.ts';
import type { DemoAddresses } from './addresses.ts';

/** The tool of this host as the course site has it. */
export interface DemoTool {
  /** Made where there is none: a tenant of its own, and a registration in it. */
  ensure(): Promise<Tool>;
  /** Of the tool's tenant, made with it where there is none. */
  ensureTenant(): Promise<string>;
  /** Makes another one; the former tenant is removed with all that it had. Simultaneous callers get
   *  the same one. */
  renew(): Promise<Tool>;
}

export interface DemoToolDeps extends Pick<DemoDeps, 'tenants' | 'registrations' | 'publicUrl' | 'onProblem'> {
  readonly addresses: DemoAddresses;
}

const NAME = 'Demo course';
const CLIENT_PREFIX = 'demo-';
const DEPLOYMENT_ID = '1';
const MAX_REGISTRATIONS = 100;

export function createDemoTool(deps: DemoToolDeps): DemoTool {
  const { tenants, registrations, addresses, onProblem } = deps;

  function detailsOf(clientId: string): PlatformDetails {
    const { browserUrl, serviceUrl } = addresses;
    return {
      issuer: browserUrl,
      clientId,
      name: NAME,
      product: 'generic',
      authorizationEndpoint: `${browserUrl}/lti${paths.authorization}`,
      tokenEndpoint: `${serviceUrl}/lti${paths.token}`,
      tokenAudience: null,
      jwksUri: `${serviceUrl}/lti${paths.keys}`,
      acceptsNewDeployments: false,
    };
  }

  /** Those that were made before, by this process or an earlier one, wherever it was reached. */
  async function listOwn(): Promise<readonly LtiRegistrationRecord[]> {
    const { items } = await registrations.listRegistrations({
      scope: null,
      search: CLIENT_PREFIX,
      sort: 'createdAt',
      descending: true,
      page: 0,
      pageSize: MAX_REGISTRATIONS,
    });
    return items.filter(({ origin }) => origin === 'demo');
  }

  async function create(): Promise<LtiRegistrationRecord> {
    const { id: tenantId } = await tenants.createTenant(systemActor, NAME);
    const clientId = CLIENT_PREFIX + randomBytes(6).toString('hex');
    const details = {
      ...detailsOf(clientId),
      tenantId,
      origin: 'demo',
      deploymentIds: [DEPLOYMENT_ID],
    } as const;
    return registrations.create(systemActor, details);
  }

  /** The host may have been started at another address since. */
  async function adapt(record: LtiRegistrationRecord): Promise<LtiRegistrationRecord> {
    return registrations.change(systemActor, record.id, record.version, detailsOf(record.clientId));
  }

  async function renewNow(): Promise<Tool> {
    const before = await listOwn();
    const tool = toTool(deps, await create());
    // What cannot be removed now is found again next time.
    for (const { tenantId } of before) await tenants.deleteTenant(systemActor, tenantId).catch(onProblem);
    return tool;
  }

  const oneByOne = createQueue();
  let renewing: Promise<Tool> | undefined;
  return {
    ensure: () =>
      oneByOne(async () => {
        const [latest] = await listOwn();
        return toTool(deps, latest === undefined ? await create() : await adapt(latest));
      }),
    ensureTenant: () =>
      oneByOne(async () => {
        const [latest] = await listOwn();
        return (latest ?? (await create())).tenantId;
      }),
    renew() {
      renewing ??= oneByOne(renewNow).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}

function toTool({ publicUrl, addresses }: DemoToolDeps, { clientId }: LtiRegistrationRecord): Tool {
  const launchUrl = `${publicUrl}/lti/launch`;
  return {
    clientId,
    deploymentId: DEPLOYMENT_ID,
    name: 'Skilldock',
    initiateLoginUri: `${publicUrl}/lti/login`,
    targetLinkUri: launchUrl,
    redirectUris: [launchUrl],
    jwksUri: `${addresses.toolServiceUrl}/lti/keys`,
    scopes: allScopes,
  };
}

/** Works on one thing after another, so that two people who come at once do not make two of
 *  everything. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work);
    last = done.catch(() => {});
    return done;
  };
}
