import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import { fromBase32, makeAppCode } from '../../../../src/services/tenants/admins/second-factor.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { startMongoServer } from '../../../helpers/mongo-server.ts';
import { byPassword, command, goodPassword, tokenOf } from '../../../helpers/open-admins.ts';
import { type OpenTestStore, openServices } from '../../../helpers/open-services.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { openTestStore } from '../../../helpers/test-store.ts';

const STEP_MS = 30_000;
const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

const stores: readonly { readonly name: string; open(): OpenTestStore }[] = [
  {
    name: 'SQLite',
    open: () => {
      const file = join(makeTempDir(), 'skilldock.db');
      return () => openTestStore(file);
    },
  },
  {
    name: 'MongoDB',
    open: () => {
      const uri = mongo?.newUri() ?? '';
      return () => createMongoStore(uri);
    },
  },
];

/** Two hosts on one store, and Ada with a second factor. */
async function openHosts(open: OpenTestStore) {
  const clock = createStandingClock();
  const first = await openServices(clock, open);
  onTestFinished(() => first.close());
  const second = await openServices(clock, open);
  onTestFinished(() => second.close());
  const hosts = [first, second] as const;
  const link = await first.adminLinks.createInvitation(command, { role: 'owner', tenants: null });
  const { id } = await first.adminLinks.useLink(tokenOf(link), byPassword('Ada'), null);
  const { secret, sealed } = first.secondFactors.begin(id);
  const codeNow = () => makeAppCode(fromBase32(secret), Math.floor(clock.now().getTime() / STEP_MS));
  const enabling = { sealed, code: codeNow(), password: goodPassword, keepSessionId: '' };
  const codes = await first.secondFactors.enable(command, id, enabling);
  clock.advance(STEP_MS);
  /** Each time from another network and browser, on one host and the other in turn. */
  let tries = 0;
  const callerNow = () => ({ address: `192.0.${tries++ % 250}.1`, userAgent: `Browser ${tries}`, browser: null });
  async function begin(host: 0 | 1): Promise<string> {
    const refused = await hosts[host].adminSessions.signIn('Ada', goodPassword, callerNow()).catch((error) => error);
    return (refused as { data: { pending: string } }).data.pending;
  }
  const enter = (host: 0 | 1, pending: string, code: string) =>
    hosts[host].adminSessions.signInWithCode(pending, code, callerNow()).then(
      () => 'in',
      (error: { code: string }) => error.code,
    );
  return { hosts, id, codes, codeNow, begin, enter };
}

const both = [0, 1, 0, 1] as const;

describe.each(stores.filter(({ name }) => name !== 'MongoDB' || mongo !== null))('two hosts on $name', ({ open }) => {
  test('take a code once, also at the same moment, and not again within its window', async () => {
    const { codeNow, begin, enter } = await openHosts(open());
    const code = codeNow();
    const pending = await Promise.all(both.map(begin));
    const ends = await Promise.all(both.map((host, i) => enter(host, pending[i]!, code)));
    expect(ends.toSorted()).toEqual(['SECOND_FACTOR_WRONG', 'SECOND_FACTOR_WRONG', 'SECOND_FACTOR_WRONG', 'in']);
    for (const host of [0, 1] as const) expect(await enter(host, pending[host]!, code)).not.toBe('in');
  });

  test('take a recovery code once, also at the same moment', async () => {
    const { codes, begin, enter } = await openHosts(open());
    const pending = await Promise.all(both.map(begin));
    const ends = await Promise.all(both.map((host, i) => enter(host, pending[i]!, codes[0]!)));
    expect(ends.filter((end) => end === 'in')).toHaveLength(1);
  });

  test('look at five guesses together, whatever the sessions and addresses they come from', async () => {
    const { codeNow, begin, enter } = await openHosts(open());
    const many = Array.from({ length: 24 }, (_, i) => (i % 2) as 0 | 1);
    const pending: string[] = [];
    // Few passwords are checked at once.
    for (const host of many) pending.push(await begin(host));
    const ends = await Promise.all(many.map((host, i) => enter(host, pending[i]!, '000000')));
    expect(ends.filter((end) => end === 'SECOND_FACTOR_WRONG')).toHaveLength(5);
    expect(ends.filter((end) => end === 'RATE_LIMITED')).toHaveLength(19);
    expect(await enter(1, await begin(0), codeNow())).toBe('RATE_LIMITED');
  });

  test('take a link for a new password once, and a sign-in of the old one no more', async () => {
    const { hosts, id, codeNow, begin, enter } = await openHosts(open());
    const { path } = await hosts[0].adminLinks.createResetLink({ kind: 'admin', id, name: 'Ada', address: null }, id);
    const pending = await begin(0);
    const uses = both.map((host, i) =>
      hosts[host].adminLinks.useLink(tokenOf({ path }), byPassword('', `${goodPassword} number ${i}`), null),
    );
    const ends = await Promise.allSettled(uses);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await hosts[1].adminLinks.findLink(tokenOf({ path }))).toBeNull();
    expect(await enter(1, pending, codeNow())).toBe('SIGN_IN_FAILED');
  });
});
