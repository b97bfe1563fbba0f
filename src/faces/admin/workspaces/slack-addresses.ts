import { isLoopback } from '../../../domain/loopback.ts';

/** @param token of a link; without one a workspace comes to the default tenant, or stays with the one that it has */
export function installAddress(publicUrl: string, token?: string): string {
  const query = token === undefined ? '' : `?${new URLSearchParams({ token })}`;
  return `${publicUrl}/slack/install${query}`;
}

/** Why Slack has no way to a host: its address is not https, nor is it one that Slack could call; null where all is well.
 *  Socket Mode spares Slack the way to the host, but not people the way back from Slack's page, which is https only. */
export type AddressProblem = 'http' | 'local' | 'localSocket' | null;

export function findAddressProblem(publicUrl: string, usesSocketMode: boolean): AddressProblem {
  const isHttps = publicUrl.startsWith('https:');
  if (!isLoopback(publicUrl)) return isHttps ? null : 'http';
  if (!usesSocketMode) return 'local';
  return isHttps ? null : 'localSocket';
}
