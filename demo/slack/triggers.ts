import { randomBytes } from 'node:crypto';
import type { Clock } from '#ports/clock';
import { removeOldest } from '../platform/expiring.ts';
import { refuseCall } from './refusal.ts';
import type { Actor } from './world.ts';

/** What a trigger id stands for: somebody who did something, and may be shown a modal for it. */
export interface Trigger {
  readonly actor: Actor;
  /** The modal it was done in; null outside of modals. */
  readonly viewId: string | null;
}

export interface Triggers {
  create(trigger: Trigger): string;
  /** Works once, and for three seconds. */
  use(id: unknown): Trigger;
}

const TRIGGER_SECONDS = 3;
const MAX_TRIGGERS = 2000;

export function createTriggers(clock: Clock): Triggers {
  const kept = new Map<string, { trigger: Trigger; expiresAt: number; isUsed: boolean }>();
  return {
    create(trigger) {
      const id = `${clock.now().getTime()}.${kept.size}.${randomBytes(16).toString('hex')}`;
      const expiresAt = clock.now().getTime() + TRIGGER_SECONDS * 1000;
      kept.set(id, { trigger, expiresAt, isUsed: false });
      if (kept.size > MAX_TRIGGERS) removeOldest(kept);
      return id;
    },
    use(id) {
      const found = kept.get(String(id)) ?? refuseCall('invalid_trigger_id');
      if (found.isUsed) refuseCall('exchanged_trigger_id');
      if (found.expiresAt <= clock.now().getTime()) refuseCall('expired_trigger_id');
      found.isUsed = true;
      return found.trigger;
    },
  };
}
