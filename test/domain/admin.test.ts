import { describe, expect, test } from 'vitest';
import { adminRoles, chooseAdminRole, isAdminRoleAtLeast, parseAdminRoleRules } from '../../src/domain/admin.ts';

test('a role includes those that may do less', () => {
  const included = adminRoles.map((role) => [role, adminRoles.filter((least) => isAdminRoleAtLeast(role, least))]);
  expect(Object.fromEntries(included)).toEqual({
    viewer: ['viewer'],
    auditor: ['viewer', 'auditor'],
    manager: ['viewer', 'manager'],
    owner: ['viewer', 'auditor', 'manager', 'owner'],
  });
});

describe('rules of roles', () => {
  test('are read with the tenants after a colon', () => {
    expect(parseAdminRoleRules('lib-admins=owner; lyon staff = manager : lyon, paris ;revision=auditor;')).toEqual([
      { value: 'lib-admins', role: 'owner', tenants: null },
      { value: 'lyon staff', role: 'manager', tenants: ['lyon', 'paris'] },
      { value: 'revision', role: 'auditor', tenants: null },
    ]);
    expect(parseAdminRoleRules('cn=lib,ou=groups,dc=example=viewer:lyon')).toEqual([
      { value: 'cn=lib,ou=groups,dc=example', role: 'viewer', tenants: ['lyon'] },
    ]);
  });

  test.each([
    ...['', ';', 'lib', 'lib=', '=owner', ' =owner', 'lib=admin', 'lib=Owner', 'lib=owner:lyon', 'lib=manager'],
    ...['lib=manager:', 'lib=viewer:', 'lib=viewer: ,', 'lib=owner extra', 'a=owner; b', 'lib=owner=manager'],
  ])('%j is not one', (text) => {
    expect(parseAdminRoleRules(text)).toBeNull();
  });

  const rules = parseAdminRoleRules(
    'o=owner; l=manager:lyon; p=manager:paris,lyon; a=auditor; v=viewer:lyon; w=viewer',
  )!;
  test.each([
    ['o l', { role: 'owner', tenants: null, values: ['o'] }],
    ['l p', { role: 'manager', tenants: ['lyon', 'paris'], values: ['l', 'p'] }],
    // Who only looks at one tenant does not manage it for managing another.
    ['p w a', { role: 'manager', tenants: ['paris', 'lyon'], values: ['p'] }],
    ['a v', { role: 'auditor', tenants: null, values: ['a'] }],
    ['v w', { role: 'viewer', tenants: null, values: ['v', 'w'] }],
    ['v', { role: 'viewer', tenants: ['lyon'], values: ['v'] }],
    ['O owner o;l', null],
    ['', null],
  ])('of the values %j give %j', (values, role) => {
    expect(chooseAdminRole(rules, values.split(' '))).toEqual(role);
  });
});
