import type { SlackApp } from '#domain/slack';
import type { InstalledSlack, SlackSource } from '#services/people/slack/recent-installs';
import type { SlackInstallations } from '#services/people/slack/slack-installations';

/** A Slack app, and where its Slack is. */
export interface SlackConnection extends SlackApp {
  /** Of the methods, with a slash at the end: `https://slack.com/api/`. */
  readonly apiUrl: string;
  /** Of the page that asks for permission. */
  readonly authorizationUrl: string;
  /** The installation there; null if there is none. */
  findInstalled(source: SlackSource): Promise<InstalledSlack | null>;
  /** Erases what is kept of a place that has removed the app, as `SlackInstallations.erase` does. */
  erase: SlackInstallations['erase'];
}

interface Made<T> {
  readonly credentials: string;
  readonly value: Promise<T>;
}

/** Makes something from a connection: when it is first needed, anew when its credentials change, and again where that failed. */
export function rememberByConnection<T>(
  make: (connection: SlackConnection) => Promise<T>,
): (connection: SlackConnection) => Promise<T> {
  const made = new Map<string, Made<T>>();
  return (connection) => {
    const { clientId } = connection;
    const credentials = writeCredentialsKey(connection);
    const known = made.get(clientId);
    if (known?.credentials === credentials) return known.value;
    const fresh = { credentials, value: make(connection) };
    made.set(clientId, fresh);
    fresh.value.catch(() => {
      if (made.get(clientId) === fresh) made.delete(clientId);
    });
    return fresh.value;
  };
}

/** Stays the same as long as the way to speak with a Slack does not change. */
export const writeCredentialsKey = ({
  clientId,
  clientSecret,
  signingSecret,
  apiUrl,
}: SlackConnection): string => JSON.stringify([clientId, clientSecret, signingSecret, apiUrl]);
