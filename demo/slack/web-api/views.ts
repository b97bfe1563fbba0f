import { z } from 'zod';
import { checkView } from '../block-kit/check.ts';
import type { Grant } from '../grants.ts';
import type { SlackParts } from '../parts.ts';
import { refuseCall } from '../refusal.ts';
import type { StoredView, ViewPayload } from '../views.ts';
import { type Methods, method } from './method.ts';

const shown = z.strictObject({ trigger_id: z.string(), view: z.unknown() });
const changed = z.strictObject({
  view_id: z.string().optional(),
  external_id: z.string().optional(),
  hash: z.string().optional(),
  view: z.unknown(),
});
const published = z.strictObject({ user_id: z.string(), hash: z.string().optional(), view: z.unknown() });

/** Source: https://docs.slack.dev/reference/methods?family=views. */
export function createViewMethods({ world, grants, views, triggers, payloads, app }: SlackParts): Methods {
  const answer = (view: StoredView) => ({ view: payloads.view(view, app()) });

  function findUser(grant: Grant, userId: string) {
    const teamId = world.members.find(({ id }) => id === userId)?.teamIds.find((id) => grants.covers(grant, id));
    return { userId, teamId: teamId ?? refuseCall('invalid_user_id'), channelId: '' };
  }

  /** A token must never get into the call of another workspace. */
  function checkTeam(grant: Grant, teamId: string): void {
    if (grants.covers(grant, teamId)) return;
    refuseCall('team_access_not_granted', [{ path: 'token', problem: `is not for ${teamId}` }]);
  }

  return {
    'views.open': method(null, shown, ({ trigger_id, view }, grant) => {
      const payload = readView(view, 'modal');
      const { actor } = triggers.use(trigger_id);
      checkTeam(grant, actor.teamId);
      return answer(views.open(actor, payload));
    }),
    'views.push': method(null, shown, ({ trigger_id, view }, grant) => {
      const payload = readView(view, 'modal');
      const { actor, viewId } = triggers.use(trigger_id);
      checkTeam(grant, actor.teamId);
      return answer(views.push(viewId, payload));
    }),
    'views.update': method(null, changed, ({ view_id, external_id, hash, view }, grant) => {
      const found = external_id === undefined ? views.find(view_id ?? '') : views.findByExternalId(external_id);
      const { id, payload, actor } = found ?? refuseCall('not_found');
      checkTeam(grant, actor.teamId);
      return answer(views.update(id, readView(view, payload.type), hash));
    }),
    'views.publish': method(null, published, ({ user_id, hash, view }, grant) =>
      answer(views.publish(findUser(grant, user_id), readView(view, 'home'), hash)),
    ),
  };
}

function readView(view: unknown, type: ViewPayload['type']): ViewPayload {
  const problems = checkView(view);
  if (problems.length > 0) refuseCall('invalid_arguments', problems);
  const payload = view as ViewPayload;
  if (payload.type !== type) refuseCall('invalid_arguments', [{ path: 'type', problem: `is not ${type}` }]);
  return payload;
}
