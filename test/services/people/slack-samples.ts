import type { NewSlackInstallation } from '../../../src/services/people/slack/slack-installations.ts';

/** A workspace as Slack tells of it. */
export const acme: NewSlackInstallation = {
  id: 'T1',
  kind: 'workspace',
  name: 'Acme',
  enterpriseId: null,
  appId: 'A1',
  botId: 'B1',
  botUserId: 'U9',
  scopes: ['commands'],
  installedBy: 'U1',
  botToken: 'xoxb-1',
};
