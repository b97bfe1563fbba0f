import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { createDiscovery, type Discovery } from '../../../../src/services/searching/discovery.ts';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { type FakePerson, type Seen, wordsOf } from '../../../fakes/slack.ts';
import { answersOf, searchDepsOf } from '../../../services/searching/discovery/discovery-parts.ts';
import { type RunningSlack, startSlack } from '../start-slack.ts';
import { choicesIn } from './start-skills.ts';

const { learning } = openStarterService();
const discovery = createDiscovery({ ...searchDepsOf(answersOf(learning)), count: () => {} });

let running: RunningSlack;
beforeEach(async () => {
  running = await startSlack({ deps: () => ({ discoveryOf: () => discovery }) });
});
afterEach(async () => {
  await running.close();
  expect(running.slack.problems).toEqual([]);
});

/** Chooses this in the menu of the first term. */
async function choose(person: FakePerson, seen: Seen, text: string): Promise<void> {
  const block = seen.blocks.find((each) =>
    choicesIn({ blocks: [each] } as never).some((choice) => choice.text === text),
  )!;
  const { actionId, value } = choicesIn({ blocks: [block] } as never).find((choice) => choice.text === text)!;
  await person.chooses(seen, actionId, value, block.block_id);
}

const saying = (text: string) => (seen: Seen) => wordsOf(seen).includes(text);

test('/skills: terms, similar ones in their place, learning for them, and one that is shared', async () => {
  const { ada, benoit } = running.slack;
  expect((await ada.types('/skills docker')).ok).toBe(true);
  const found = await ada.waitsForMessage(saying('Skills for “docker”'));
  expect(found.isEphemeral).toBe(true);
  await choose(ada, found, 'Similar terms');
  const similar = await ada.waitsForMessage(saying('Skills for “Docker”'));
  await choose(ada, similar, 'Find learning');
  await ada.waitsForMessage(saying('resources for “'));
  await choose(ada, similar, 'Share in the conversation');
  const shared = await benoit.waitsForMessage(saying('shares a skill'));
  expect(shared.isEphemeral).toBe(false);
  expect(benoit.sees()).toHaveLength(1);
});

test('/skills alone: a form, its results, and learning on top of them', async () => {
  const { ada, benoit } = running.slack;
  await ada.types('/skills');
  const form = await ada.waitsForModal();
  await ada.submits(form, { skills_ask_text: 'You know Python very well. You like SQL.' });
  const found = await ada.waitsForModal(saying('skills in this text'));
  expect(found.id).toBe(form.id);
  await choose(ada, found, 'Share in the conversation');
  await benoit.waitsForMessage(saying('shares a skill'));
  await choose(ada, found, 'Find learning');
  await ada.waitsForModal(saying('resources for “'));
});

test('the message shortcut, in a thread: skills, objects, and what is shared goes into the thread', async () => {
  const { ada, benoit } = running.slack;
  const question = benoit.says('Where do I begin?');
  const answer = benoit.says('Who could teach me *Docker*? <@U1ADA>', question.ts);
  expect((await ada.usesMessageShortcut(answer, 'find_learning')).ok).toBe(true);
  const found = await ada.waitsForModal(saying('resources for “Docker”'));
  expect(wordsOf(found)).toContain('One skill in this text');
  await choose(ada, found, 'Share in the conversation');
  const shared = await benoit.waitsForMessage(saying('shares a skill'));
  expect(shared.threadTs).toBe(question.ts);
});

test('the message shortcut, where nothing is recognised: the form, with what was written', async () => {
  const { ada, benoit } = running.slack;
  await ada.usesMessageShortcut(benoit.says('Déjeuner à midi ?'), 'find_learning');
  const nothing = await ada.waitsForModal(saying('We recognised no skill'));
  await ada.clicks(nothing, 'search_open');
  const form = await ada.waitsForModal((view) => view.callbackId === 'search_form');
  expect(JSON.stringify(form.blocks)).toContain('Déjeuner à midi ?');
});

describe('when the service cannot answer', () => {
  const late = async () => {
    throw new AppError('UPSTREAM_TIMEOUT', 'Too late.');
  };
  let canAnswer: boolean;
  beforeEach(async () => {
    canAnswer = false;
    await running.close();
    const failing: Discovery = {
      ...discovery,
      tagText: (...given) => (canAnswer ? discovery.tagText(...given) : late()),
    };
    running = await startSlack({ deps: () => ({ discoveryOf: () => failing }) });
  });

  test('the waiting modal says so, and can be tried again there', async () => {
    const { ada } = running.slack;
    await ada.types('/skills');
    const form = await ada.waitsForModal();
    await ada.submits(form, { skills_ask_text: 'You know Python very well. You like SQL.' });
    const failed = await ada.waitsForModal(saying('Try again'));
    expect(failed.id).toBe(form.id);
    expect(wordsOf(failed)).not.toContain('Searching');
    canAnswer = true;
    await ada.clicks(failed, 'try_again');
    expect((await ada.waitsForModal(saying('skills in this text'))).id).toBe(form.id);
  });

  test('the message shortcut says so, too', async () => {
    const { ada, benoit } = running.slack;
    await ada.usesMessageShortcut(benoit.says('Who could teach me Docker?'), 'find_learning');
    const failed = await ada.waitsForModal(saying('Try again'));
    expect(failed.callbackId).toBe('skills_message');
    canAnswer = true;
    await ada.clicks(failed, 'try_again');
    await ada.waitsForModal(saying('resources for “Docker”'));
  });
});
