import type { NewRegistration } from '../../../src/services/courses/lti-registrations/lti-registrations.ts';

/** A platform that nobody calls. */
export const anyPlatform = {
  tenantId: 'lyon',
  origin: 'manual',
  name: 'Moodle of Lyon',
  product: 'moodle',
  issuer: 'https://moodle.example.edu',
  clientId: 'skilldock-at-lyon',
  authorizationEndpoint: 'https://moodle.example.edu/mod/lti/auth.php',
  tokenEndpoint: 'https://moodle.example.edu/mod/lti/token.php',
  tokenAudience: null,
  jwksUri: 'https://moodle.example.edu/mod/lti/certs.php',
  acceptsNewDeployments: true,
  deploymentIds: ['1'],
} as const satisfies NewRegistration;
