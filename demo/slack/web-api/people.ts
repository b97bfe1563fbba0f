import { z } from 'zod';
import type { SlackParts } from '../parts.ts';
import { refuseCall } from '../refusal.ts';
import type { Member } from '../world.ts';
import { type Methods, method } from './method.ts';

const nothing = z.strictObject({});
const asked = z.strictObject({ user: z.string(), include_locale: z.boolean().optional() });

/** Source: https://docs.slack.dev/reference/methods/users.info, auth.test. */
export function createPeopleMethods({ world, grants }: SlackParts): Methods {
  return {
    'auth.test': method(null, nothing, (_args, { team, enterprise, ...grant }) => ({
      url: `https://${team?.domain ?? 'organisation'}.slack.com/`,
      team: team?.name ?? enterprise?.name,
      user: 'skilldock',
      team_id: team?.id ?? enterprise?.id,
      user_id: grant.botUserId,
      bot_id: grant.botId,
      ...(enterprise === null ? {} : { enterprise_id: enterprise.id }),
      is_enterprise_install: grant.isEnterpriseInstall,
    })),
    'users.info': method('users:read', asked, ({ user: userId, include_locale }, grant) => {
      const member = world.members.find(
        ({ id, teamIds }) => id === userId && teamIds.some((teamId) => grants.covers(grant, teamId)),
      );
      return { user: describeMember(member ?? refuseCall('user_not_found'), include_locale === true) };
    }),
  };
}

const describeMember = ({ id, teamIds, name, realName, locale }: Member, withLocale: boolean) => ({
  id,
  team_id: teamIds[0],
  name,
  deleted: false,
  real_name: realName,
  tz: 'Europe/London',
  profile: { real_name: realName, display_name: name },
  is_bot: false,
  ...(withLocale ? { locale } : {}),
});
