import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimNames, readClaims } from '../../../../src/faces/lti/protocol/claims.ts';
import { toLaunch } from '../../../../src/faces/lti/protocol/launch.ts';
import type { LtiRegistrationRecord } from '../../../../src/ports/store/store.ts';
import { anyPlatform } from '../../../services/courses/launch-samples.ts';

const registration = {
  ...anyPlatform,
  id: 'r1',
  tenantId: 'default',
  product: 'generic',
} as never as LtiRegistrationRecord;

const required = {
  sub: 'u1',
  [claimNames.version]: '1.3.0',
  [claimNames.deploymentId]: 'd1',
  [claimNames.roles]: 'http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor',
};
const messages: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  LtiResourceLinkRequest: {
    ...required,
    [claimNames.messageType]: 'LtiResourceLinkRequest',
    [claimNames.targetLinkUri]: 'https://tool.example/lti/launch',
    [claimNames.resourceLink]: { id: 'l1' },
  },
  LtiDeepLinkingRequest: {
    ...required,
    [claimNames.messageType]: 'LtiDeepLinkingRequest',
    [claimNames.deepLinking]: {
      deep_link_return_url: 'https://lms.example/return',
      accept_types: ['ltiResourceLink'],
    },
  },
};

/** Each with the claims within it that may be absent. */
const optional: Readonly<Record<string, readonly string[]>> = {
  name: [],
  given_name: [],
  family_name: [],
  email: [],
  locale: [],
  azp: [],
  nbf: [],
  [claimNames.context]: ['label', 'title', 'type'],
  [claimNames.custom]: ['placement', 'other'],
  [claimNames.presentation]: ['locale', 'document_target', 'return_url'],
  [claimNames.platform]: ['product_family_code', 'guid', 'name'],
  [claimNames.grading]: ['scope', 'lineitem', 'lineitems'],
  [claimNames.memberships]: ['context_memberships_url', 'service_versions'],
  [claimNames.groups]: ['context_groups_url', 'scope', 'service_versions'],
  [claimNames.notices]: ['platform_notification_service_url', 'notice_types_supported'],
};
const optionalWithin: Readonly<Record<string, readonly string[]>> = {
  [claimNames.resourceLink]: ['title', 'description'],
  [claimNames.deepLinking]: [
    ...['accept_presentation_document_targets', 'accept_media_types', 'accept_multiple', 'accept_lineitem'],
    ...['auto_create', 'title', 'text', 'data'],
  ],
};

const anything = fc.oneof(
  fc.constantFrom(null, undefined, '', [], {}, 0, 7, -1.5, true, false, 'text', [null], ['a', 3], {
    a: null,
  }),
  fc.string(),
  fc.jsonValue({ maxDepth: 2 }),
);
const anyOf = (names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, anything])), { requiredKeys: [] });
const anyClaims = fc.record(
  Object.fromEntries(Object.entries(optional).map(([name, within]) => [name, fc.oneof(anything, anyOf(within))])),
  { requiredKeys: [] },
);

describe.each(Object.entries(messages))('an %s', (_, message) => {
  test('is not refused for any claim that may be absent', () => {
    const parts = Object.keys(message).filter((name) => name in optionalWithin);
    const within = fc.tuple(...parts.map((name) => anyOf(optionalWithin[name]!)));
    fc.assert(
      fc.property(anyClaims, within, (claims, values) => {
        const filled = Object.fromEntries(
          parts.map((name, index) => [name, { ...(message[name] as object), ...values[index] }]),
        );
        // As it arrives.
        const sent = JSON.parse(JSON.stringify({ ...claims, ...message, ...filled }));
        const launch = toLaunch(readClaims(sent), registration, new Date(0));
        expect(launch).toMatchObject({ deploymentId: 'd1', user: { id: 'u1' } });
        if (launch.deepLinking !== null)
          expect(launch.deepLinking.data).toEqual(sent[claimNames.deepLinking].data ?? null);
      }),
    );
  });
});
