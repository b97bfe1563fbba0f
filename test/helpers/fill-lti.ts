import { toRecordKey } from '../../src/domain/record-key.ts';
import type { Store } from '../../src/ports/store/store.ts';

/** How many records `fillLti` makes for one tenant. */
export const FILLED_LTI = {
  ltiRegistrations: 2,
  ltiDeployments: 2,
  placements: 2,
  ltiLinks: 2,
  activity: 2,
  scores: 2,
} as const;

const at = new Date('2026-02-28T12:34:56.789Z');
const later = new Date('2027-02-28T12:34:56.789Z');

/** A platform with everything, and one with as little as there can be. */
export async function fillLti(store: Store, tenantId: string): Promise<void> {
  await addRegistration(store, tenantId, false);
  await addRegistration(store, tenantId, true);
}

async function addRegistration(store: Store, tenantId: string, isBare: boolean): Promise<void> {
  const id = `${isBare ? 'bare' : 'full'}-${tenantId}`;
  await store.ltiRegistrations.addRegistration({
    id,
    tenantId,
    issuer: isBare ? 'https://blackboard.com' : 'https://moodle.example.org',
    clientId: `client of ${tenantId}`,
    name: `École “日本” ${id}`,
    product: isBare ? 'blackboard' : 'moodle',
    authorizationEndpoint: 'https://moodle.example.org/auth',
    tokenEndpoint: 'https://moodle.example.org/token?a=1',
    tokenAudience: isBare ? null : 'https://moodle.example.org',
    jwksUri: 'https://moodle.example.org/keys',
    acceptsNewDeployments: !isBare,
    status: isBare ? 'inactive' : 'active',
    origin: isBare ? 'manual' : 'dynamic',
    keyId: `key of ${id}`,
    publicKey: { kty: 'RSA', n: 'n', e: 'AQAB' },
    createdAt: at,
    updatedAt: later,
    version: 2,
  });
  const deployment = { registrationId: id, deploymentId: '1 a', tenantId, firstSeenAt: at };
  await store.ltiRegistrations.addDeployment(deployment);
  await addPlacement(store, deployment, isBare);
}

type Deployment = Parameters<Store['ltiRegistrations']['addDeployment']>[0];

async function addPlacement(store: Store, deployment: Deployment, isBare: boolean): Promise<void> {
  const { registrationId, deploymentId, tenantId } = deployment;
  const placed = { tenantId, registrationId, contextId: isBare ? null : 'course' };
  const placementId = `placement of ${registrationId}`;
  await store.placements.addPlacements([
    {
      ...placed,
      id: placementId,
      person: `lti:${registrationId}:ada`,
      object: { title: 'É', url: 'https://example.org/é', bloom: [], type: [], publisher: [], author: [] },
      address: 'example.org/é',
      requestId: isBare ? null : 'r',
      title: 'É'.repeat(255),
      completion: isBare ? 'viewed' : 'marked',
      points: isBare ? null : 100,
      placedAt: at,
    },
  ]);
  const linkId = `link-of-${registrationId}`;
  const link = { id: linkId, deploymentId, resourceLinkId: '7', placementId, firstOpenedAt: at };
  const item = isBare
    ? { copiedFrom: '', chosenId: null, title: null }
    : { copiedFrom: null, chosenId: placementId, title: 'École' };
  await store.placements.openLink({ ...placed, ...link, ...item });
  await addCompletion(store, { tenantId, linkId, registrationId, placementId }, isBare);
}

interface Opened {
  readonly tenantId: string;
  readonly linkId: string;
  readonly registrationId: string;
  readonly placementId: string;
}

async function addCompletion(store: Store, opened: Opened, isBare: boolean): Promise<void> {
  const { tenantId, linkId, registrationId, placementId } = opened;
  const key = { tenantId, linkId, userId: 'Ève “日本”' };
  await store.activity.noteOpened(key, at);
  if (!isBare) {
    await store.activity.noteCompleted(key, later);
    await store.activity.noteVerdict(key, 'broken', placementId);
  }
  await store.scores.putScore({
    ...key,
    id: toRecordKey([linkId, key.userId]),
    registrationId,
    newLineItem: isBare
      ? null
      : {
          container: 'https://moodle.example.org/items',
          resourceLinkId: '7',
          resourceId: 'a',
          label: 'École',
        },
    lineItem: 'https://moodle.example.org/lineitems/1?type_id=2',
    points: 100,
    earnedAt: at,
    state: isBare ? 'delivered' : 'parked',
    attempts: 14,
    failures: 14,
    dueAt: later,
    leasedUntil: isBare ? null : later,
    lastError: isBare ? null : 'unreachable',
  });
}
