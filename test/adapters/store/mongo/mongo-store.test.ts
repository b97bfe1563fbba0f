import mongoose, { type Connection } from 'mongoose';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import { feedbackRecords, type Store } from '../../../../src/ports/store/store.ts';
import { registration, score } from '../../../contract/store/lti-records.ts';
import { admin, answer, at, awkwardText, feedback, shelved, tenant } from '../../../contract/store/records.ts';
import { addSamples, samples } from '../../../contract/store/samples.ts';
import { installation, person } from '../../../contract/store/slack-records.ts';
import { startMongoServer } from '../../../helpers/mongo-server.ts';

const server = await startMongoServer();
afterAll(() => server?.stop());

const openStore = async (uri: string): Promise<Store> => {
  const store = await createMongoStore(uri);
  onTestFinished(() => store.close());
  return store;
};

const openNew = () => openStore(server!.newUri());

describe.skipIf(server === null)(`the MongoDB store on ${server?.kind ?? 'no server'}`, () => {
  test('gives plain objects and lists', async () => {
    const store = await openNew();
    await addSamples(store);
    expect(await store.tenants.findTenant('lyon')).toStrictEqual(samples.tenants[0]);
    expect(await store.apiKeys.findApiKey('a')).toStrictEqual(samples.apiKeys[0]);
    expect(await store.admins.findAdmin('cy')).toStrictEqual(samples.admins[2]);
    expect(await store.transfer.readRecords('audit', 'b', 1)).toStrictEqual([{ key: 'c', record: samples.audit[2] }]);
  });

  test('stores no record without a required value', async () => {
    const store = await openNew();
    const { comment: _, ...record } = feedback('a');
    const writing = store.transfer.writeRecords('feedback', [{ key: 'a', record }]);
    // Not STORE_UNAVAILABLE: nothing is wrong with the server.
    await expect(writing).rejects.toThrow(new TypeError('The field comment has no value'));
    expect(await store.feedback.findFeedback('a')).toBeNull();
  });

  test('gives simultaneous calls after expiry different sums', async () => {
    const { rateCounters } = await openNew();
    for (let round = 0; round < 10; round += 1) {
      const times = { now: at(10 * round), expiresAt: at(10 * round + 10) };
      const counts = await Promise.all(Array.from({ length: 20 }, () => rateCounters.addRatePoints('w', 1, times)));
      const sums = counts.map(({ points }) => points).toSorted((left, right) => left - right);
      expect(sums).toEqual(Array.from({ length: 20 }, (_, number) => number + 1));
      expect(counts.every(({ expiresAt }) => expiresAt.getTime() === times.expiresAt.getTime())).toBe(true);
    }
  });

  test('searches for characters that end a pattern on servers', async () => {
    const { feedback: repository } = await openNew();
    await repository.saveFeedback(feedback('a', { comment: 'ab' }));
    const whole = { scope: null, state: null, provider: null, received: { from: null, until: null } };
    const list = { ...whole, sort: 'url', descending: false, page: 0, pageSize: 10 } as const;
    expect(await repository.listFeedback({ ...list, search: 'a\0' })).toEqual({ items: [], total: 0 });
  });

  test('drops counts of a tenant that was removed meanwhile', async () => {
    const { tenants, usage } = await openNew();
    await tenants.addTenant(tenant('lyon'));
    const counted = { day: '2026-03-01', metric: 'searches', count: 2 } as const;
    await usage.addUsage([
      { tenantId: 'paris', ...counted },
      { tenantId: 'lyon', ...counted },
    ]);
    await usage.addUsage([{ tenantId: 'paris', ...counted }]);
    expect(await usage.sumUsage(null, '2026-01-01', '2026-12-31')).toEqual([counted]);
  });

  test('removes a tenant itself last', async () => {
    const store = await openStore(monitored(server!.newUri()));
    await addSamples(store);
    const writes = recordWrites(mongoose.connections.at(-1)!);
    await store.tenants.removeTenant('lyon');
    const collections = writes.map(({ collection }) => collection);
    expect(collections.at(-1)).toBe('tenants');
    // All others before it: their records, and the scopes that name it.
    expect(collections.indexOf('tenants')).toBe(22);
  });

  test('confirms every write by a majority and the journal, except short-lived counts and answers', async () => {
    const uri = server!.newUri();
    // Whatever the address says.
    const store = await openStore(`${uri}${uri.includes('?') ? '&' : '?'}w=1&journal=false&monitorCommands=true`);
    const writes = recordWrites(mongoose.connections.at(-1)!);
    await addSamples(store);
    await changeEverything(store);
    const isQuick = ({ collection }: Write) => ['rateWindows', 'answers'].includes(collection);
    const quick = writes.filter(isQuick);
    const others = writes.filter((write) => !isQuick(write));
    expect(new Set(others.map(({ command }) => command))).toEqual(
      new Set(['insert', 'update', 'delete', 'findAndModify']),
    );
    for (const write of others) expect(write.concern, JSON.stringify(write)).toMatchObject({ w: 'majority', j: true });
    expect(new Set(quick.map(({ collection }) => collection)).size).toBe(2);
    for (const { concern } of quick) expect(concern).toMatchObject({ w: 1 });
  });
});

/** Asks the driver to tell what it sends. */
function monitored(uri: string): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}monitorCommands=true`;
}

interface Write {
  readonly command: string;
  readonly collection: string;
  readonly concern: unknown;
}

/** What the driver sends over the connection from now on. */
function recordWrites(connection: Connection): readonly Write[] {
  const writes: Write[] = [];
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (!['insert', 'update', 'delete', 'findAndModify'].includes(commandName)) return;
    writes.push({ command: commandName, collection: command[commandName], concern: command.writeConcern });
  });
  return writes;
}

/** The writes that `addSamples` does not make. */
async function changeEverything(store: Store): Promise<void> {
  const times = { now: at(0), expiresAt: at(10) };
  await store.tenants.replaceTenant(tenant('paris', { version: 2 }));
  await store.admins.replaceAdmin(admin('bob', { version: 2 }));
  await store.apiKeys.revokeApiKey('a', at(5));
  await store.apiKeys.noteApiKeyUse('a', at(5));
  await store.feedback.saveFeedback(feedback('waiting', { state: 'waiting' }));
  await store.feedback.claimDue(at(1), at(2));
  const outcome = { state: 'parked', failures: 1, dueAt: at(1), lastError: null } as const;
  await store.feedback.settleFeedback('waiting', 1, outcome);
  await store.feedback.requeueParked(null, at(1));
  await store.adminLinks.consumeAdminLink('a', at(1));
  await store.adminLinks.removeAdminLink('b');
  await store.adminLinks.removeAdminLinksBy('ada');
  await store.adminSessions.noteAdminSessionSeen('a', at(2));
  await store.adminSessions.removeAdminSessions('ada', 'a');
  await store.nonces.addNonce('a', awkwardText, at(10));
  await store.nonces.consumeNonce('a', at(1));
  await store.nonces.claimNonce('a', times);
  await store.nonces.removeNonces('a');
  await store.admins.removeAdmin('cy');
  await store.feedback.saveFeedback(feedback('old'));
  await store.personal.removeOutdated('feedback', feedbackRecords.retention!, { before: at(1), limit: 1 });
  await store.personal.removePersonal('feedback', { 'derived.email': 'ada@example.org' });
  await store.answers.keepAnswer('a', answer('{}'));
  await store.shelf.addToShelf(shelved('a'), 9);
  await store.shelf.removeFromShelf(shelved('a'), 'a');
  await store.shelf.clearShelf(shelved('a'));
  await store.shelf.clearShelves('lyon', 'slack:');
  await changeEverythingOfLti(store);
  await changeEverythingOfSlack(store);
  await store.rateCounters.addRatePoints('a', 1, times);
  await store.rateCounters.addRatePoints('a', 1, { now: at(10), expiresAt: at(20) });
  await store.transfer.writeRecords('usage', await store.transfer.readRecords('usage', null, 10));
  await store.tenants.removeTenant('lyon');
}

async function changeEverythingOfLti({ ltiRegistrations, placements, scores }: Store): Promise<void> {
  await ltiRegistrations.replaceRegistration(registration('a', { version: 2 }));
  await ltiRegistrations.removeDeployment('a', '1');
  await ltiRegistrations.removeRegistration('a');
  await placements.replaceLinkPlacement('lyon', 'a', 'b');
  await scores.putScore(score('a', { state: 'parked' }));
  await scores.requeueScores('lyon', 'moodle', at(1));
  await scores.correctTimes(at(1), { latestDue: at(0), latestLease: at(0) });
}

async function changeEverythingOfSlack({ slackInstallations, people }: Store): Promise<void> {
  await slackInstallations.putInstallation(installation('T1'));
  await slackInstallations.removeInstallation('T1', null);
  await people.savePerson(person('slack:T1:U1', { version: 2 }));
  await people.removePeople('lyon', '');
}
