import { type DestinationStream, pino } from 'pino';
import type { Config } from '#config';
import { escapePattern } from '#domain/text';
import { AppError } from '#errors';

export type HostLog = ReturnType<typeof createLog>;

/** Names of fields with secrets, at the top level of a log entry or one level below. */
const secretNames =
  'apiKey key marketplaceKey password secretKey token cookie authorization headers body connection'.split(' ');

const MAX_DELAY_MS = 200;

/** Creates a log of JSON lines without secrets. @param destination replaces standard error */
export function createLog(config: Config, destination?: DestinationStream) {
  // Buffered: a slow reader of the log delays no answer. The rest is written at the end.
  const buffered = { dest: 2, sync: false, minLength: 4096, periodicFlush: MAX_DELAY_MS };
  const standardError = destination === undefined ? pino.destination(buffered) : null;
  const mask = createLogMask();
  for (const secret of listLogSecrets(config)) mask.hide(secret);
  const log = pino(
    {
      level: config.logLevel,
      redact: secretNames.flatMap((name) => [name, `*.${name}`]),
      serializers: { err: describeLoggedError },
      hooks: { streamWrite: (line) => mask.apply(line) },
    },
    standardError ?? destination,
  );
  return {
    log,
    /** Masks secrets in log lines. */
    mask,
    /** Writes buffered lines. */
    flush: () => standardError?.flush(),
  };
}

function listLogSecrets(config: Config): readonly (string | undefined)[] {
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

/** Describes an error without its data, which may contain a request with keys. */
function describeLoggedError(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: 'The thrown value is not an Error.' };
  const { code } = thrown as { readonly code?: unknown };
  const problems = thrown instanceof AppError && thrown.problems.length > 0 ? thrown.problems : undefined;
  return {
    type: thrown.name,
    ...(code !== undefined && { code: String(code) }),
    message: thrown.message,
    stack: joinLoggedStacks(thrown),
    problems,
  };
}

function joinLoggedStacks(error: Error): string {
  const stacks: string[] = [];
  for (let cause: unknown = error; cause instanceof Error && stacks.length < MAX_CAUSES; cause = cause.cause)
    stacks.push(cause.stack ?? `${cause.name}: ${cause.message}`);
  return stacks.join('\ncaused by: ');
}

export type Mask = ReturnType<typeof createLogMask>;
const MASK = '•••';
/** A shorter text is not a secret, and masking it would make the log unreadable. */
const MIN_SECRET_LENGTH = 8;
/** Maximum number of masked texts, far above the number of keys of all tenants. */
const MAX_MASKED_TEXTS = 5_000;

const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [/\b(sk|demo)_[\w-]{16,}/g, `$1_${MASK}`],
  // Tokens of Slack, and its addresses for responses.
  [/\bx(?:ox[a-z]|app)[-.][\w.-]{8,}/g, MASK],
  [/(:\/\/hooks\.slack(?:-\w+)?\.com\/)[^?#"\\\s]+/g, `$1${MASK}`],
  // One-time links, and every token of the same length.
  [/(\/admin\/link\/)[^/?#"\\\s]+/g, `$1${MASK}`],
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, MASK],
  // Query parameters with keys, and the parameters of a sign-in response.
  [
    /([?&](?:(?:x-)?(?:(?:api|marketplace|access|client|upstream|id)[-_]?)?(?:key|token|secret)|password|code|state)=)[^&#"\\\s]+/gi,
    `$1${MASK}`,
  ],
  // User and password in an address.
  [/(:\/\/)[^/@"\\\s]+@/g, `$1${MASK}@`],
];

function createLogMask() {
  const hidden = new Set<string>();
  /** Null after a secret was added; `apply` builds it again. */
  let pattern: RegExp | null = null;
  return {
    hide(secret: string | undefined): void {
      if (secret === undefined || secret.length < MIN_SECRET_LENGTH || hidden.size >= MAX_MASKED_TEXTS) return;
      const before = hidden.size;
      // As plain text, URL-encoded, and in JSON.
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) hidden.add(form);
      if (hidden.size > before) pattern = null;
    },
    apply(text: string): string {
      const longestFirst = (a: string, b: string) => b.length - a.length;
      pattern ??= new RegExp([...hidden].sort(longestFirst).map(escapePattern).join('|'), 'g');
      let masked = hidden.size === 0 ? text : text.replace(pattern, MASK);
      for (const [shape, replacement] of secretPatterns) masked = masked.replace(shape, replacement);
      return masked;
    },
  };
}
