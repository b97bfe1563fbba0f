import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '#config';
import { AppError } from '#errors';

export interface HostLog {
  readonly log: Logger;
  /** Masks secrets in log lines. */
  readonly mask: Mask;
  /** Writes buffered lines. */
  flush(): void;
}

/** Names of fields with keys, at the top level of a log entry or one below. */
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

/** Longest time for which a line is buffered. */
const MAX_DELAY_MS = 200;

/** The log of the host: JSON lines on standard error without secrets.
 *  @param destination where to write instead */
export function createLog(config: Config, destination?: DestinationStream): HostLog {
  const output = destination === undefined ? openStandardError() : { stream: destination, flush() {} };
  const mask = createMask();
  for (const secret of secretsOf(config)) mask.hide(secret);
  const log = pino(
    {
      level: config.logLevel,
      redact: secretNames.flatMap((name) => [name, `*.${name}`]),
      serializers: { err: describeError },
      hooks: { streamWrite: (line) => mask.apply(line) },
    },
    output.stream,
  );
  return { log, mask, flush: output.flush };
}

/** Buffered, so that a slow reader of the log does not delay answers. The rest is written when the
 *  process ends. */
function openStandardError(): { readonly stream: DestinationStream; flush(): void } {
  const together = { minLength: 4096, periodicFlush: MAX_DELAY_MS };
  const stream = pino.destination({ dest: 2, sync: false, ...together });
  return { stream, flush: () => stream.flush() };
}

function secretsOf(config: Config): readonly (string | undefined)[] {
  const { secretKey, previousSecretKeys, demoApiKey, adminPassword, upstream, oidc, slack } = config;
  const { mongodbUri, metricsToken, catalog } = config;
  return [
    secretKey,
    ...previousSecretKeys,
    demoApiKey,
    adminPassword,
    upstream?.apiKey,
    upstream?.marketplaceKey,
    oidc?.clientSecret,
    slack.app?.clientSecret,
    slack.app?.signingSecret,
    slack.appToken,
    mongodbUri,
    metricsToken,
    catalog?.user?.password,
    catalog?.apiKey,
  ];
}

const MAX_CAUSES = 5;

/** The logged part of an error: its message, never its data, which may be a request with its
 *  keys. */
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

function stackOf(error: Error): string {
  const stacks: string[] = [];
  for (let each: unknown = error; each instanceof Error && stacks.length < MAX_CAUSES; each = each.cause)
    stacks.push(each.stack ?? `${each.name}: ${each.message}`);
  return stacks.join('\ncaused by: ');
}

/** Masks secrets in log lines, in addition to code that logs none. */
export type Mask = ReturnType<typeof createMask>;

const CROSSED_OUT = '•••';

/** A shorter text is not a secret, and masking it would spoil the log. */
const MIN_LENGTH = 8;

/** Far more than the keys of all tenants. */
const MAX_HIDDEN = 5_000;

const wellKnown: readonly (readonly [RegExp, string])[] = [
  // Keys of this host, wherever they stand.
  [/\b(sk|demo)_[\w-]{16,}/g, `$1_${CROSSED_OUT}`],
  // Tokens of Slack, and the addresses that it lets answer through.
  [/\bx(?:ox[a-z]|app)[-.][\w.-]{8,}/g, CROSSED_OUT],
  [/(:\/\/hooks\.slack(?:-\w+)?\.com\/)[^?#"\\\s]+/g, `$1${CROSSED_OUT}`],
  // One-time links, and every token as long as theirs: however the address around it is written.
  [/(\/admin\/link\/)[^/?#"\\\s]+/g, `$1${CROSSED_OUT}`],
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, CROSSED_OUT],
  // Parameters that people put keys into, and what comes back from a sign-in.
  [
    /([?&](?:(?:x-)?(?:(?:api|marketplace|access|client|upstream|id)[-_]?)?(?:key|token|secret)|password|code|state)=)[^&#"\\\s]+/gi,
    `$1${CROSSED_OUT}`,
  ],
  // User and password of an address.
  [/(:\/\/)[^/@"\\\s]+@/g, `$1${CROSSED_OUT}@`],
];

function createMask() {
  const hidden = new Set<string>();
  /** Null after a secret was added; built when it is needed next. */
  let pattern: RegExp | null = null;
  return {
    /** Masks this text from now on. */
    hide(secret: string | undefined): void {
      if (secret === undefined || secret.length < MIN_LENGTH || hidden.size >= MAX_HIDDEN) return;
      const before = hidden.size;
      // In plain text, in an address and in JSON.
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        hidden.add(form);
      if (hidden.size > before) pattern = null;
    },
    apply(text: string): string {
      pattern ??= patternOf(hidden);
      let masked = hidden.size === 0 ? text : text.replace(pattern, CROSSED_OUT);
      for (const [shape, replacement] of wellKnown) masked = masked.replace(shape, replacement);
      return masked;
    },
  };
}

function patternOf(texts: ReadonlySet<string>): RegExp {
  return new RegExp([...texts].sort(longestFirst).map(escapePattern).join('|'), 'g');
}

const longestFirst = (a: string, b: string) => b.length - a.length;

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
