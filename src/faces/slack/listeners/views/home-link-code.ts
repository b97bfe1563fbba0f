import { AppError } from '../../../../errors.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { CODE_FIELD, linkedModal } from '../../home/link-modal.ts';
import { showHome } from '../../home/show-home.ts';
import type { SlackContext, ViewAnswer, ViewListener } from '../../listener.ts';

/** What can be wrong with a code, and what is said beside its field. */
const problems: Readonly<Record<string, string>> = {
  LINK_CODE_INVALID: 'slackHome.link.invalid',
  LINK_CODE_THROTTLED: 'slackHome.link.throttled',
  SHELF_FULL: 'slackHome.link.full',
};

export function homeLinkCodeListener(deps: HomeDeps): ViewListener {
  return {
    kind: 'view',
    callbackId: 'home_link_code',
    async submit(context, { values }) {
      const code = values[CODE_FIELD]?.[CODE_FIELD]?.value?.trim() ?? '';
      const problem = code === '' ? 'slackHome.link.empty' : await link(deps, context, code);
      const words = await context.words();
      if (problem !== null) return refused(words.t(problem));
      return {
        show: { kind: 'update', view: linkedModal(words) },
        afterwards: async () => {
          await showHome(deps, context);
          return { kind: 'done' };
        },
      };
    },
  };
}

/** @returns what is wrong with it; null where both are linked now */
async function link({ people }: HomeDeps, { owner }: SlackContext, code: string): Promise<string | null> {
  try {
    await people.link(owner, code);
    return null;
  } catch (error) {
    const problem = error instanceof AppError ? problems[error.code] : undefined;
    if (problem === undefined) throw error;
    return problem;
  }
}

const refused = (problem: string): ViewAnswer => ({
  show: { kind: 'errors', errors: { [CODE_FIELD]: problem } },
});
