import { z } from 'zod';
import { AppError } from './errors.ts';

export const MIN_SECRET_LENGTH = 32;

function wholeNumber(min: number, max: number) {
  const wanted = `a whole number from ${min} to ${max}`;
  return z.coerce.number(wanted).int(wanted).min(min, wanted).max(max, wanted);
}

/** The settings of the host, all optional; docs/configuration.md explains each one. An empty value counts as absent. */
const environment = z.object({
  /** TCP port; 0 takes any free one. */
  PORT: wholeNumber(0, 65_535).default(3000),
  /** Address to listen on; absent listens on all. */
  HOST: z.string().optional(),
  /** Where people reach the host, without a path; absent means http://localhost:PORT. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'an http or https address such as https://skills.example.org' })
    .refine(
      (url) => !URL.canParse(url) || `${new URL(url).origin}/` === new URL(url).href,
      'an address without a path',
    )
    .transform((url) => new URL(url).origin)
    .optional(),
  /** Folder for everything the host writes. */
  DATA_DIR: z.string().default('./var'),
  /** At least 32 characters; absent: made at first start and kept in DATA_DIR. */
  SECRET_KEY: z.string().min(MIN_SECRET_LENGTH, `at least ${MIN_SECRET_LENGTH} characters`).optional(),
  /** Absent: made at first start and kept in DATA_DIR. */
  DEMO_API_KEY: z.string().min(8, 'at least 8 characters').max(200).optional(),
  /** Number of proxies in front of the host whose X-Forwarded-For is believed. */
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export interface Config {
  readonly port: number;
  readonly host: string | undefined;
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  readonly secretKey: string | undefined;
  readonly demoApiKey: string | undefined;
  readonly trustProxy: number;
  readonly logLevel: string;
}

/** Read the settings. Errors: CONFIG_INVALID with every problem at once. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({
      path: path.join('.'),
      problem: message,
    }));
    throw new AppError(
      'CONFIG_INVALID',
      'These settings cannot be used. Correct them in the environment and start again.',
      {
        problems,
      },
    );
  }
  const { data } = parsed;
  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: data.PUBLIC_URL,
    dataDir: data.DATA_DIR,
    secretKey: data.SECRET_KEY,
    demoApiKey: data.DEMO_API_KEY,
    trustProxy: data.TRUST_PROXY,
    logLevel: data.LOG_LEVEL,
  };
}
