import { openUpstreamInspector } from '#compose/connections';
import { readUpstreamConfig } from '#config';
import { AppError, type Problem } from '#errors';
import type { Finding, Inspection, UpstreamConnection } from '#ports/upstream';
import { countInWords, isOutputRead, type JsonOption, print, printJson } from '../print.ts';

export interface UpstreamOptions extends JsonOption {
  readonly upstream?: string;
  readonly key?: string;
  readonly marketplace?: string;
  readonly marketplaceKey?: string;
  readonly feedback?: boolean;
}

/** Exit code. */
const DEVIATIONS_FOUND = 1;

/** Errors: CONFIG_INVALID, UPSTREAM_ADDRESS_REFUSED, UPSTREAM_UNREACHABLE. */
export async function examineUpstream(options: UpstreamOptions): Promise<void> {
  const connection = toUpstreamConnection(options, readUpstreamConfig());
  const calls = await inspect(connection, options);
  const deviations = countOf(calls, 'deviation');
  const notes = countOf(calls, 'note');
  if (options.json) printJson({ calls, deviations, notes });
  else printSum(calls, { deviations, notes, feedback: options.feedback });
  if (calls.every(({ status }) => status === null))
    throw new AppError(
      'UPSTREAM_UNREACHABLE',
      'No call was answered, so there is nothing to compare. Check the address, and that the service runs.',
    );
  if (deviations > 0) process.exitCode = DEVIATIONS_FOUND;
}

/** Errors: UPSTREAM_ADDRESS_REFUSED; CONFIG_INVALID for a key that cannot be sent. */
async function inspect(connection: UpstreamConnection, options: UpstreamOptions): Promise<readonly Inspection[]> {
  const inspector = openUpstreamInspector();
  const calls: Inspection[] = [];
  try {
    const withFeedback = options.feedback ?? false;
    for await (const call of inspector.inspect(connection, { withFeedback })) {
      calls.push(call);
      if (!options.json) printCall(call);
      if (!isOutputRead()) break;
    }
    return calls;
  } catch (error) {
    // The person who entered the key can correct it; no service has refused it.
    const isKey = error instanceof AppError && error.code === 'UPSTREAM_KEY_REFUSED';
    throw isKey ? new AppError('CONFIG_INVALID', error.message) : error;
  } finally {
    await inspector.close();
  }
}

function printSum(
  calls: readonly Inspection[],
  { deviations, notes, feedback }: { deviations: number; notes: number; feedback: boolean | undefined },
): void {
  const madeCalls = calls.filter(({ isAsked }) => isAsked).length;
  const notAsked = madeCalls < calls.length ? ` and ${calls.length - madeCalls} not made` : '';
  if (feedback && !calls.some(({ operation }) => operation === 'feedback'))
    print('No feedback was given: no search found anything to give it on.');
  print(
    `${countInWords(madeCalls, 'call')}${notAsked}: ${countInWords(deviations, 'deviation')}, ${countInWords(notes, 'note')}.`,
  );
}

/** Errors: CONFIG_INVALID with all missing settings. */
function toUpstreamConnection(options: UpstreamOptions, settings: ReturnType<typeof readUpstreamConfig>) {
  const url = options.upstream ?? settings.url;
  const gateway = options.marketplace ?? (options.upstream === undefined ? settings.marketplaceUrl : undefined);
  const apiKey = options.key ?? keyFor(url, { url: settings.url, key: settings.apiKey });
  const gatewayKey =
    options.marketplaceKey ?? keyFor(gateway, { url: settings.marketplaceUrl, key: settings.marketplaceKey });
  const problems: Problem[] = [
    ...(url ? [] : [missing('--upstream', 'UPSTREAM_URL')]),
    ...(apiKey ? [] : [missing('--key', 'UPSTREAM_API_KEY')]),
    ...(gateway && !gatewayKey ? [missing('--marketplace-key', 'MARKETPLACE_KEY')] : []),
  ];
  if (!url || !apiKey || problems.length > 0)
    throw new AppError('CONFIG_INVALID', 'There is not enough to call the service with.', { problems });
  return { url, apiKey, ...(gateway && gatewayKey && { marketplace: { url: gateway, key: gatewayKey } }) };
}

/** A key from the settings is only sent to the service in the settings. */
function keyFor(
  url: string | undefined,
  settings: { readonly url: string | undefined; readonly key: string | undefined },
): string | undefined {
  const isForIt = settings.url === undefined || originOf(settings.url) === originOf(url);
  return isForIt ? settings.key : undefined;
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : url;
}

function missing(option: string, setting: string): Problem {
  return { path: option, problem: `is required, or ${setting} for the same address` };
}

function countOf(calls: readonly Inspection[], severity: Finding['severity']): number {
  return calls.flatMap(({ findings }) => findings).filter((each) => each.severity === severity).length;
}

const NAME_WIDTH = 34;

function printCall({ operation, purpose, status, milliseconds, isAsked, findings }: Inspection): void {
  const name = purpose === '' ? operation : `${operation}, ${purpose}`;
  const deviations = findings.filter(({ severity }) => severity === 'deviation').length;
  const verdict = deviations === 0 ? (isAsked ? 'ok' : 'not asked') : countInWords(deviations, 'deviation');
  print(`${name.padEnd(NAME_WIDTH)}  ${status ?? '---'}  ${String(milliseconds).padStart(5)} ms  ${verdict}`);
  for (const { severity, path, problem, times } of findings)
    print(`  ${severity.padEnd(9)}  ${path}: ${problem}${times > 1 ? ` (${times} times)` : ''}`);
}
