/** Crosses out secrets in what is about to be logged: a last line of defence behind those that log none. */
export interface Mask {
  /** From now on, cross out this very text too. */
  hide(secret: string | undefined): void;
  apply(text: string): string;
}

const CROSSED_OUT = '•••';
/** A few characters are no secret, and would cross out half of a log. */
const MIN_LENGTH = 8;
/** Far more than the tenants of a host have keys. */
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

export function createMask(): Mask {
  const hidden = new Set<string>();
  /** Made anew when it is needed next after a secret was added. */
  let pattern: RegExp | null = null;
  return {
    hide(secret) {
      if (secret === undefined || secret.length < MIN_LENGTH || hidden.size >= MAX_HIDDEN) return;
      const before = hidden.size;
      // As it is, as an address has it, and as JSON has it.
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        hidden.add(form);
      if (hidden.size > before) pattern = null;
    },
    apply(text) {
      pattern ??= patternOf(hidden);
      let masked = hidden.size === 0 ? text : text.replace(pattern, CROSSED_OUT);
      for (const [known, replacement] of wellKnown) masked = masked.replace(known, replacement);
      return masked;
    },
  };
}

function patternOf(texts: ReadonlySet<string>): RegExp {
  return new RegExp([...texts].sort(longestFirst).map(escapePattern).join('|'), 'g');
}

const longestFirst = (a: string, b: string) => b.length - a.length;

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
