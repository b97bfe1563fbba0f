/** What the app may do, and nothing more. */
export const slackScopes = ['commands', 'chat:write', 'users:read'] as const;

/** A Slack app as its page at api.slack.com shows it. */
export interface SlackApp {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

/** The name of somebody in Slack for shelves and preferences. Ids of people are unique in the workspace or the organisation that
 *  the app is installed in.
 *  @example toSlackPerson('T1', 'U1') // 'slack:T1:U1' */
export const toSlackPerson = (installationId: string, userId: string): string =>
  toSlackPeoplePrefix(installationId) + userId;

/** What the names of all people of an installation begin with. */
export const toSlackPeoplePrefix = (installationId: string): string => `slack:${installationId}:`;
