import type { HomeDeps } from '../../home/home-deps.ts';
import { linkModal } from '../../home/link-modal.ts';
import type { ActionListener } from '../../listener.ts';

export function homeLinkListener({ people }: HomeDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_link',
    async handle({ owner, words }) {
      return { kind: 'modal', view: linkModal(await people.createLinkCode(owner), await words()) };
    },
  };
}
