import { noPreferences } from '../../../src/domain/person.ts';
import type { PersonRecord, SlackInstallationRecord } from '../../../src/ports/store/store.ts';
import { at } from './records.ts';

export const installation = (id: string, changes: Partial<SlackInstallationRecord> = {}): SlackInstallationRecord => ({
  id,
  tenantId: 'lyon',
  kind: 'workspace',
  name: `Workspace ${id}`,
  enterpriseId: null,
  appId: 'A1',
  botId: 'B1',
  botUserId: 'U0',
  scopes: ['commands', 'chat:write', 'users:read'],
  installedBy: 'U1',
  installedAt: at(0),
  ...changes,
});

/** Of somebody with a shelf of their own. */
export const person = (name: string, changes: Partial<PersonRecord> = {}): PersonRecord => ({
  tenantId: 'lyon',
  person: name,
  shelfPerson: name,
  preferences: noPreferences,
  recentSearches: [],
  savedSearches: [],
  version: 1,
  ...changes,
});
