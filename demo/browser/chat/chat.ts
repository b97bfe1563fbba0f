/** The demo chat: a small Slack in which the app of this host answers. */

import { createComposer, createReplyBar } from './composer.ts';
import { find, getPresent } from './dom.ts';
import { createHome } from './home.ts';
import { askState, askSuggestions, tellAct } from './host.ts';
import { createMessages } from './messages.ts';
import { createModal } from './modal.ts';
import { announce, hideProblem, showFailure, showRefusals, showUndelivered } from './notices.ts';
import { createScroller } from './scroller.ts';
import { createSide, type Where } from './side.ts';
import type { Act, ChatState, Choice, Message, Place, Seen, View } from './state.ts';
import { type Surface, toChoice } from './surface.ts';
import { createWaiting } from './waiting.ts';
import { channelName, channels, locale, people, say } from './words.ts';

const chat = find('#chat');
/** The app answers people in their language: that of the page. */
const me = people.find((person) => person.locale === locale) ?? getPresent(people[0], 'people');
let seen: Seen = { userId: me.id, channelId: getPresent(channels[0], 'channels').id };
let where: Where = 'conversation';
/** Of what is shown; below 0 where nothing is. */
let version = -1;
let isShown = false;

const scroller = createScroller(find('.scrolls', chat), find('[data-jump]'));
const waiting = createWaiting(refresh, (isWaiting) => {
  find('[data-waiting]').textContent = isWaiting ? say('waiting') : '';
  modal.setWaiting(isWaiting);
});
const composer = createComposer(find('form.composer'), (text) => {
  void act({ kind: 'say', text, threadTs: replyBar.threadTs() });
});
const replyBar = createReplyBar(composer.field);
const modal = createModal({
  surfaceOf: (view) => surfaceOf({ kind: 'view', id: view.id }, view),
  submit: ({ id: viewId }, fields) => void act({ kind: 'submit', viewId, filled: fields.map(toChoice) }),
  close: ({ id: viewId }) => void act({ kind: 'close', viewId }),
  rest: composer.field,
});
const home = createHome(find('#home'), (view) => ({
  ...surfaceOf({ kind: 'view', id: view.id }, view),
  heading: 'h2',
}));
const messages = createMessages({
  list: find('[data-messages]'),
  surfaceOf: (message) => surfaceOf({ kind: 'message', ts: message.ts }, { ...message, errors: {} }),
  findLearning: ({ ts }) => void act({ kind: 'findLearning', ts }),
  reply: replyBar.begin,
});
const side = createSide(find('.side'), {
  choosePerson: (userId) => void go({ ...seen, userId }, where),
  chooseChannel: (channelId) => void go({ ...seen, channelId }, 'conversation'),
  chooseHome: () => void go(seen, 'home'),
});

function surfaceOf(place: Place, { values, errors }: Pick<View, 'values' | 'errors'>): Surface {
  return {
    values,
    errors,
    ...seen,
    heading: 'h3',
    choose: (choice, isLink) => void choose(place, choice, isLink),
    keep: (choice) => {
      if (place.kind === 'view') void act({ kind: 'fill', viewId: place.id, choice });
    },
    suggest: (blockId, actionId, typed) => askSuggestions(seen, { place, blockId, actionId, typed }).catch(() => []),
    fields: [],
  };
}

async function choose(place: Place, choice: Choice, isLink: boolean): Promise<void> {
  const isInModal = place.kind === 'view' && modal.isOpen();
  const filled = isInModal ? modal.fields().map(toChoice) : [];
  await act({ kind: 'choose', place, choice, filled }, !isLink);
}

async function act(done: Act, isAnswerExpected = true): Promise<void> {
  const before = seen;
  hideProblem();
  try {
    const { state, isAnswered, isTold, error } = await waiting.during(tellAct(before, done));
    if (before !== seen) return;
    show(state);
    if (error !== null) showUndelivered(error);
    else if (isTold) waiting.watch(isAnswerExpected && !isAnswered);
  } catch (thrown) {
    if (showFailure(thrown, isShown)) waiting.watch(false);
  }
}

/** @returns whether there was anything new */
async function refresh(): Promise<boolean> {
  const before = seen;
  try {
    const state = await askState(before, version);
    if (state === null || before !== seen) return false;
    return show(state);
  } catch (thrown) {
    showFailure(thrown, isShown);
    waiting.stop();
    return false;
  }
}

async function go(to: Seen, place: Where): Promise<void> {
  [seen, where, version] = [{ ...to }, place, -1];
  waiting.stop();
  hideProblem();
  replyBar.end();
  messages.forget();
  showPlace();
  await refresh();
  if (where === 'conversation') return scroller.toEnd();
  scroller.toTop();
  await act({ kind: 'home' });
}

function showPlace(): void {
  side.show(seen, where);
  const isHome = where === 'home';
  const channel = getPresent(
    channels.find(({ id }) => id === seen.channelId),
    seen.channelId,
  );
  const name = channelName(channel, seen.userId);
  find('[data-title]').textContent = isHome ? say('home') : name;
  find('[data-topic]').textContent = say(isHome ? 'homeTopic' : `topic_${channel.name}`);
  find('#conversation').hidden = isHome;
  find('form.composer').hidden = isHome;
  find('#home').hidden = !isHome;
  composer.setPlaceholder(say('placeholder', { name }));
}

/** @returns whether it is not older than what is shown */
function show(state: ChatState): boolean {
  if (state.version < version) return false;
  const isFirst = version < 0;
  version = state.version;
  isShown = true;
  const isAtEnd = scroller.isAtEnd();
  const changed = messages.show(state.messages);
  home.show(state.home);
  modal.show(state.views);
  showRefusals(state.problems);
  if (!isFirst && where === 'conversation') showChanged(changed, state, isAtEnd);
  return true;
}

function showChanged(changed: readonly Message[], { messages: all }: ChatState, isAtEnd: boolean): void {
  announce(changed);
  const latest = changed.at(-1);
  if (latest?.ts === all.at(-1)?.ts) showLatest(latest, isAtEnd);
}

/** Answers to one's own requests scroll into view. */
function showLatest(latest: Message | undefined, isAtEnd: boolean): void {
  const node = latest === undefined ? null : messages.nodeOf(latest.ts);
  if (node === null) return;
  if (isAtEnd || latest?.isPrivate === true) scroller.bring(node);
  else scroller.offer(node);
}

find('[data-search]').addEventListener('click', () => void act({ kind: 'search' }));
for (const example of document.querySelectorAll<HTMLElement>('[data-example]'))
  example.addEventListener('click', () => composer.setText(example.dataset.example ?? ''));
// Another tab may have done something meanwhile.
addEventListener('focus', () => void refresh());

chat.hidden = false;
void go(seen, where);
