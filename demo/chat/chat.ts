import { slackScopes } from '#domain/slack';
import type { Translate } from '#faces/words/i18n';
import type { Clock } from '#ports/clock';
import type { Grant } from '../slack/grants.ts';
import { createSlack, type Slack } from '../slack/slack.ts';
import type { ConnectedApp } from '../slack/world.ts';
import { type ChatWorld, createChatWorld, listSeeds, type Seed } from './chat-world.ts';

/** The Slack of one visitor, in which the app of this host is installed. */
export interface Chat {
  readonly world: ChatWorld;
  readonly slack: Slack;
  readonly grant: Grant;
  readonly installedAt: Date;
  /** Grows with every change of what people see. */
  version(): number;
  /** What the app did against Slack's rules, latest last. */
  listProblems(): readonly string[];
}

export interface ChatDeps {
  readonly clock: Clock;
  readonly app: ConnectedApp;
  /** Where the host reaches `/demo/slack` itself. */
  readonly serviceUrl: string;
  /** When all was said that is there from the beginning: the same in every chat of a process. */
  readonly seededAt: Date;
}

export interface NewChat {
  /** Of the browser. */
  readonly session: string;
  readonly t: Translate;
  readonly firstVersion: number;
}

const MAX_PROBLEMS = 5;
const MAX_PROBLEM_LENGTH = 300;
/** Of one conversation, as one person sees it. */
const MAX_MESSAGES = 40;

export function createChat(deps: ChatDeps, { session, t, firstVersion }: NewChat): Chat {
  const { clock, app, serviceUrl } = deps;
  const world = createChatWorld(session);
  let version = firstVersion;
  let problems: readonly string[] = [];
  const slack = createSlack({
    world,
    clock,
    url: serviceUrl,
    onProblem(problem) {
      problems = [...problems, problem.slice(0, MAX_PROBLEM_LENGTH)].slice(-MAX_PROBLEMS);
      version += 1;
    },
    onChange() {
      version += 1;
    },
  });
  slack.connect(app);
  const grant = slack.install({ placeId: world.teamId, userId: world.members[0].id }, slackScopes);
  addSeeds(slack, listSeeds(world, t), deps.seededAt);
  return {
    world,
    slack,
    grant,
    installedAt: clock.now(),
    version: () => version,
    listProblems: () => problems,
  };
}

function addSeeds({ conversations }: Slack, seeds: readonly Seed[], sentAt: Date): void {
  let before: string | null = null;
  for (const { isReply, ...message } of seeds) {
    const added = conversations.add({ ...message, threadTs: isReply ? before : null, sentAt });
    if (!isReply) before = added.ts;
  }
}

/** Forgets the oldest, so that no visitor fills the host. */
export function trimChat({ world, slack: { conversations } }: Chat): void {
  for (const { id: channelId } of world.channels)
    for (const { id } of world.members)
      for (const old of conversations.list(channelId, id).slice(0, -MAX_MESSAGES)) conversations.remove(old);
}
