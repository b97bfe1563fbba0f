import type { Config } from '#config';
import { findLoopbackOrigin } from '#domain/web-address';
import { toMinute } from '../print.ts';
import type { Stored } from './check-store.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;
/** Learning platforms and Slack refuse messages that seem older than some minutes. */
const MAX_DRIFT_MS = 60_000;

/** Active faces, and missing settings of the others. */
export function* checkFaces({ slack, hasDemo, publicUrl, oidc }: Config, { facts }: Stored): Iterable<Finding> {
  const hasSlack = slack.app !== undefined || facts?.hasSlackApp === true;
  const parts = [
    'API on',
    `LTI on, ${facts?.registrations ?? 0} platforms`,
    hasSlack ? 'Slack on' : 'Slack off (no app is entered)',
    `admin page on${oidc === undefined ? '' : `, with ${oidc.name}`}`,
    `demo ${hasDemo ? 'on' : 'off'}`,
  ];
  const summary = parts.join('; ');
  if (hasDemo && publicUrl !== undefined)
    yield warning('faces', summary, 'Take DEMO=1 away: the demo is for trying things out, and everybody can use it.');
  else if (facts?.admins === 0)
    yield warning(
      'faces',
      `${summary}; nobody has set up the admin page`,
      'Run skilldock admin link, and open what it prints.',
    );
  else yield ok('faces', summary);
}

/** Whether the clock of this machine was put back, or differs from that of the public address. */
export async function checkClock({ publicUrl }: Config, { facts }: Stored): Promise<Finding> {
  const now = new Date();
  const lastNoted = facts?.lastNotedAt ?? now;
  const advice = 'Let the machine set its clock by NTP: LTI and Slack refuse messages of another time.';
  if (lastNoted.getTime() > now.getTime() + MAX_DRIFT_MS)
    return fault('clock', `it is ${toMinute(now)} UTC, and the store has a note of ${toMinute(lastNoted)} UTC`, advice);
  const elsewhere = publicUrl === undefined ? null : await readDate(publicUrl);
  if (elsewhere !== null && Math.abs(elsewhere.getTime() - now.getTime()) > MAX_DRIFT_MS)
    return fault('clock', `it is ${toMinute(now)} UTC here and ${toMinute(elsewhere)} UTC at ${publicUrl}`, advice);
  return ok('clock', `${toMinute(now)} UTC`);
}

const createProbeOptions = () => ({ redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }) as const;

async function readDate(url: string): Promise<Date | null> {
  try {
    const { headers } = await fetch(url, { method: 'HEAD', ...createProbeOptions() });
    const date = new Date(headers.get('date') ?? '');
    return Number.isNaN(date.getTime()) ? null : date;
  } catch {
    return null;
  }
}

export async function checkPublicUrl(config: Config): Promise<Finding[]> {
  const { publicUrl, port, host, trustProxy } = config;
  const answer = port === 0 ? 'nothing' : await whatAnswers(findLoopbackOrigin(host, port));
  if (answer === 'another')
    return [fault('port', `another program answers at port ${port}`, 'Stop it, or set PORT to another one.')];
  const isRunning = answer === 'Skilldock';
  const address = await checkAddress(publicUrl, { isRunning, trustProxy });
  // Port 0 is any free one.
  return port === 0
    ? [address]
    : [ok('port', `the host ${isRunning ? 'runs' : 'does not run'} at port ${port}`), address];
}

async function checkAddress(
  publicUrl: string | undefined,
  { isRunning, trustProxy }: { readonly isRunning: boolean; readonly trustProxy: number },
): Promise<Finding> {
  const name = 'public address';
  if (publicUrl === undefined)
    return warning(
      name,
      'it is not set: links to the server work on this machine only',
      'Set PUBLIC_URL to the https address that people use.',
    );
  if (publicUrl.startsWith('http:'))
    return warning(
      name,
      `${publicUrl} is not https`,
      'Put the server behind a proxy with a certificate: platforms and Slack need https.',
    );
  const answering = await whatAnswers(publicUrl);
  if (answering === 'another')
    return fault(name, `something else answers at ${publicUrl}`, 'Let the proxy pass every path on to the host.');
  if (answering === 'nothing')
    return isRunning
      ? warning(
          name,
          `${publicUrl} cannot be reached from here`,
          'Check name, certificate and proxy, and open it from elsewhere.',
        )
      : warning(name, `nothing answers at ${publicUrl}`, 'Start the host, and run this again.');
  if (trustProxy === 0)
    return warning(
      name,
      `${publicUrl} leads to the server through a proxy that is not trusted`,
      'Set TRUST_PROXY=1, or all people count as one for limits.',
    );
  return ok(name, `${publicUrl} leads to the host`);
}

async function whatAnswers(origin: string): Promise<'Skilldock' | 'another' | 'nothing'> {
  try {
    const response = await fetch(`${origin}/healthz`, createProbeOptions());
    return (await response.text()) === '{"status":"ok"}' ? 'Skilldock' : 'another';
  } catch {
    return 'nothing';
  }
}
