import type { SlackApp } from '../../../src/domain/slack.ts';
import type { NewSlackInstallation } from '../../../src/services/people/slack/slack-installations.ts';

/** A Slack app that nobody made. */
export const anyApp: SlackApp = {
  clientId: '1234567890.0987654321',
  clientSecret: 'client-secret-of-tests-c1c1',
  signingSecret: 'signing-secret-of-tests-5959',
};

/** A workspace that nobody is in. */
export const anyWorkspace: NewSlackInstallation = {
  id: 'T0001',
  kind: 'workspace',
  name: 'Faculty of Lyon',
  enterpriseId: null,
  appId: 'A0001',
  botId: 'B0001',
  botUserId: 'U0001',
  scopes: ['commands', 'chat:write', 'users:read'],
  installedBy: 'U0042',
  botToken: 'bot-token-of-tests-in-T0001',
};
