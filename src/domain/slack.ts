export const slackScopes = ['commands', 'chat:write', 'users:read'] as const;

/** Further scopes if links to this host unfurl. */
export const slackLinkScopes = ['links:read', 'links:write'] as const;

export const listSlackScopes = (unfurlsLinks: boolean): string[] => [
  ...slackScopes,
  ...(unfurlsLinks ? slackLinkScopes : []),
];

/** Credentials of a Slack app, from its page at api.slack.com. */
export interface SlackApp {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

/** Slack's user IDs are unique only in a workspace or organisation.
 *  @example toSlackPerson('T1', 'U1') // 'slack:T1:U1' */
export const toSlackPerson = (installationId: string, userId: string): string =>
  toSlackPeoplePrefix(installationId) + userId;

export const toSlackPeoplePrefix = (installationId: string): string => `slack:${installationId}:`;
