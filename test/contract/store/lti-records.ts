import type { Placement } from '../../../src/domain/lti/placement.ts';
import type {
  ActivityKey,
  LtiDeploymentRecord,
  LtiLinkRecord,
  LtiRegistrationRecord,
  ScoreRecord,
} from '../../../src/ports/store/store.ts';
import { at } from './records.ts';

export const registration = (id: string, changes: Partial<LtiRegistrationRecord> = {}): LtiRegistrationRecord => ({
  id,
  tenantId: 'lyon',
  issuer: 'https://moodle.example.org',
  clientId: `client of ${id}`,
  name: `Moodle ${id}`,
  product: 'moodle',
  authorizationEndpoint: 'https://moodle.example.org/mod/lti/auth.php',
  tokenEndpoint: 'https://moodle.example.org/mod/lti/token.php',
  tokenAudience: null,
  jwksUri: 'https://moodle.example.org/mod/lti/certs.php',
  acceptsNewDeployments: true,
  status: 'active',
  origin: 'dynamic',
  keyId: `key of ${id}`,
  publicKey: { kty: 'RSA', n: `n of ${id}`, e: 'AQAB' },
  createdAt: at(0),
  updatedAt: at(1),
  version: 1,
  ...changes,
});

export const deployment = (
  registrationId: string,
  deploymentId: string,
  changes: Partial<LtiDeploymentRecord> = {},
): LtiDeploymentRecord => ({
  registrationId,
  deploymentId,
  tenantId: 'lyon',
  firstSeenAt: at(0),
  ...changes,
});

export const placement = (id: string, changes: Partial<Placement> = {}): Placement => ({
  id,
  tenantId: 'lyon',
  registrationId: 'moodle',
  contextId: 'course',
  person: 'lti:moodle:ada',
  object: {
    title: 'Title',
    url: `https://example.org/${id}`,
    bloom: [],
    type: ['video'],
    publisher: [],
    author: [],
  },
  address: `example.org/${id}`,
  requestId: 'request',
  title: `Called ${id}`,
  completion: 'marked',
  points: 10,
  placedAt: at(0),
  ...changes,
});

export const link = (id: string, changes: Partial<LtiLinkRecord> = {}): LtiLinkRecord => ({
  id,
  tenantId: 'lyon',
  registrationId: 'moodle',
  deploymentId: '1',
  contextId: 'course',
  resourceLinkId: `resource link of ${id}`,
  copiedFrom: null,
  chosenId: 'chosen',
  title: `Link ${id}`,
  placementId: 'a',
  firstOpenedAt: at(0),
  ...changes,
});

export const activityOf = (
  userId: string,
  { tenantId = 'lyon', linkId = 'link' }: Partial<ActivityKey> = {},
): ActivityKey => ({ tenantId, linkId, userId });

export const score = (id: string, changes: Partial<ScoreRecord> = {}): ScoreRecord => ({
  id,
  tenantId: 'lyon',
  registrationId: 'moodle',
  linkId: 'link',
  userId: 'ada',
  lineItem: 'https://moodle.example.org/mod/lti/services.php/2/lineitems/3/lineitem?type_id=1',
  newLineItem: null,
  points: 10,
  earnedAt: at(0),
  state: 'waiting',
  attempts: 0,
  failures: 0,
  dueAt: at(0),
  leasedUntil: null,
  lastError: null,
  ...changes,
});
