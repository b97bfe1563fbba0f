/** Scopes that the app asks for. */
export const slackScopes = ['commands', 'chat:write', 'users:read'] as const;

/** Credentials of a Slack app, as its page at api.slack.com shows them. */
export interface SlackApp {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

/** Id of a person in Slack for shelves and preferences. Slack's ids are unique in the workspace or
 *  organisation where the app is installed.
 *  @example toSlackPerson('T1', 'U1') // 'slack:T1:U1' */
export const toSlackPerson = (installationId: string, userId: string): string =>
  toSlackPeoplePrefix(installationId) + userId;

/** Prefix of the ids of all people of an installation. */
export const toSlackPeoplePrefix = (installationId: string): string => `slack:${installationId}:`;
