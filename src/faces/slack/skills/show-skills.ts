import { linkConcept } from '#faces/object-view/skill-address';
import { divider, type Message } from '../blocks/block-kit.ts';
import { quoteLearnTerm } from '../learn/parse-learn.ts';
import type { Reply, ShareTarget, SlackContext } from '../listener.ts';
import { findShareTarget } from '../share.ts';
import { findForWords, findInText, findSkills, type SkillsResult } from './find-skills.ts';
import { drawSkillsMessage } from './skills-message.ts';
import { readSkillsState, type SkillsPage, type SkillsState } from './skills-state.ts';

/** @param shareTo where skills of a modal can be shared to. Errors: those of `Discovery`. */
export async function showSkills(
  context: SlackContext,
  text: string,
  shareTo: ShareTarget | null = null,
): Promise<Message> {
  return showResult(context, await findSkills(context, text), { shareTo, back: null });
}

/** Shows terms like one, however long its label is. Errors: those of `Discovery`. */
export async function showSimilarSkills(context: SlackContext, label: string, options: ShowOptions): Promise<Message> {
  return showResult(context, await findForWords(context, label), options);
}

const MAX_SKILLS_OF_TEXT = 5;

/** Skills of a text, and the best objects for the first; null where none is recognised. */
export async function showSkillsOfText(
  context: SlackContext,
  text: string,
  shareTo: ShareTarget | null,
): Promise<Message | null> {
  const result = await findInText(context, text);
  const [group] = result.groups;
  const [first] = group?.labels ?? [];
  if (group === undefined || first === undefined) return null;
  const groups = [{ ...group, labels: group.labels.slice(0, MAX_SKILLS_OF_TEXT) }];
  const [skills, objects] = await Promise.all([
    showResult(context, { ...result, groups }, { shareTo, back: null }),
    context.learn.search(context, quoteLearnTerm(first), shareTo),
  ]);
  return { text: skills.text, blocks: [...skills.blocks, divider, ...objects.blocks] };
}

interface ShowOptions {
  readonly shareTo: ShareTarget | null;
  /** Token of the list that these skills replace, for the way back; or null. */
  readonly back: string | null;
}

async function showResult(context: SlackContext, result: SkillsResult, options: ShowOptions): Promise<Message> {
  const state: SkillsState = { kind: 'skills', ...result, ...options };
  const token = await context.savedStates.keep(context.owner, state);
  return drawSkills(context, { state, token, only: null });
}

/** @param only index of a group; null for the best of each. Errors: SLACK_STATE_OVER. */
export async function showSkillsAgain(context: SlackContext, token: string, only: number | null): Promise<Reply> {
  const state = await readSkillsState(context, token);
  return { kind: 'replace', message: await drawSkills(context, { state, token, only }) };
}

async function drawSkills(context: SlackContext, page: Pick<SkillsPage, 'state' | 'token' | 'only'>): Promise<Message> {
  const canShare = (page.state.shareTo ?? findShareTarget(context)) !== null;
  const pageOf: SkillsPage['pageOf'] = (uri) => {
    const path = linkConcept(context, uri ?? undefined);
    return path && context.publicUrl + path;
  };
  return drawSkillsMessage({ ...page, canShare, pageOf }, await context.words());
}
