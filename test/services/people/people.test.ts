import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noPreferences, type Preferences } from '../../../src/domain/person.ts';
import type { PeopleRepository, ShelfOwner, ShelfRepository } from '../../../src/ports/store/store.ts';
import { createPeople } from '../../../src/services/people/people.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { bareObject } from '../../fakes/learning-service.ts';
import { eraseData, type OpenedServices, openServices, tester } from '../../helpers/open-services.ts';

const of = (person: string, tenantId = 'default'): ShelfOwner => ({ tenantId, person });
const inLms = of('lti:moodle:7');
const inSlack = of('slack:T1:U1');
const eve = of('slack:T1:eve');
const invalid = { code: 'LINK_CODE_INVALID', kind: 'not_found' };
const MINUTE_MS = 60_000;

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(() => services.close());

const save = (owner: ShelfOwner, name: string) =>
  services.shelf.save(owner, {
    object: { ...bareObject, url: `https://example.org/${name}` },
    requestId: null,
  });

/** Straight into the store, which is quicker. */
async function fill(owner: ShelfOwner, count: number, prefix: string): Promise<void> {
  for (let i = 0; i < count; i++) {
    const address = `example.org/${prefix}${i}`;
    const object = { ...bareObject, url: `https://${address}` };
    const record = { ...owner, address, object, requestId: null, savedAt: services.clock.now() };
    await services.store.shelf.addToShelf(record, 500);
  }
}

async function namesOf(owner: ShelfOwner): Promise<string[]> {
  const { items } = await services.shelf.list(owner, { page: 0, pageSize: 100 });
  return items.map(({ address }) => address.replace('example.org/', '')).sort();
}

async function link(owner: ShelfOwner, other: ShelfOwner): Promise<void> {
  const { code } = await services.people.createLinkCode(other);
  await services.people.link(owner, code);
}

/** The same on another host, whose store does otherwise. */
const openHost = (otherwise: { people?: Partial<PeopleRepository>; shelf?: Partial<ShelfRepository> }) =>
  createPeople({
    ...services.store,
    people: { ...services.store.people, ...otherwise.people },
    shelf: { ...services.store.shelf, ...otherwise.shelf },
    clock: services.clock,
  });

describe('preferences', () => {
  const french: Preferences = {
    locale: 'fr',
    lang: 'fr',
    level: 'beginner',
    types: ['video', 'course'],
    providers: ['youtube'],
    itemsPerPage: 5,
  };

  test('are none until they are changed, and are somebody’s own', async () => {
    const { people } = services;
    expect(await people.getPreferences(inSlack)).toEqual(noPreferences);
    await people.changePreferences(inSlack, { ...french, types: ['video', 'course', 'video'] });
    expect(await people.getPreferences(inSlack)).toEqual(french);
    expect(await people.getPreferences(eve)).toEqual(noPreferences);
    await people.changePreferences(inSlack, noPreferences);
    expect(await people.getPreferences(inSlack)).toEqual(noPreferences);
  });

  test.each<[string, object]>([
    ['locale', { locale: 'it' }],
    ['lang', { lang: 'fra' }],
    ['level', { level: 'expert' }],
    ['types', { types: Array.from({ length: 21 }, (_, i) => `type ${i}`) }],
    ['types', { types: ['x'.repeat(101)] }],
    ['providers', { providers: Array.from({ length: 51 }, (_, i) => `provider ${i}`) }],
    ['itemsPerPage', { itemsPerPage: 4 }],
  ])('are not kept with another %s than there is', async (path, change) => {
    const preferences = { ...french, ...change } as Preferences;
    await expect(services.people.changePreferences(inSlack, preferences)).rejects.toMatchObject({
      code: 'PARAMETERS_INVALID',
      problems: [{ path }],
    });
    expect(await services.people.getPreferences(inSlack)).toEqual(noPreferences);
  });

  test('and searches noted at the same time are all kept', async () => {
    const { people } = services;
    const texts = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all([
      people.changePreferences(inSlack, french),
      ...texts.map((text) => people.noteSearch(inSlack, text)),
    ]);
    expect(await people.getPreferences(inSlack)).toEqual(french);
    const searches = await people.listSearches(inSlack);
    expect(searches.map(({ text }) => text).sort()).toEqual(texts);
  });

  test('that others overtake for ever are given up, and said', async () => {
    const host = openHost({ people: { savePerson: async () => false } });
    await expect(host.changePreferences(inSlack, french)).rejects.toMatchObject({
      code: 'CHANGED_MEANWHILE',
    });
  });

  test('are kept for a tenant that is there and active', async () => {
    const { id } = await services.tenants.createTenant(tester, 'School');
    await services.tenants.disableTenant(tester, id);
    const { people } = services;
    await expect(people.changePreferences(of('x', id), french)).rejects.toMatchObject({
      code: 'TENANT_DISABLED',
    });
    await expect(people.noteSearch(of('x', 'none'), 'a')).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
    await expect(people.createLinkCode(of('x', 'none'))).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
  });
});

describe('searches', () => {
  test('are the last ten, the newest first, each once', async () => {
    const { people, clock } = services;
    for (let i = 0; i < 12; i++) {
      await people.noteSearch(inSlack, `search ${i}`);
      clock.advance(1);
    }
    await people.noteSearch(inSlack, ' search 5 ');
    const searches = await people.listSearches(inSlack);
    expect(searches[0]).toEqual({ text: 'search 5', searchedAt: clock.now() });
    expect(searches.map(({ text }) => Number(text.slice(7)))).toEqual([5, 11, 10, 9, 8, 7, 6, 4, 3, 2]);
    expect(await people.listSearches(eve)).toEqual([]);
  });

  test('are cut where they are long, between characters, and kept only where they say something', async () => {
    await services.people.noteSearch(inSlack, '  ');
    expect(await services.people.listSearches(inSlack)).toEqual([]);
    await services.people.noteSearch(inSlack, '🎓'.repeat(400));
    expect(await services.people.listSearches(inSlack)).toMatchObject([{ text: '🎓'.repeat(300) }]);
  });
});

describe('saved searches', () => {
  test('stay until they are removed, each once, the newest first', async () => {
    const { people } = services;
    for (const text of ['docker', 'python', ' docker ']) expect(await people.saveSearch(inSlack, text)).toBe(true);
    for (let i = 0; i < 12; i++) await people.noteSearch(inSlack, `search ${i}`);
    expect(await people.listSavedSearches(inSlack)).toEqual(['python', 'docker']);
    await people.removeSavedSearch(inSlack, 'python');
    await people.removeSavedSearch(inSlack, 'python');
    expect(await people.listSavedSearches(inSlack)).toEqual(['docker']);
    expect(await people.listSavedSearches(eve)).toEqual([]);
    await eraseData(services, inSlack);
    expect(await people.listSavedSearches(inSlack)).toEqual([]);
  });

  test('are at most fifty: none gives way to another', async () => {
    const { people } = services;
    for (let i = 0; i < 50; i++) await people.saveSearch(inSlack, `search ${i}`);
    expect(await people.saveSearch(inSlack, 'another')).toBe(false);
    expect(await people.saveSearch(inSlack, 'search 3')).toBe(true);
    expect(await people.listSavedSearches(inSlack)).toHaveLength(50);
  });

  test.each(['  ', 'x'.repeat(1_001)])('of %j are refused', async (text) => {
    await expect(services.people.saveSearch(inSlack, text)).rejects.toMatchObject({
      code: 'PARAMETERS_INVALID',
    });
  });
});

describe('a code', () => {
  test('is eight characters that nobody mistakes, read however they are typed', async () => {
    const { people, clock } = services;
    const { code, expiresAt } = await people.createLinkCode(inLms);
    expect(code).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/);
    expect(expiresAt.getTime() - clock.now().getTime()).toBe(10 * MINUTE_MS);
    await people.link(inSlack, ` ${code.toLowerCase().replace('-', ' – ')} `);
    expect(await people.countLinked(inSlack)).toBe(1);
  });

  test('is used once, also by two at once', async () => {
    const { people } = services;
    const { code } = await people.createLinkCode(inLms);
    const used = await Promise.allSettled([people.link(inSlack, code), people.link(eve, code)]);
    expect(used.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: invalid }]);
    expect(await people.countLinked(inLms)).toBe(1);
    await expect(people.link(of('slack:T1:U2'), code)).rejects.toMatchObject(invalid);
  });

  test('is worth nothing after ten minutes, in another tenant, to whoever made it, and when it is none', async () => {
    const { people, clock, tenants } = services;
    const { id } = await tenants.createTenant(tester, 'School');
    const { code } = await people.createLinkCode(inLms);
    for (const owner of [inLms, of(inSlack.person, id)])
      await expect(people.link(owner, code)).rejects.toMatchObject(invalid);
    for (const given of ['', 'ABCD-EFGH', `${code}2`])
      await expect(people.link(inSlack, given)).rejects.toMatchObject(invalid);
    clock.advance(10 * MINUTE_MS);
    await expect(people.link(inSlack, code)).rejects.toMatchObject(invalid);
    expect(await people.countLinked(inLms)).toBe(0);
  });

  test.each([
    [inSlack, eve],
    [inLms, of('lti:canvas:7')],
  ])(
    'does nothing for somebody else in the same place, %o with %o, and is good in the other one',
    async (maker, other) => {
      const { people } = services;
      await save(maker, 'a');
      const { code } = await people.createLinkCode(maker);
      await expect(people.link(other, code)).rejects.toMatchObject(invalid);
      expect([await people.countLinked(maker), await namesOf(other)]).toEqual([0, []]);
      await people.link(maker === inSlack ? inLms : inSlack, code);
      expect(await people.countLinked(maker)).toBe(1);
    },
  );

  test('cannot be found by trying: after ten in ten minutes even the right one is refused', async () => {
    const { people, clock } = services;
    for (let i = 0; i < 10; i++) await expect(people.link(eve, `AAAA-AAA${i}`)).rejects.toMatchObject(invalid);
    clock.advance(MINUTE_MS);
    const { code } = await people.createLinkCode(inLms);
    await expect(people.link(eve, code)).rejects.toMatchObject({
      code: 'LINK_CODE_THROTTLED',
      kind: 'rate_limited',
      retryAfterSeconds: 540,
    });
    await people.link(inSlack, code);
    clock.advance(9 * MINUTE_MS);
    await link(eve, inLms);
    expect(await people.countLinked(eve)).toBe(2);
  });

  test('is nowhere in the store', async () => {
    const { code } = await services.people.createLinkCode(inLms);
    for (const name of [code, code.replace('-', '')])
      expect(await services.store.nonces.findNonce(`link-code default ${name}`, services.clock.now())).toBeNull();
  });
});

describe('linked people', () => {
  test.each([
    [inLms, inSlack],
    [inSlack, inLms],
  ])('have one shelf with what both had, each object once: %o with %o', async (owner, other) => {
    const { people, shelf } = services;
    await save(inLms, 'a');
    await save(inLms, 'both');
    await save(inSlack, 'both');
    await save(inSlack, 'b');
    await link(owner, other);
    expect([await people.countLinked(inLms), await people.countLinked(inSlack)]).toEqual([1, 1]);
    for (const one of [inLms, inSlack]) expect(await namesOf(one)).toEqual(['a', 'b', 'both']);
    await save(inSlack, 'c');
    expect(await shelf.remove(inSlack, 'https://example.org/a')).toBe(true);
    expect(await namesOf(inLms)).toEqual(['b', 'both', 'c']);
    const urls = ['https://example.org/a', 'https://example.org/b'];
    expect(await shelf.findSaved(inLms, urls)).toEqual(new Set([urls[1]]));
    expect(await shelf.clear(inLms)).toBe(3);
    expect(await namesOf(inSlack)).toEqual([]);
  });

  test('can be more than two, and link themselves again without harm', async () => {
    const inCanvas = of('lti:canvas:7');
    for (const [i, owner] of [inLms, inSlack, inCanvas, eve].entries()) await save(owner, `${i}`);
    await link(inLms, inSlack);
    await link(inCanvas, eve);
    await link(eve, inLms);
    await link(inSlack, inCanvas);
    for (const owner of [inLms, inSlack, inCanvas, eve]) {
      expect(await namesOf(owner)).toEqual(['0', '1', '2', '3']);
      expect(await services.people.countLinked(owner)).toBe(3);
    }
  });

  test('may have 500 objects together: with more nothing changes, and the code can be used again', async () => {
    const { people, shelf } = services;
    await fill(inLms, 300, 'lms');
    await fill(inSlack, 201, 'slack');
    const { code } = await people.createLinkCode(inLms);
    await expect(people.link(inSlack, code)).rejects.toMatchObject({
      code: 'SHELF_FULL',
      data: { capacity: 500 },
    });
    const totals = async () => [
      (await shelf.list(inLms, { page: 0, pageSize: 1 })).total,
      (await shelf.list(inSlack, { page: 0, pageSize: 1 })).total,
    ];
    expect(await totals()).toEqual([300, 201]);
    expect(await people.countLinked(inSlack)).toBe(0);
    await shelf.remove(inSlack, 'https://example.org/slack0');
    await people.link(inSlack, code);
    expect(await totals()).toEqual([500, 500]);
    await expect(save(inSlack, 'more')).rejects.toMatchObject({ code: 'SHELF_FULL' });
  });

  test('lose nothing when they link, unlink and save all at once', async () => {
    const faces = ['slack:T1', 'lti:moodle'];
    const everyone = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, i) => of(`${faces[i % 2]}:${name}`));
    for (const owner of everyone) await save(owner, owner.person.slice(-1));
    const others = everyone.map((_, i) => everyone[(i + 1) % everyone.length]!);
    await Promise.all([
      ...everyone.map((owner, i) => link(owner, others[i]!)),
      ...everyone.map((owner) => save(owner, `${owner.person.slice(-1)}2`)),
    ]);
    const names = ['a', 'a2', 'b', 'b2', 'c', 'c2', 'd', 'd2', 'e', 'e2', 'f', 'f2'];
    for (const owner of everyone) expect(await namesOf(owner)).toEqual(names);
    await Promise.all(everyone.slice(0, 5).map((owner) => services.people.unlink(owner)));
    expect(await namesOf(everyone[5]!)).toEqual(names);
    expect(await services.people.countLinked(everyone[5]!)).toBe(0);
  });

  test('keep what is saved in the very moment when they link', async () => {
    const { people } = services;
    await save(inSlack, 'before');
    const { code } = await people.createLinkCode(inLms);
    const { addToShelf } = services.store.shelf;
    let isFirst = true;
    // While the first object is copied, its owner saves another.
    const host = openHost({
      shelf: {
        async addToShelf(record, capacity) {
          const added = await addToShelf(record, capacity);
          if (isFirst) {
            isFirst = false;
            await save(inSlack, 'meanwhile');
          }
          return added;
        },
      },
    });
    await host.link(inSlack, code);
    expect(await namesOf(inLms)).toEqual(['before', 'meanwhile']);
    expect(await services.store.shelf.listShelf(inSlack, { page: 0, pageSize: 1 })).toMatchObject({
      total: 0,
    });
  });
});

describe('linking that is interrupted', () => {
  const lost = new Error('lost');

  /** Three people, of whom the last two share a shelf, each with an object of their own. */
  async function meet(name: string): Promise<ShelfOwner[]> {
    const owners = ['lti:moodle', 'slack:T1', 'web'].map((place) => of(`${place}:${name}`));
    const [first, second, third] = owners;
    await link(second!, third!);
    await save(first!, 'a');
    await save(third!, 'b');
    return owners;
  }

  /** A host that fails after so many changes of the store. The one who links saves something right
   *  before they move. */
  function openFailing(changes: number, linking: ShelfOwner) {
    let [left, isSaved] = [changes, false];
    const failLater = <A extends unknown[], T>(call: (...args: A) => Promise<T>) => {
      return async (...args: A): Promise<T> => {
        left -= 1;
        if (left < 0) throw lost;
        return call(...args);
      };
    };
    const { shelf, people } = services.store;
    const savePerson = failLater(people.savePerson);
    return openHost({
      people: {
        async savePerson(record) {
          if (!isSaved && !record.person.startsWith('lti:') && record.shelfPerson !== linking.person) {
            isSaved = true;
            await save(linking, 'c');
          }
          return savePerson(record);
        },
      },
      shelf: {
        addToShelf: failLater(shelf.addToShelf),
        removeFromShelf: failLater(shelf.removeFromShelf),
      },
    });
  }

  test('at any moment goes on when they link again', async () => {
    for (let changes = 0, isWhole = false; !isWhole; changes++) {
      const [first, second, third] = await meet(`${changes}`);
      const { code } = await services.people.createLinkCode(first!);
      const linking = openFailing(changes, second!).link(second!, code);
      isWhole = await linking.then(
        () => true,
        (error) => {
          expect(error).toBe(lost);
          return false;
        },
      );
      if (!isWhole) await services.people.link(second!, code);
      const saved = await namesOf(first!);
      expect(saved.filter((name) => name !== 'c')).toEqual(['a', 'b']);
      for (const owner of [second!, third!]) expect(await namesOf(owner), `${changes}`).toEqual(saved);
      expect(await services.people.countLinked(third!)).toBe(2);
      const { total } = await services.store.shelf.listShelf(second!, { page: 0, pageSize: 1 });
      expect(total, `left after ${changes} changes`).toBe(0);
      if (isWhole) expect(saved).toEqual(['a', 'b', 'c']);
    }
  });

  test('leaves nothing to who clears their data', async () => {
    await save(inLms, 'a');
    await save(inSlack, 'b');
    const { code } = await services.people.createLinkCode(inLms);
    const host = openHost({ shelf: { removeFromShelf: () => Promise.reject(lost) } });
    await expect(host.link(inSlack, code)).rejects.toBe(lost);
    await eraseData(services, inSlack);
    expect(await namesOf(inSlack)).toEqual([]);
  });

  test('says why, also where the code cannot be given back', async () => {
    const { code } = await services.people.createLinkCode(inLms);
    const host = createPeople({
      ...services.store,
      clock: services.clock,
      shelf: { ...services.store.shelf, listShelf: () => Promise.reject(lost) },
      nonces: { ...services.store.nonces, addNonce: () => Promise.reject(new Error('another')) },
    });
    await expect(host.link(inSlack, code)).rejects.toBe(lost);
  });

  test('by a shelf without room loses nothing', async () => {
    await save(inSlack, 'a');
    await save(inSlack, 'b');
    const { addToShelf } = services.store.shelf;
    const { code } = await services.people.createLinkCode(inLms);
    const host = openHost({
      shelf: {
        addToShelf: async (record, capacity) => (record.address.endsWith('/a') ? 'full' : addToShelf(record, capacity)),
      },
    });
    await host.link(inSlack, code);
    expect(await namesOf(inLms)).toEqual(['b']);
    await link(inSlack, inLms);
    expect(await namesOf(inLms)).toEqual(['a', 'b']);
  });
});

describe('unlinking', () => {
  test.each([
    ['whose name the shelf has', inLms, inSlack],
    ['whose name it has not', inSlack, inLms],
  ])('gives an own, empty shelf to the one %s, and leaves all to the other', async (_whose, leaver, other) => {
    const { people } = services;
    await save(inLms, 'a');
    await save(inSlack, 'b');
    await link(inLms, inSlack);
    await people.unlink(leaver);
    expect([await namesOf(leaver), await namesOf(other)]).toEqual([[], ['a', 'b']]);
    expect([await people.countLinked(leaver), await people.countLinked(other)]).toEqual([0, 0]);
    await save(leaver, 'c');
    await people.unlink(leaver);
    await people.unlink(other);
    expect([await namesOf(leaver), await namesOf(other)]).toEqual([['c'], ['a', 'b']]);
    await link(leaver, other);
    expect(await namesOf(other)).toEqual(['a', 'b', 'c']);
  });

  test('leaves several others together', async () => {
    await save(inLms, 'a');
    await link(inLms, inSlack);
    await link(inLms, eve);
    await services.people.unlink(inLms);
    await save(eve, 'b');
    expect([await namesOf(inLms), await namesOf(inSlack)]).toEqual([[], ['a', 'b']]);
    expect(await services.people.countLinked(inSlack)).toBe(1);
  });
});

describe('forgetting', () => {
  test.each([inLms, inSlack])('erases all of %o and of the account that shares its shelf', async (owner) => {
    const { people } = services;
    for (const one of [inLms, inSlack]) await save(one, one.person);
    for (const one of [inLms, inSlack, eve]) await people.noteSearch(one, 'docker');
    await link(inLms, inSlack);
    expect(Object.fromEntries(await eraseData(services, owner))).toEqual({ people: 2, shelf: 2 });
    for (const one of [inLms, inSlack]) {
      expect(await namesOf(one)).toEqual([]);
      expect(await services.store.people.findPerson(one)).toBeNull();
    }
    expect(await people.listSearches(eve)).toHaveLength(1);
    expect((await eraseData(services, owner)).size).toBe(0);
  });

  test('all whose names begin so leaves what others share with them, and nothing to who comes back', async () => {
    const { people, tenants } = services;
    const { id } = await tenants.createTenant(tester, 'School');
    const alike = [of('slack:T12:U1'), of('slack:T1:U1', id), of('lti:slack:T1:')];
    const second = of('slack:T1:U2');
    const elsewhere = of('web:7');
    for (const owner of [inLms, inSlack, second, elsewhere, eve, ...alike]) {
      await save(owner, `${owner.person} ${owner.tenantId}`);
      await people.noteSearch(owner, 'docker');
    }
    await link(inLms, inSlack);
    // This shelf has the name of somebody of the workspace.
    await link(second, elsewhere);
    await link(elsewhere, eve);
    await people.forgetAll('default', 'slack:T1:');
    expect(await namesOf(inLms)).toHaveLength(2);
    expect(await namesOf(elsewhere)).toHaveLength(3);
    for (const owner of alike) {
      expect(await namesOf(owner)).toHaveLength(1);
      expect(await people.listSearches(owner)).toHaveLength(1);
    }
    for (const owner of [inSlack, second, eve]) {
      expect(await namesOf(owner)).toEqual([]);
      expect(await people.listSearches(owner)).toEqual([]);
      expect(await people.countLinked(owner)).toBe(0);
    }
    expect(await people.countLinked(elsewhere)).toBe(0);
    await people.forgetAll('default', 'slack:T1:');
    expect(await namesOf(elsewhere)).toHaveLength(3);
  });

  test('all whose names begin so comes to an end, however many of them share a shelf with somebody else', async () => {
    const elsewhere = of('slack:T2:U1');
    const everyone = Array.from({ length: 250 }, (_, i) => of(`slack:T1:U${100 + i}`));
    await save(everyone[0]!, 'a');
    // Straight into the store, which is quicker.
    for (const owner of [...everyone, elsewhere]) {
      const record = { ...owner, preferences: noPreferences, recentSearches: [], savedSearches: [] };
      const shelfPerson = everyone[0]!.person;
      await services.store.people.savePerson({ ...record, shelfPerson, version: 1 });
    }
    await services.people.forgetAll('default', 'slack:T1:');
    expect(await namesOf(elsewhere)).toEqual(['a']);
    expect(await services.people.countLinked(elsewhere)).toBe(0);
    expect(await services.store.people.findPerson(everyone[120]!)).toBeNull();
  });
});
