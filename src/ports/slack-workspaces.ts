export interface SlackWorkspaces {
  /** Removes the app from the workspace of this token. Errors: SLACK_FAILED, SLACK_THROTTLED. */
  uninstall(botToken: string): Promise<void>;
}
