import type { Logger, LogLevel } from '@slack/bolt';

/** Tokens of Slack: `xoxb-…`, `xapp-…`, `xoxe.xoxb-…`. */
const TOKEN = /\bx(?:ox|app)[\w.-]{4,}/g;

/** Bolt's errors go where all problems go, without tokens. What it merely wants to mention, it says of every request. */
export function createBoltLogger(onProblem: (error: unknown) => void): Logger {
  const silent = () => undefined;
  return {
    debug: silent,
    info: silent,
    warn: silent,
    error: (...said: unknown[]) =>
      onProblem(new Error(`Bolt: ${said.map(toText).join(' ')}`.replace(TOKEN, '•••'))),
    setLevel: silent,
    setName: silent,
    getLevel: () => 'error' as LogLevel,
  };
}

const toText = (said: unknown): string =>
  said instanceof Error ? `${said.name}: ${said.message}` : String(said);
