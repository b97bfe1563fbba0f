import { randomUUID } from 'node:crypto';
import { type Launch, SCORE_SCOPE } from '../../../src/domain/lti/launch.ts';
import { DEFAULT_TENANT } from '../../../src/domain/tenant.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { LtiRegistrationRecord } from '../../../src/ports/store/store.ts';
import type { NewRegistration } from '../../../src/services/courses/lti-registrations/lti-registrations.ts';

export const anyPlatform: NewRegistration = {
  tenantId: DEFAULT_TENANT,
  origin: 'manual',
  deploymentIds: ['1'],
  issuer: 'https://lms.example.org',
  clientId: 'client-1',
  name: 'LMS',
  product: 'moodle',
  authorizationEndpoint: 'https://lms.example.org/auth',
  tokenEndpoint: 'https://lms.example.org/token',
  tokenAudience: null,
  jwksUri: 'https://lms.example.org/keys',
  acceptsNewDeployments: true,
};

const HOUR_MS = 3_600_000;

type Platform = Pick<LtiRegistrationRecord, 'id' | 'tenantId' | 'product' | 'issuer' | 'clientId'>;

/** A deep-linking launch of an instructor, unless told otherwise. */
export function makeLaunch(
  { id: registrationId, ...platform }: Platform,
  { clock, ...overrides }: Partial<Launch> & { readonly clock: Clock },
): Launch {
  const { tenantId, product, issuer, clientId } = platform;
  return {
    id: randomUUID(),
    registrationId,
    tenantId,
    product,
    issuer,
    clientId,
    deploymentId: '1',
    platformOrigin: 'https://lms.example.org',
    user: { id: 'teacher-1', name: 'Tess', email: null },
    role: 'instructor',
    mayChange: true,
    isAdministrator: false,
    locale: 'en',
    context: { id: 'course-1', label: 'PY1', title: 'Python' },
    custom: {},
    presentation: { target: 'iframe', returnUrl: null },
    resourceLink: null,
    deepLinking: {
      returnUrl: 'https://lms.example.org/return',
      acceptTypes: ['ltiResourceLink'],
      targets: ['iframe'],
      acceptMultiple: true,
      acceptLineItem: true,
      autoCreate: false,
      title: null,
      text: null,
      data: null,
    },
    grading: null,
    membershipsUrl: null,
    groupsUrl: null,
    launchedAt: clock.now(),
    expiresAt: new Date(clock.now().getTime() + 24 * HOUR_MS),
    ...overrides,
  };
}

export const linkLaunch = {
  deepLinking: null,
  resourceLink: { id: 'link-1', title: 'A link', description: null },
} as const satisfies Partial<Launch>;

/** Of a graded link. */
export const learnerLaunch = {
  ...linkLaunch,
  role: 'learner',
  user: { id: 'learner 1', name: 'Lea', email: null },
  grading: { scopes: [SCORE_SCOPE], lineItem: 'https://lms.example.org/items/1?type=2', lineItems: null },
} as const satisfies Partial<Launch>;
