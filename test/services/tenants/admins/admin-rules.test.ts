import { describe, expect, test } from 'vitest';
import { addAdmin, byOidc, codeOf, command, openAdmins, tokenOf } from '../../../helpers/open-admins.ts';

describe('names', () => {
  test.each([
    ['', 'name-empty'],
    [' \t\n', 'name-empty'],
    ['---', 'name-empty'],
    ['\u0301', 'name-empty'],
    ['Ada\u0000', 'name-unprintable'],
    ['Ada\nLovelace', 'name-unprintable'],
    ['Ada\u202elovelaceA', 'name-unprintable'],
    ['Ada\u200bLovelace', 'name-unprintable'],
    ['Ada\u00adLovelace', 'name-unprintable'],
    ['\u3164\u3164', 'name-unprintable'],
    ['Ada\ue000', 'name-unprintable'],
    ['x'.repeat(101), 'name-too-long'],
  ])('%j is refused', async (name, reason) => {
    const opened = openAdmins();
    const link = (await opened.links.createSetupLink(command))!;
    await expect(opened.links.useLink(tokenOf(link), byOidc(name), null)).rejects.toMatchObject({
      code: 'FORM_INVALID',
      problems: [{ path: 'name', reason }],
    });
  });

  test.each([
    ['  Ada   Lovelace ', 'Ada Lovelace'],
    ['Ame\u0301lie', 'Am\u00e9lie'],
    ['ada@example.org', 'ada@example.org'],
    ['李', '李'],
    ['🎻1', '🎻1'],
    [`x${'🎻'.repeat(99)}`, `x${'🎻'.repeat(99)}`],
  ])('%j is kept as %j', async (name, kept) => {
    const opened = openAdmins();
    const link = (await opened.links.createSetupLink(command))!;
    expect((await opened.links.useLink(tokenOf(link), byOidc(name), null)).name).toBe(kept);
  });

  test('are not given twice, in whatever case and with whatever accents', async () => {
    const opened = openAdmins();
    await addAdmin(opened, 'Amélie');
    for (const name of ['amelie', 'AMÉLIE', ' Ame\u0301lie '])
      expect(await codeOf(addAdmin(opened, name))).toBe('ADMIN_NAME_TAKEN');
  });
});
