import { describe, expect, test } from 'vitest';
import type { Store } from '../../../../src/ports/store/store.ts';
import { addAdmin, changeAdmin, codeOf, command, type OpenAdmins, openAdmins } from '../../../helpers/open-admins.ts';

describe('the last owner', () => {
  test('can neither be removed nor be anything else', async () => {
    const opened = openAdmins();
    const { id, version } = await addAdmin(opened, 'Ada');
    await addAdmin(opened, 'Grace', { role: 'manager', tenants: ['a'] });
    expect(await codeOf(opened.admins.removeAdmin(command, id))).toBe('LAST_OWNER');
    expect(await codeOf(changeAdmin(opened, id, { role: 'viewer', tenants: null }))).toBe('LAST_OWNER');
    expect(await opened.admins.findAdmin(id)).toMatchObject({ role: 'owner', tenants: null, version });
    await addAdmin(opened, 'Joan');
    expect(await codeOf(opened.admins.removeAdmin(command, id))).toBe('done');
  });

  test.each([
    [
      'make each other viewers',
      (opened: OpenAdmins, id: string) => changeAdmin(opened, id, { role: 'viewer', tenants: null }),
    ],
    ['remove each other', (opened: OpenAdmins, id: string) => opened.admins.removeAdmin(command, id)],
  ])('remains when two %s at once', async (_, act) => {
    const opened = openAdmins();
    const [ada, grace] = [await addAdmin(opened, 'Ada'), await addAdmin(opened, 'Grace')];
    const ends = await Promise.all([codeOf(act(opened, grace.id)), codeOf(act(opened, ada.id))]);
    expect(ends).toContain('LAST_OWNER');
    expect(await opened.store.admins.countAdmins('owner')).toBeGreaterThanOrEqual(1);
  });

  test('gets the role back when the other one was lost in between', async () => {
    let lose = async (_: Store) => {};
    const wrapStore = (store: Store): Store => ({
      ...store,
      admins: {
        ...store.admins,
        async replaceAdmin(record) {
          await lose(store);
          return store.admins.replaceAdmin(record);
        },
      },
    });
    const opened = openAdmins({ wrapStore });
    const [ada, grace] = [await addAdmin(opened, 'Ada'), await addAdmin(opened, 'Grace')];
    lose = async (store) => {
      lose = async () => {};
      await store.admins.removeAdmin(grace.id);
    };
    expect(await codeOf(changeAdmin(opened, ada.id, { role: 'manager', tenants: ['a'] }))).toBe('LAST_OWNER');
    expect(await opened.admins.findAdmin(ada.id)).toMatchObject({ role: 'owner', tenants: null });
  });
});
