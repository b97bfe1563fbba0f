import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LaunchRole } from '../../../../src/domain/lti/launch.ts';
import type { ErrorCode } from '../../../../src/errors.ts';
import { claimNames } from '../../../../src/faces/lti/protocol/claims.ts';
import type { LaunchWish } from '../../../fakes/lti-platform.ts';
import { codeOf, type RunningProtocol, startProtocol } from './start-protocol.ts';

/** The launches of the LTI Advantage Conformance Certification Guide, 6.1, under the names that
 *  they have there. https://www.imsglobal.org/spec/lti/v1p3/cert/#lti-core-testing */

type Claims = Record<string, unknown>;
type Forgery = NonNullable<LaunchWish['forgery']>;

let running: RunningProtocol;
beforeAll(async () => {
  running = await startProtocol();
  running.platform.addLink({ id: 'link' });
});
afterAll(() => running.close());

const claiming = (claims: Claims): Forgery => ({ claims: (signed) => ({ ...signed, ...claims }) });
const seconds = (fromNow: number) => Math.floor(Date.now() / 1_000) + fromNow;

describe('known bad payloads', () => {
  test.each<[name: string, code: ErrorCode, forgery: Forgery]>([
    ['No KID Sent in JWT header', 'LTI_KEY_UNKNOWN', { header: { kid: undefined } }],
    ['Incorrect KID in JWT header', 'LTI_KEY_UNKNOWN', { header: { kid: 'imstester_66067' } }],
    ['Wrong LTI Version', 'LTI_VERSION_WRONG', claiming({ [claimNames.version]: '11.3' })],
    ['No LTI Version', 'LTI_VERSION_WRONG', claiming({ [claimNames.version]: undefined })],
    ['Invalid LTI message', 'LTI_ISSUER_WRONG', { claims: () => ({ name: 'badltilaunch' }) }],
    [
      'Missing LTI Claims',
      'LTI_VERSION_WRONG',
      { claims: (signed) => omitWhere(signed, (name) => name.startsWith('https://purl.imsglobal.org/')) },
    ],
    ['Timestamps Incorrect', 'LTI_TOKEN_EXPIRED', claiming({ iat: 11_111, exp: 22_222 })],
    ['message_type Claim Missing', 'LTI_MESSAGE_UNKNOWN', claiming({ [claimNames.messageType]: undefined })],
    ['role Claim Missing', 'LTI_CLAIMS_INVALID', claiming({ [claimNames.roles]: undefined })],
    ['deployment_id Claim Missing', 'LTI_CLAIMS_INVALID', claiming({ [claimNames.deploymentId]: undefined })],
    ['resource_link_id Claim Missing', 'LTI_CLAIMS_INVALID', claiming({ [claimNames.resourceLink]: undefined })],
    ['user Claim Missing', 'LTI_USER_MISSING', claiming({ sub: undefined })],
  ])('%s', async (_, code, forgery) => {
    const { response } = await running.platform.launch({ link: 'link', forgery });
    expect([await codeOf(response), response.status >= 400]).toEqual([code, true]);
  });

  test('Timestamps Incorrect: times in the future, and words', async () => {
    for (const [times, code] of [
      [{ iat: seconds(9_000), exp: seconds(9_060) }, 'LTI_TOKEN_EARLY'],
      [{ iat: 'today', exp: 'tomorrow' }, 'LTI_CLAIMS_INVALID'],
    ] as const) {
      const { response } = await running.platform.launch({ link: 'link', forgery: claiming(times) });
      expect(await codeOf(response)).toBe(code);
    }
  });
});

const LIS = 'http://purl.imsglobal.org/vocab/lis/v2';
const names = ['name', 'given_name', 'family_name'];

/** What a launch has of the guide's variants, for who has this role. */
const variantsOf = (
  person: 'Instructor' | 'Learner',
  more: string,
): [name: string, change: Forgery, role?: 'other'][] => [
  ['Launch', claiming({})],
  [
    'Launch with Roles',
    claiming({ [claimNames.roles]: [`${LIS}/membership#${person}`, `${LIS}/institution/person#${more}`] }),
  ],
  ['Launch Short Role', claiming({ [claimNames.roles]: [person] })],
  ['Launch Unknown Role', claiming({ [claimNames.roles]: [`${LIS}/uknownrole/unknown#Helper`] }), 'other'],
  ['Launch No Role', claiming({ [claimNames.roles]: [] }), 'other'],
  ['Launch Email Only', { claims: (signed) => omitWhere(signed, (name) => names.includes(name)) }],
  ['Launch Names Only', claiming({ email: undefined })],
  ['No PII', { claims: (signed) => omitWhere(signed, (name) => [...names, 'email'].includes(name)) }],
  [
    'Email Without Context',
    {
      claims: (signed) => omitWhere(signed, (name) => [...names, claimNames.context].includes(name)),
    },
  ],
];

describe.each<[title: string, id: string, expected: LaunchRole, ReturnType<typeof variantsOf>]>([
  ['Valid Instructor', 'ines', 'instructor', variantsOf('Instructor', 'Faculty')],
  ['Valid Student', 'lea', 'learner', variantsOf('Learner', 'Student')],
])('%s', (_, person, expected, variants) => {
  test.each(variants)('%s', async (_name, forgery, role) => {
    const { response, location } = await running.platform.launch({ link: 'link', person, forgery });
    expect(response.status, await codeOf(response)).toBe(303);
    const { launches } = running.lti.deps;
    const kept = await launches.getLaunch(location!.searchParams.get('launch')!, 'resource-link');
    expect(kept).toMatchObject({ role: role ?? expected, user: { id: person } });
    expect((await fetch(location!)).status).toBe(200);
  });
});

function omitWhere(claims: Claims, isOmitted: (name: string) => boolean): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !isOmitted(name)));
}
