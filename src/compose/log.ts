import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { createMask, type Mask } from './mask.ts';

export interface HostLog {
  readonly log: Logger;
  /** Secrets to cross out wherever they turn up. */
  readonly mask: Mask;
  /** Writes what is left. */
  flush(): void;
}

/** Names under which keys travel through this program and its libraries, at the top of what is logged or one below. */
const secretNames = [
  'apiKey',
  'key',
  'marketplaceKey',
  'password',
  'secretKey',
  'token',
  'cookie',
  'authorization',
  'headers',
  'body',
  'connection',
];

/** The longest that a line waits for others to be written with. */
const MAX_DELAY_MS = 200;

/** The host's log: JSON lines on standard error, and no secret in any of them.
 *  @param destination where to write instead */
export function createLog(config: Config, destination?: DestinationStream): HostLog {
  // Not line by line: a slow reader of the log must not hold up answers. What is left is written when the process ends.
  const together = { minLength: 4096, periodicFlush: MAX_DELAY_MS };
  const buffered = destination === undefined ? pino.destination({ dest: 2, sync: false, ...together }) : null;
  const mask = createMask();
  for (const secret of secretsOf(config)) mask.hide(secret);
  const log = pino(
    {
      level: config.logLevel,
      redact: secretNames.flatMap((name) => [name, `*.${name}`]),
      serializers: { err: describeError },
      hooks: { streamWrite: (line) => mask.apply(line) },
    },
    buffered ?? destination!,
  );
  return { log, mask, flush: () => buffered?.flush() };
}

function secretsOf(config: Config): readonly (string | undefined)[] {
  const { secretKey, previousSecretKeys, demoApiKey, adminPassword, upstream, oidc, slack } = config;
  const { embeddings, mongodbUri } = config;
  return [
    secretKey,
    ...previousSecretKeys,
    demoApiKey,
    adminPassword,
    upstream?.apiKey,
    upstream?.marketplaceKey,
    oidc?.clientSecret,
    embeddings?.apiKey,
    slack.app?.clientSecret,
    slack.app?.signingSecret,
    slack.appToken,
    mongodbUri,
  ];
}

/** What is logged of an error: what it says, and never what it carries, as that may be a request with its keys. */
function describeError(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: 'what was thrown is no Error' };
  const { code } = thrown as { readonly code?: unknown };
  const problems = thrown instanceof AppError && thrown.problems.length > 0 ? thrown.problems : undefined;
  return {
    type: thrown.name,
    ...(code !== undefined && { code: String(code) }),
    message: thrown.message,
    stack: stackOf(thrown),
    problems,
  };
}

const MAX_CAUSES = 5;

function stackOf(error: Error): string {
  const stacks: string[] = [];
  for (let each: unknown = error; each instanceof Error && stacks.length < MAX_CAUSES; each = each.cause)
    stacks.push(each.stack ?? `${each.name}: ${each.message}`);
  return stacks.join('\ncaused by: ');
}
