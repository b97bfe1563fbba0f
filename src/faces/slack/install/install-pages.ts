import type { Installation } from '@slack/bolt';
import type { Request, Response } from 'express';
import type { AppError } from '#errors';
import { beginErrorAnswer } from '#faces/app-errors';
import { setPageHeaders } from '#faces/page-headers';
import { views } from '#faces/views';
import { chooseLocale, type Languages } from '#faces/words/i18n';

interface FailedParts {
  readonly request: Request;
  readonly response: Response;
  /** Of the link that the installation was begun with. */
  readonly token: string | null;
}

export type InstallPages = ReturnType<typeof createInstallPages>;

export function createInstallPages(languages: Languages) {
  function send(view: string, model: object, { request, response }: Pick<FailedParts, 'request' | 'response'>) {
    const locale = chooseLocale(undefined, request.get('accept-language'));
    setPageHeaders(response, {});
    response.type('html').end(views.render(`slack/${view}`, { t: languages.translatorOf(locale), locale, ...model }));
  }

  return {
    sendInstalled(installation: Installation, request: Request, response: Response): void {
      const { team, enterprise } = installation;
      const name = team?.name ?? enterprise?.name ?? null;
      send('installed', { name, ...openSlackLinks(installation) }, { request, response });
    },
    sendFailed(error: AppError, parts: FailedParts): void {
      const { request, token } = parts;
      const { reference } = beginErrorAnswer(error, request, parts.response);
      const reason = reasonOf(error, languages.has);
      // Somebody may show the reference and ask why.
      request.log?.info(
        { reference, code: error.code, reason, slackError: slackErrorOf(error) },
        'Slack: not installed',
      );
      const again = `/slack/install${token === null ? '' : `?token=${encodeURIComponent(token)}`}`;
      send('failed', { reason, reference, again: FINAL.includes(reason) ? null : again }, parts);
    },
  };
}

/** Name of the words below `slack.install.failures`: the reason or the code, else the kind. */
function reasonOf({ code, kind, data }: AppError, has: Languages['has']): string {
  const named = code === 'SLACK_INSTALL_FAILED' ? String(data.reason) : code;
  return has(`slack.install.failures.${named}.title`) ? named : kind;
}

/** The same would happen again. */
const FINAL = ['LINK_INVALID', 'SLACK_OFF', 'SLACK_WORKSPACE_TAKEN', 'TENANT_DISABLED', 'TENANT_UNKNOWN'];

const slackErrorOf = ({ cause }: AppError): unknown =>
  (cause as { readonly data?: { readonly error?: unknown } } | undefined)?.data?.error;

/** `program` leads into Slack's program, null for an organisation, where no workspace is chosen;
 *  `workspaces` to where an organisation lets its workspaces use the app. */
function openSlackLinks(installation: Installation) {
  const { team, appId = '', enterpriseUrl, isEnterpriseInstall } = installation;
  if (isEnterpriseInstall === true || team === undefined) {
    const workspaces = webAddress(enterpriseUrl, `manage/organization/apps/profile/${appId}/workspaces/add`);
    return { program: null, browser: 'https://slack.com/', workspaces };
  }
  const program = `slack://app?${new URLSearchParams({ team: team.id, id: appId })}`;
  const browser = `https://slack.com/app_redirect?${new URLSearchParams({ app: appId, team: team.id })}`;
  return { program, browser, workspaces: null };
}

function webAddress(base: string | undefined, path: string): string | null {
  if (base === undefined || !URL.canParse(path, base)) return null;
  const url = new URL(path, base);
  return url.protocol === 'https:' ? url.href : null;
}
