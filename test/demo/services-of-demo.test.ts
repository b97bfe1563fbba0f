import { afterAll, beforeAll, expect, test } from 'vitest';
import { claim } from '../../demo/platform/vocabulary.ts';
import { createLtiPlatforms } from '../../src/adapters/lti-platforms/lti-platforms.ts';
import { createOutbound } from '../../src/adapters/remote/outbound.ts';
import { noPrivateAccess } from '../../src/domain/private-hosts.ts';
import type { LtiRegistrationRecord } from '../../src/ports/store/store.ts';
import { chooseInDemo, readMessage } from './choose-in-demo.ts';
import { type RunningDemo, startDemo } from './start-demo.ts';

let demo: RunningDemo;
const outbound = createOutbound({ allowLoopback: true, privateAccess: noPrivateAccess, version: 'test' });
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(async () => {
  await outbound.close();
  await demo.close();
});

/** What the tool does with the services of a course that has a graded item. */
async function openServices() {
  await chooseInDemo(demo, [{ type: 'ltiResourceLink', title: 'Spread', lineItem: { scoreMaximum: 10 } }]);
  const id = /\/items\/(\d+)\?/.exec(await demo.page('?as=lea'))![1]!;
  const message = await readMessage(demo, `/launch/item/${id}?as=lea`);
  const { ltiRegistrations: registrations, clock } = demo.services;
  const registration = await registrations.findRegistrationOfClient(demo.url, message.aud as string);
  return {
    registration: registration as LtiRegistrationRecord,
    platforms: createLtiPlatforms({ registrations, outbound, clock }),
    lineItem: (message[claim.grading] as { lineitem: string }).lineitem,
    membershipsUrl: (message[claim.memberships] as { context_memberships_url: string }).context_memberships_url,
  };
}

test('the tool of the host passes its own check', async () => {
  const { platforms, registration } = await openServices();
  const checks = await platforms.check(registration);
  expect(checks.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
});

test('a score of the tool stands in the gradebook, for the instructor and for the learner', async () => {
  const { platforms, registration, lineItem } = await openServices();
  await platforms.submitScore(registration, { lineItem, userId: 'lea', points: 10, earnedAt: new Date() });
  for (const path of ['/gradebook', '/gradebook?as=lea']) {
    const text = await demo.page(path);
    expect(text).toContain('<span class="score">10 of 10</span>');
    expect(text).toContain('data-latest="Léa Martin, Spread: 10 of 10"');
  }
  const others = await demo.page('/gradebook?as=noah');
  expect(others).not.toContain('10 of 10<');
  expect(others).not.toContain('Léa');
});

test('the tool reads who takes part', async () => {
  const { platforms, registration, membershipsUrl } = await openServices();
  const members = await platforms.listMembers(registration, membershipsUrl);
  expect(members.map(({ name, isLearner }) => [name, isLearner])).toEqual([
    ['Inês Duarte', false],
    ['Léa Martin', true],
    ['Noah Weber', true],
    ['Amara Diallo', true],
  ]);
});
