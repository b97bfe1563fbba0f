import { systemActor } from '../../../../src/domain/admin.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { type FakePlatform, type FakePlatformOptions, startFakePlatform } from '../../../fakes/lti-platform.ts';
import { fieldOf, textOf } from '../../admin/read-page.ts';
import { type LtiOptions, type RunningLti, startLti } from '../start-lti.ts';

export interface Registration {
  readonly lti: RunningLti;
  readonly platform: FakePlatform;
  /** A new link of a tenant, as an administrator copies it. */
  makeLink(tenantId?: string): Promise<string>;
  /** What the platform opens in its frame. */
  open(address: string): Promise<Shown>;
  /** Sends the form of a page, with what somebody typed. */
  send(page: Shown, typed?: Readonly<Record<string, string>>): Promise<Shown>;
  /** Opens the link in the platform and sends the form. */
  register(link: string, typed?: Readonly<Record<string, string>>): Promise<Shown>;
  close(): Promise<void>;
}

export interface Shown {
  readonly status: number;
  readonly html: string;
  /** Without tags, in one line. */
  readonly text: string;
  readonly headers: Headers;
}

/** The tool, and a platform that is to be registered. */
export async function startRegistration(
  options: FakePlatformOptions = {},
  ltiOptions: LtiOptions = {},
): Promise<Registration> {
  const [lti, platform] = await Promise.all([startLti(ltiOptions), startFakePlatform(options)]);
  const read = async (response: Response): Promise<Shown> => {
    const html = await response.text();
    return { status: response.status, html, text: textOf(html), headers: response.headers };
  };
  const open = async (address: string) => read(await fetch(address));

  async function send({ html }: Shown, typed: Readonly<Record<string, string>> = {}): Promise<Shown> {
    const names = ['token', 'draft', 'name', 'replaces'];
    const sent = names.flatMap((name) => {
      const value = typed[name] ?? fieldOf(html, name);
      return value === undefined ? [] : [[name, value]];
    });
    return read(await fetch(`${lti.url}/lti/register`, { method: 'POST', body: new URLSearchParams(sent) }));
  }

  return {
    lti,
    platform,
    async makeLink(tenantId = DEFAULT_TENANT) {
      const { token } = await lti.services.ltiRegistrationLinks.create(systemActor, tenantId);
      return `${lti.url}/lti/register?token=${token}`;
    },
    open,
    send,
    register: async (link, typed) => send(await open(platform.registrationUrl(link)), typed),
    async close() {
      await Promise.all([lti.close(), platform.close()]);
    },
  };
}
