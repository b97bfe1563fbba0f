import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import mongoose from 'mongoose';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMongoStore } from '../../../src/adapters/store/mongo/mongo-store.ts';
import { toTeachersLink } from '../../../src/domain/lti/placement.ts';
import { listPersonal, type StoreCollection, storeRecords } from '../../../src/ports/store/store.ts';
import { makeAdmin } from '../../../src/services/tenants/admins/admin-records.ts';
import { samples } from '../../contract/store/samples.ts';
import { createStandingClock, type StandingClock } from '../../fakes/clock.ts';
import { startMongoServer } from '../../helpers/mongo-server.ts';
import { type OpenedServices, type OpenTestStore, openServices, tester } from '../../helpers/open-services.ts';
import { openTestStore } from '../../helpers/test-store.ts';

const MARK = 'mark-7f3a9';
const lti = `lti:a:${MARK}`;
const slack = `slack:T1:${MARK}`;
const name = `Name of ${MARK}`;
const email = `${MARK}@example.org`;
const actor = { kind: 'teacher', id: lti, name, address: '192.0.2.99' } as const;
const tenantId = 'default';
const given = { tenantId, accounts: [lti], emails: [email] };

/** What a field of each kind has in a record about the person. */
const values = {
  account: lti,
  'lms-user': MARK,
  'slack-user': MARK,
  admin: null,
  actor,
  email: email.toUpperCase(),
  name,
  signature: name,
} as const;

const collections = listPersonal(storeRecords);

/** One record of each kind, made from the descriptions, with the person in every field that can name one. */
async function fillStore({ store, clock }: OpenedServices<StandingClock>): Promise<void> {
  const write = (collection: StoreCollection, record: object) =>
    store.transfer.writeRecords(collection, [{ key: '', record: record as Readonly<Record<string, unknown>> }]);
  await write('ltiRegistrations', { ...samples.ltiRegistrations[0], tenantId });
  await write('ltiLinks', { ...samples.ltiLinks[0], tenantId, registrationId: 'a' });
  for (const { name: collection, personal, fields, privacy } of collections) {
    if (!(collection in samples) || collection.startsWith('admin')) continue;
    const [sample] = samples[collection as StoreCollection];
    const named = Object.entries(personal).flatMap(([field, kind]) =>
      kind in values ? [[field, values[kind as keyof typeof values]]] : [],
    );
    const links = { tenantId, registrationId: 'a', linkId: 'a', id: privacy.erasure === 'remove' ? MARK : 'T1' };
    const place = Object.entries(links).filter(([field]) => fields.includes(field));
    await write(collection as StoreCollection, {
      ...sample,
      ...(collection === 'scores' && { state: 'waiting', dueAt: clock.now(), leasedUntil: null }),
      ...Object.fromEntries(place),
      ...Object.fromEntries(named),
    });
  }
  const [audited] = samples.audit;
  await write('audit', {
    ...audited,
    id: 'other',
    tenantId,
    target: name,
    details: { given: `to ${email}`, about: `reset: ${name}` },
  });
  const [taught] = samples.activity;
  await write('activity', { ...taught, tenantId, linkId: toTeachersLink('a', 'a course'), userId: MARK });
  const [linked] = samples.people;
  await write('people', { ...linked, tenantId, person: slack, shelfPerson: lti });
  const later = new Date(clock.now().getTime() + 3_600_000);
  const launch = { tenantId, registrationId: 'a', user: { id: MARK, name, email } };
  await store.nonces.addNonce('lti-launch 1', JSON.stringify(launch), later);
  await store.nonces.addNonce('lti-answer 1', JSON.stringify({ launch, text: '' }), later);
  await store.nonces.addNonce(`lti-draft ${tenantId} a course ${MARK}`, 'sealed', later);
  await store.nonces.addNonce(`kept ${tenantId} ${slack} state 1`, '{}', later);
  await store.nonces.addNonce('lti-launch 2', JSON.stringify({ ...launch, user: { id: 'other', name: 'Bo' } }), later);
}

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

interface Kind {
  readonly name: string;
  open(): OpenTestStore;
  /** All bytes that the store has written. */
  read(services: OpenedServices<StandingClock>): Promise<string>;
}

let uri = '';
const kinds: Kind[] = [
  {
    name: 'SQLite',
    open: () => openTestStore,
    async read({ store, file }) {
      await store.close();
      const folder = dirname(file);
      return readdirSync(folder)
        .map((each) => readFileSync(join(folder, each), 'latin1'))
        .join('\n');
    },
  },
  {
    name: 'MongoDB',
    open() {
      uri = mongo?.newUri() ?? '';
      return () => createMongoStore(uri);
    },
    async read() {
      const connection = await mongoose.createConnection(uri).asPromise();
      const all = await connection.listCollections();
      const texts = await Promise.all(all.map(({ name }) => connection.collection(name).find({}).toArray()));
      await connection.close();
      return JSON.stringify(texts);
    },
  },
];

describe.each(kinds.filter(({ name }) => name !== 'MongoDB' || mongo !== null))('on $name', (kind) => {
  let host: OpenedServices<StandingClock>;
  let open: OpenTestStore;
  beforeEach(async () => {
    open = kind.open();
    host = await openServices(createStandingClock(), open);
    await fillStore(host);
  });
  afterEach(() => host.close());

  test('exports all about a person, with linked accounts and without secrets', async () => {
    const identity = await host.personData.identifyPerson(given);
    expect(identity).toEqual({ tenantId, accounts: [lti, slack], emails: [email], names: [name] });
    const { kinds } = await host.personData.exportPerson(tester, identity);
    const erased = collections.filter(({ name, privacy }) => privacy.erasure !== 'expire' && !name.startsWith('admin'));
    // Imports belong to the host, not to a tenant.
    const expected = erased.map(({ name }) => name).filter((name) => name !== 'imports');
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(expected.sort());
    expect(JSON.stringify(kinds)).not.toMatch(/accessHash|shareToken|lti-launch/);
    const { items } = await host.store.audit.listAuditEntries(auditOf('person.exported'));
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain(MARK);
  });

  test('erases a person on two hosts, in the middle of a delivery, and leaves no byte of the id', async () => {
    const now = host.clock.now();
    const claimed = await host.store.scores.claimDue(now, new Date(now.getTime() + 60_000));
    expect(claimed?.userId).toBe(MARK);
    // Another process has a connection of its own.
    const other = await open(host.file);
    const identity = await host.personData.identifyPerson(given);
    await host.store.personal.removePersonal('imports', {});
    await Promise.all([host, host].map(({ personData }) => personData.erasePerson(tester, identity)));
    const outcome = { state: 'delivered', failures: 0, dueAt: now, lastError: null, earnedAt: now } as const;
    expect(await other.scores.settleScore(claimed!.id, claimed!.attempts, outcome)).toBe(false);
    expect((await host.personData.readPersonData(identity)).kinds).toEqual([]);
    expect(await host.store.nonces.findNonce('lti-launch 2', now)).not.toBeNull();
    expect(await host.store.placements.findPlacement(tenantId, 'T1')).toMatchObject({
      person: expect.stringMatching(/^erased-/),
    });
    await other.close();
    expect(await kind.read(host)).not.toContain(MARK);
    expect(host.problems).toEqual([]);
  });

  test('spares people of another platform or workspace who have the same id', async () => {
    const { store } = host;
    const write = (collection: StoreCollection, record: object) =>
      store.transfer.writeRecords(collection, [{ key: '', record: record as Readonly<Record<string, unknown>> }]);
    const [registration, link, activity, person] = [
      samples.ltiRegistrations[0],
      samples.ltiLinks[0],
      samples.activity[0],
      samples.people[0],
    ];
    await write('ltiRegistrations', { ...registration, tenantId, id: 'b', clientId: 'another', keyId: 'another' });
    await write('ltiLinks', { ...link, tenantId, registrationId: 'b', id: 'of b', resourceLinkId: 'of b' });
    await write('activity', { ...activity, tenantId, linkId: 'of b', userId: MARK });
    const others = [`lti:b:${MARK}`, `slack:T2:${MARK}`];
    for (const each of others) await write('people', { ...person, tenantId, person: each, shelfPerson: each });
    await host.personData.erasePerson(tester, await host.personData.identifyPerson(given));
    expect(await store.activity.findActivity({ tenantId, linkId: 'a', userId: MARK })).toBeNull();
    expect(await store.activity.findActivity({ tenantId, linkId: 'of b', userId: MARK })).not.toBeNull();
    for (const each of others) expect(await store.people.findPerson({ tenantId, person: each })).not.toBeNull();
    expect((await host.personData.findPeople([tenantId], MARK)).map(({ account }) => account)).toEqual([others[0]]);
  });

  test('finds a person by id, name and address, and nobody of another tenant', async () => {
    const find = async (text: string, scope: readonly string[] | null = [tenantId]) =>
      (await host.personData.findPeople(scope, text)).map(({ account }) => account);
    expect(await find(MARK)).toEqual([lti, slack]);
    expect(await find(lti)).toEqual([lti]);
    expect(await find(`name OF ${MARK}`)).toEqual([lti]);
    expect(await find(email)).toEqual([lti, email]);
    for (const text of [MARK, lti, name, email]) expect(await find(text, ['paris'])).toEqual([]);
  });

  test('leaves an administrator alone who shares the shelf of the person', async () => {
    const { store } = host;
    const root = {
      id: 'root',
      name: 'Root',
      passwordHash: null,
      oidcSubject: null,
      role: 'owner',
      tenants: null,
    } as const;
    await store.admins.addAdmin(makeAdmin(root, host.clock.now()));
    const [sample] = samples.people;
    const linked = { ...sample, tenantId, person: 'admin:root', shelfPerson: lti };
    await store.transfer.writeRecords('people', [{ key: '', record: linked }]);
    const author = { kind: 'admin', id: 'root', name: 'Root', address: '192.0.2.1' } as const;
    await host.audit.record(author, { action: 'tenant.changed', tenantId, target: 'Default' });
    const identity = await host.personData.identifyPerson(given);
    expect(identity.accounts).toEqual([lti, slack]);
    await host.personData.erasePerson(tester, identity);
    expect(await store.admins.findAdmin('root')).not.toBeNull();
    const { items } = await store.audit.listAuditEntries(auditOf('tenant.changed'));
    expect(items.map(({ actor }) => actor)).toContainEqual(author);
    // They erase it themselves.
    const own = { tenantId: null, accounts: ['admin:root'], emails: [] };
    const { kinds } = await host.personData.readPersonData(await host.personData.identifyPerson(own));
    expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['admins', 'audit']));
  });

  test('erases nothing of a namesake in another tenant, nor of another person', async () => {
    const identity = await host.personData.identifyPerson({ ...given, tenantId: 'paris' });
    const others = await host.personData.identifyPerson({ tenantId, accounts: ['lti:b:other'], emails: [] });
    for (const each of [{ ...identity, accounts: [] }, others])
      expect([...(await host.personData.erasePerson(tester, each))]).toEqual([]);
  });
});

const auditOf = (action: string) =>
  ({
    scope: null,
    action,
    period: { from: null, until: null },
    search: '',
    page: 0,
    pageSize: 10,
    ascending: true,
  }) as const;
