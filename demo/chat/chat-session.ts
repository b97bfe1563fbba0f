import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';

const NAME = 'demo_chat';
const PATH = '/demo/slack';
const BYTES = 24;

/** Which chat is a browser's own. */
export function readSession({ headers }: Pick<Request, 'headers'>): string | null {
  return new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]{32})(?:;|$)`).exec(headers.cookie ?? '')?.[1] ?? null;
}

/** @returns one that no browser has yet */
export function beginSession(response: Response, isSecure: boolean): string {
  const session = randomBytes(BYTES).toString('base64url');
  response.cookie(NAME, session, { path: PATH, httpOnly: true, sameSite: 'lax', secure: isSecure });
  return session;
}
