import type { Installation } from '@slack/bolt';

export interface OpenSlackLinks {
  /** Into Slack's program; null where it cannot be said where to. */
  readonly program: string | null;
  readonly browser: string;
  /** Where an organisation lets its workspaces use the app. */
  readonly workspaces: string | null;
}

/** Where to go on from the page of success. */
export function openSlackLinks(installation: Installation): OpenSlackLinks {
  const { team, appId = '', enterpriseUrl, isEnterpriseInstall } = installation;
  if (isEnterpriseInstall === true || team === undefined) {
    const workspaces = webAddress(enterpriseUrl, `manage/organization/apps/profile/${appId}/workspaces/add`);
    return { program: null, browser: 'https://slack.com/', workspaces };
  }
  const [inProgram, inBrowser] = [
    new URLSearchParams({ team: team.id, id: appId }),
    new URLSearchParams({ app: appId, team: team.id }),
  ];
  return {
    program: `slack://app?${inProgram}`,
    browser: `https://slack.com/app_redirect?${inBrowser}`,
    workspaces: null,
  };
}

function webAddress(base: string | undefined, path: string): string | null {
  if (base === undefined || !URL.canParse(path, base)) return null;
  const url = new URL(path, base);
  return url.protocol === 'https:' ? url.href : null;
}
