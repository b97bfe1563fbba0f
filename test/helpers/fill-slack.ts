import { noPreferences } from '../../src/domain/person.ts';
import type { PersonRecord, SlackInstallationRecord, Store } from '../../src/ports/store/store.ts';

/** How many records `fillSlack` makes for one tenant. */
export const FILLED_SLACK = { slackInstallations: 2, people: 2 } as const;

const at = new Date('2026-02-28T12:34:56.789Z');

/** An installation and a person with everything, and those with as little as there can be. */
export async function fillSlack({ slackInstallations, people }: Store, tenantId: string): Promise<void> {
  for (const isBare of [false, true]) {
    await slackInstallations.putInstallation(installation(tenantId, isBare));
    await people.savePerson(person(tenantId, isBare));
  }
}

const installation = (tenantId: string, isBare: boolean): SlackInstallationRecord => ({
  id: `${isBare ? 'E' : 'T'}-${tenantId}`,
  tenantId,
  kind: isBare ? 'organisation' : 'workspace',
  name: `École “日本” ${tenantId}`,
  enterpriseId: isBare ? null : 'E1',
  appId: 'A1',
  botId: 'B1',
  botUserId: 'U0',
  scopes: isBare ? [] : ['commands', 'chat:write'],
  installedBy: 'U1',
  installedAt: at,
});

const person = (tenantId: string, isBare: boolean): PersonRecord => ({
  tenantId,
  person: isBare ? 'slack:T1:U2' : 'slack:T1:U1',
  shelfPerson: isBare ? 'slack:T1:U2' : 'lti:Ève of “日本”',
  preferences: isBare ? noPreferences : preferences,
  recentSearches: isBare ? [] : [{ text: 'école “日本” lang:fr', searchedAt: at }],
  savedSearches: isBare ? [] : ['“日本” type:video', 'docker'],
  version: 1,
});

const preferences: PersonRecord['preferences'] = {
  locale: 'fr',
  lang: 'en',
  level: 'advanced',
  types: ['video'],
  providers: ['edx', 'youtube'],
  itemsPerPage: 3,
};
