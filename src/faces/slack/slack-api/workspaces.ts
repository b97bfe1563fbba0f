import type { SlackWorkspaces } from '#ports/slack-workspaces';
import type { SlackConnection } from '../connection.ts';
import { createSlackApi } from './slack-api.ts';
import { createSlackOffError } from './slack-failures.ts';

export interface SlackWorkspacesDeps {
  findConnection(): Promise<SlackConnection | null>;
  onProblem(error: unknown): void;
}

/** What the host asks of Slack on its own. */
export function createSlackWorkspaces({ findConnection, onProblem }: SlackWorkspacesDeps): SlackWorkspaces {
  return {
    async uninstall(botToken) {
      const connection = await findConnection();
      if (connection === null) throw createSlackOffError();
      const { apiUrl, clientId, clientSecret } = connection;
      const call = createSlackApi(apiUrl, onProblem).as(botToken);
      await call('apps.uninstall', { client_id: clientId, client_secret: clientSecret });
    },
  };
}
