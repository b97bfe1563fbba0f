import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOutbound } from '../../src/adapters/remote/outbound.ts';
import type { SecretKeys } from '../../src/compose/secret-keys.ts';
import { createServices, type Services } from '../../src/compose/services.ts';
import type { Actor } from '../../src/domain/admin.ts';
import { apiKeyScopes, DEFAULT_TENANT } from '../../src/domain/tenant.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { ShelfOwner, Store } from '../../src/ports/store/store.ts';
import type { Pictures } from '../../src/services/catalogue/pictures/pictures.ts';
import type { SecretKeyList } from '../../src/services/host/keyring.ts';
import type { NewApiKey } from '../../src/services/tenants/api-keys.ts';
import { createStandingClock } from '../fakes/clock.ts';
import { createFakeLearningService, type FakeLearningService, fullObject } from '../fakes/learning-service.ts';
import { createFakeObjectCatalog } from '../fakes/object-catalog.ts';
import { createFakePictures } from '../fakes/pictures.ts';
import { createFakeUpstreams, type FakeUpstreams } from '../fakes/upstreams.ts';
import { createCheapPasswords } from './cheap-passwords.ts';
import { createKeyPairLender } from './key-pairs.ts';
import { loopbackAccess } from './private-access.ts';
import { openTestStore } from './test-store.ts';

export const DEMO_KEY = 'demo_0123456789';
export const SECRET = 'a secret of the tests, long enough';

export const tester: Actor = { kind: 'admin', id: 'ada', name: 'Ada', address: '192.0.2.7' };

export const anyApiKey: NewApiKey = {
  tenantId: DEFAULT_TENANT,
  name: 'Ada',
  scopes: apiKeyScopes,
  perSecond: 20,
  perDay: 50_000,
  expiresAt: null,
};

/** Erases all of a person, as *My data* does. */
export const eraseData = async ({ personData }: Pick<Services, 'personData'>, { tenantId, person }: ShelfOwner) =>
  personData.erasePerson(tester, await personData.identifyPerson({ tenantId, accounts: [person], emails: [] }));

export interface OpenedServices<C extends Clock> extends Services {
  readonly clock: C;
  /** The file of the embedded store, for another handle on it. */
  readonly file: string;
  readonly store: Store;
  /** Stands for our own engine. */
  readonly local: FakeLearningService;
  readonly fakeUpstreams: FakeUpstreams;
  /** Links only. */
  readonly pictures: Pictures;
  /** What went wrong in passing. */
  readonly problems: unknown[];
  close(): Promise<void>;
}

/** Opens an empty one, which may be in this file. */
export type OpenTestStore = (file: string) => Store | Promise<Store>;

/** The clock stands unless another is given. */
export function openServices(): Promise<OpenedServices<ReturnType<typeof createStandingClock>>>;
export function openServices<C extends Clock>(clock: C, openStore?: OpenTestStore): Promise<OpenedServices<C>>;
/** Every service on a real store of its own, an embedded one unless told, with the default
 *  tenant. */
export async function openServices(
  clock: Clock = createStandingClock(),
  openStore: OpenTestStore = openTestStore,
): Promise<OpenedServices<Clock>> {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
  const file = join(folder, 'skilldock.db');
  const store = await openStore(file);
  const local = createFakeLearningService();
  const fakeUpstreams = createFakeUpstreams();
  const problems: unknown[] = [];
  const outbound = createOutbound({ allowLoopback: false, privateAccess: loopbackAccess, version: '0' });
  const services = createServices({
    store,
    secretKeys: secretKeysOf(SECRET),
    local,
    catalog: createFakeObjectCatalog(),
    providerOf: async (url) => (url === fullObject.url ? 'youtube' : null),
    upstreams: fakeUpstreams,
    outbound,
    shareAnswers: false,
    makeKeyPair: createKeyPairLender(),
    passwords: createCheapPasswords(),
    demoKey: DEMO_KEY,
    publicUrl: 'https://skills.example.org',
    clock,
    onProblem: (error) => problems.push(error),
  });
  await services.tenants.prepare();
  return {
    ...services,
    clock,
    file,
    store,
    local,
    fakeUpstreams,
    pictures: createFakePictures(),
    problems,
    async close() {
      await outbound.close();
      await services.feedbackOutbox.close();
      await services.usage.close();
      await services.slackInstallations.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function secretKeysOf(...keys: SecretKeyList): SecretKeys {
  return { isInFile: false, read: () => keys };
}
