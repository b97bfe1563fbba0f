import type { SlackConnection } from '../deps.ts';

interface Made<T> {
  readonly credentials: string;
  readonly value: T;
}

/** What is made of a connection: when it is first needed, and anew when its credentials change. */
export function rememberByCredentials<T>(
  make: (connection: SlackConnection) => T,
): (connection: SlackConnection) => T {
  const made = new Map<string, Made<T>>();
  return (connection) => {
    const { clientId } = connection;
    const credentials = credentialsOf(connection);
    const known = made.get(clientId);
    if (known?.credentials === credentials) return known.value;
    const value = make(connection);
    made.set(clientId, { credentials, value });
    return value;
  };
}

/** The same for as long as nothing changes in how a Slack is spoken with. */
export const credentialsOf = ({ clientId, clientSecret, signingSecret, apiUrl }: SlackConnection): string =>
  JSON.stringify([clientId, clientSecret, signingSecret, apiUrl]);
