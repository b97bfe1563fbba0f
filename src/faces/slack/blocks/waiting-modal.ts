import type { ObjectWords } from '../../object-view/facts.ts';
import type { ModalView } from './block-kit.ts';
import { modalOf, section } from './elements.ts';

/** Shown at once, until what was asked for is there. */
export function waitingModal(
  { title, callbackId }: { readonly title: string; readonly callbackId: string },
  { t }: ObjectWords,
): ModalView {
  const message = { blocks: [section(t('slack.searching'))] };
  return modalOf(message, { title, callbackId, close: t('slack.close') });
}
