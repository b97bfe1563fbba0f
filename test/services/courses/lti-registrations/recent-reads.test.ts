import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createLtiRegistrations,
  type LtiRegistrations,
} from '../../../../src/services/courses/lti-registrations/lti-registrations.ts';
import { withRecentReads } from '../../../../src/services/courses/lti-registrations/recent-reads.ts';
import { anyRegistration } from '../../../faces/lti/start-lti.ts';
import type { StandingClock } from '../../../fakes/clock.ts';
import { createKeyPairLender } from '../../../helpers/key-pairs.ts';
import { type OpenedServices, openServices, tester } from '../../../helpers/open-services.ts';

let services: OpenedServices<StandingClock>;
let id: string;
/** Two hosts on one store; what either asks the store is counted. */
let plain: LtiRegistrations;
let one: LtiRegistrations;
let other: LtiRegistrations;
let asked: () => number;
/** Of a clock that only runs on. */
let nowMs = 1;

beforeEach(async () => {
  services = await openServices();
  plain = withoutMemory();
  const find = vi.spyOn(services.store.ltiRegistrations, 'findRegistration');
  asked = () => find.mock.calls.length;
  one = withRecentReads(plain, () => nowMs);
  other = withRecentReads({ ...plain }, () => nowMs);
  ({ id } = await one.create(tester, anyRegistration));
});
afterEach(() => services.close());

/** Those of the services have a memory of their own already. */
function withoutMemory(): LtiRegistrations {
  const { store, secrets, audit, clock } = services;
  const { ltiRegistrations: registrations, tenants } = store;
  return createLtiRegistrations({
    registrations,
    tenants,
    secrets,
    audit,
    clock,
    makeKeyPair: createKeyPairLender(),
  });
}

const statusAt = async (host: LtiRegistrations) => (await host.getRegistration(id)).status;

test('what is asked for again within half a second is not asked of the store', async () => {
  await one.getRegistration(id);
  const before = asked();
  nowMs += 500;
  await one.getRegistration(id);
  expect(asked()).toBe(before);
  nowMs += 1;
  await one.getRegistration(id);
  expect(asked()).toBe(before + 1);
});

test('an age is not measured by a clock that may be set back', async () => {
  await one.getRegistration(id);
  await other.deactivate(tester, id);
  services.clock.advance(-3_600_000);
  nowMs += 501;
  expect(await statusAt(one)).toBe('inactive');
});

test('what a host changes holds at once', async () => {
  expect(await statusAt(one)).toBe('active');
  await one.deactivate(tester, id);
  expect(await statusAt(one)).toBe('inactive');
  await one.remove(tester, id);
  await expect(one.getRegistration(id)).rejects.toMatchObject({ code: 'REGISTRATION_UNKNOWN' });
  const { issuer, clientId } = anyRegistration;
  expect(await one.findRegistrationOfClient(issuer, clientId)).toBeNull();
});

test('what another host changes holds after half a second', async () => {
  expect(await statusAt(one)).toBe('active');
  await other.deactivate(tester, id);
  nowMs += 501;
  expect(await statusAt(one)).toBe('inactive');
});

test('what is not there is not kept', async () => {
  const { issuer } = anyRegistration;
  expect(await one.findRegistrationOfClient(issuer, 'new')).toBeNull();
  await other.create(tester, { ...anyRegistration, clientId: 'new' });
  expect(await one.findRegistrationOfClient(issuer, 'new')).not.toBeNull();
});

test('a deployment that was taken away is let in no more', async () => {
  const closed = await one.create(tester, {
    ...anyRegistration,
    clientId: 'closed',
    acceptsNewDeployments: false,
  });
  expect(await one.admitDeployment(closed, '1')).toBe(true);
  await one.removeDeployment(tester, closed.id, '1');
  expect(await one.admitDeployment(closed, '1')).toBe(false);
});

test('what was read while it changed is not kept', async () => {
  let release = () => {};
  const slow = withRecentReads(
    {
      ...plain,
      async getRegistration(wanted) {
        const found = await plain.getRegistration(wanted);
        await new Promise<void>((done) => {
          release = done;
        });
        return found;
      },
    },
    () => nowMs,
  );
  const reading = slow.getRegistration(id);
  await expect.poll(() => release).not.toBe(undefined);
  await slow.deactivate(tester, id);
  release();
  expect((await reading).status).toBe('active');
  const again = slow.getRegistration(id);
  await new Promise((done) => setImmediate(done));
  release();
  expect((await again).status).toBe('inactive');
});
