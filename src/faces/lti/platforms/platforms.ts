import type { LtiProduct } from '../../../domain/lti/registration.ts';
import { blackboard } from './blackboard.ts';
import { brightspace } from './brightspace.ts';
import { canvas } from './canvas.ts';
import { generic } from './generic.ts';
import { moodle } from './moodle.ts';
import type { PlatformPlugin, PlatformTraits } from './platform.ts';
import { sakai } from './sakai.ts';

const plugins: Readonly<Record<LtiProduct, PlatformPlugin>> = {
  moodle,
  canvas,
  blackboard,
  brightspace,
  sakai,
  generic,
};

export const platformOf = (product: LtiProduct): PlatformPlugin => plugins[product];

/** The product of a platform; `generic` for one that we do not know. */
export function recognise(platform: PlatformTraits): PlatformPlugin {
  return Object.values(plugins).find((plugin) => plugin.recognises(platform)) ?? generic;
}
