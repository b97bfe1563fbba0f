import { expect, onTestFinished, test } from 'vitest';
import {
  findSavedState,
  getSavedState,
  parseButtonValue,
  parseMenuChoice,
} from '../../../src/faces/slack/saved-state.ts';
import { openServices } from '../../helpers/open-services.ts';

const owner = { tenantId: 'default', person: 'slack:T1:U1' };

test('stored state is read by its person only, and as its kind only', async () => {
  const services = await openServices();
  onTestFinished(() => services.close());
  const token = await services.savedStates.keep(owner, { kind: 'list', items: [1] });
  expect(await getSavedState({ ...services, owner }, { token, kind: 'list' })).toEqual({ kind: 'list', items: [1] });
  expect(await findSavedState({ ...services, owner }, { token, kind: 'other' })).toBeNull();
  expect(await findSavedState({ ...services, owner }, { token: '', kind: 'list' })).toBeNull();
  const other = { ...services, owner: { ...owner, person: 'slack:T1:U2' } };
  await expect(getSavedState(other, { token, kind: 'list' })).rejects.toMatchObject({
    code: 'SLACK_STATE_OVER',
  });
});

test.each([
  ['abc:3', { token: 'abc', number: 3 }],
  ['abc', { token: 'abc', number: 0 }],
  ['', { token: '', number: 0 }],
  ['abc:-1', { token: 'abc', number: 0 }],
  ['abc:99999', { token: 'abc', number: 0 }],
])('the value %j names %j', (value, named) => {
  expect(parseButtonValue(value)).toEqual(named);
});

test('reads the choice of a menu', () => {
  expect(parseMenuChoice('save:abc:3', ['save', 'share'])).toEqual({ choice: 'save', value: 'abc:3' });
});

test.each(['constructor:abc:3', 'save', ''])('refuses %j, which is no choice of the menu', (chosen) => {
  expect(() => parseMenuChoice(chosen, ['save', 'share'])).toThrow(/no such choice/);
});
