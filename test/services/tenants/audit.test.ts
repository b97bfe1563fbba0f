import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditFilter } from '../../../src/ports/store/store.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { type OpenedServices, openServices, tester } from '../../helpers/open-services.ts';

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(() => services.close());

const all: AuditFilter = {
  scope: null,
  action: 'audit.exported',
  period: { from: null, until: null },
  search: '',
};
const record = (target: string, tenantId: string | null = null) =>
  services.audit.record(tester, { action: 'audit.exported', tenantId, target });

async function targetsOf(filter: AuditFilter): Promise<string[]> {
  const targets = [];
  for await (const { target } of services.audit.readEntries(filter)) targets.push(target);
  return targets;
}

test('an entry says who, what, when, from where', async () => {
  await services.audit.record(tester, {
    action: 'audit.exported',
    tenantId: 'default',
    target: 'the trail',
    details: { rows: '7' },
  });
  const { items, total } = await services.audit.listEntries({
    ...all,
    ascending: true,
    page: 0,
    pageSize: 10,
  });
  expect(total).toBe(1);
  expect(items[0]).toEqual({
    id: expect.any(String),
    at: services.clock.now(),
    actor: tester,
    tenantId: 'default',
    action: 'audit.exported',
    target: 'the trail',
    details: { rows: '7' },
  });
});

test('an export has every entry once, in the order they were made, also within one millisecond', async () => {
  const targets = Array.from({ length: 1_234 }, (_, i) => `entry ${i}`);
  for (const target of targets) await record(target);
  expect(await targetsOf(all)).toEqual(targets);
});

test('an export keeps to its filter', async () => {
  await record('of the host');
  await record('of the default tenant', 'default');
  expect(await targetsOf({ ...all, scope: ['default'] })).toEqual(['of the default tenant']);
  expect(await targetsOf({ ...all, search: 'HOST' })).toEqual(['of the host']);
  expect(await targetsOf({ ...all, scope: [] })).toEqual([]);
});
