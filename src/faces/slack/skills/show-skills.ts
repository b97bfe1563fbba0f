import { divider, type Message } from '../blocks/block-kit.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { Learn } from '../learn/learn.ts';
import { quoteLearnTerm } from '../learn/parse-learn.ts';
import type { SlackContext } from '../listener.ts';
import { findShareTarget, type ShareTarget } from '../share.ts';
import { type FoundSkills, findForWords, findInText, findSkills } from './find-skills.ts';
import { drawSkillsMessage } from './skills-message.ts';
import { readSkillsState, type SkillsState } from './skills-state.ts';

/** Finds skills for words or in a text. */
export interface Skills {
  /** Words give terms by taxonomy, a long text gives tags. Errors: those of `Discovery`. */
  find(context: SlackContext, text: string, options?: FindOptions): Promise<Message>;
  /** Terms like one, however long its label is. Errors: those of `Discovery`. */
  findLike(context: SlackContext, label: string, options: LikeOptions): Promise<Message>;
  /** The skills of a text, and the best learning objects for the first ones; null where nothing is recognised.
   *  Errors: those of `Discovery`. */
  readText(context: SlackContext, text: string, shareTo: ShareTarget | null): Promise<Message | null>;
  /** What was found before. @param only index of the only group to show; null shows the best of each
   *  Errors: SLACK_STATE_OVER. */
  showAgain(context: SlackContext, token: string, only: number | null): Promise<Message>;
}

export interface FindOptions {
  readonly shareTo?: ShareTarget | null;
}

export interface LikeOptions extends FindOptions {
  /** Token of what it is shown instead of. */
  readonly back: string;
}

/** More would hide the learning objects below them. */
const MAX_SKILLS_OF_TEXT = 5;

export function createSkills(
  { keptStates }: Pick<SlackFaceDeps, 'keptStates'>,
  learn: Pick<Learn, 'search'>,
): Skills {
  const show = async (
    context: SlackContext,
    state: SkillsState,
    token: string,
    only: number | null = null,
  ) => {
    const canShare = (state.shareTo ?? findShareTarget(context)) !== null;
    return drawSkillsMessage({ state, token, only, canShare }, await context.words());
  };

  async function keepAndShow(context: SlackContext, found: FoundSkills, options: Partial<LikeOptions>) {
    const { shareTo = null, back = null } = options;
    const state: SkillsState = { kind: 'skills', ...found, shareTo, back };
    return show(context, state, await keptStates.keep(context.owner, state));
  }

  return {
    find: async (context, text, options = {}) =>
      keepAndShow(context, await findSkills(context, text), options),
    findLike: async (context, label, options) =>
      keepAndShow(context, await findForWords(context, label), options),
    async readText(context, text, shareTo) {
      const found = await findInText(context, text);
      const [group] = found.groups;
      const [first] = group?.labels ?? [];
      if (group === undefined || first === undefined) return null;
      const best = { ...group, labels: group.labels.slice(0, MAX_SKILLS_OF_TEXT) };
      const [skills, objects] = await Promise.all([
        keepAndShow(context, { ...found, groups: [best] }, { shareTo }),
        learn.search(context, quoteLearnTerm(first), shareTo ?? undefined),
      ]);
      return { text: skills.text, blocks: [...skills.blocks, divider, ...objects.blocks] };
    },
    async showAgain(context, token, only) {
      return show(context, await readSkillsState({ keptStates }, context, token), token, only);
    },
  };
}
