import { expect, test } from 'vitest';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { checked, choicesIn, messageOf, startSkills, textIn, viewIn } from './start-skills.ts';

const { learning } = openStarterService();

test('/skills alone opens a form; the result takes its place and can be shared', async () => {
  const { command, submit, click, posted } = await startSkills(learning);
  const form = viewIn(await command('  '));
  expect(form.title.text).toBe('Find skills');
  expect(JSON.stringify(form)).not.toContain('hooks.example.org');
  const { show, afterwards } = await submit(form, { skills_ask_text: 'You know Python.\nYou like SQL.' });
  expect(show).toMatchObject({ kind: 'update' });
  const found = checked(await afterwards!());
  expect(found.kind).toBe('replace');
  expect(textIn(messageOf(found))).toContain('*Python*');
  const shared = await click(messageOf(found), 'Share in the conversation', { inModal: true });
  expect(textIn(messageOf(shared))).toBe('Shared in the conversation.');
  expect(posted[0]!.responseUrl).toBe('https://hooks.example.org/secret');
});

test('an empty form stays open and says what to do', async () => {
  const { command, submit } = await startSkills(learning);
  const { show } = await submit(viewIn(await command('')), { skills_ask_text: ' \n ' });
  expect(show).toEqual({
    kind: 'errors',
    errors: { skills_ask_text: 'Type or paste something first.' },
  });
});

test('a form without a conversation finds skills, and offers no sharing', async () => {
  const { command, submit } = await startSkills(learning);
  const form = viewIn(await command('', { channelId: null, responseUrl: null }));
  const { afterwards } = await submit(form, { skills_ask_text: 'docker' });
  const choices = choicesIn(messageOf(checked(await afterwards!()))).map(({ text }) => text);
  expect(choices).toContain('Find learning');
  expect(choices).not.toContain('Share in the conversation');
});

test('the form takes 3,000 characters', async () => {
  const { command } = await startSkills(learning);
  expect(JSON.stringify(viewIn(await command('')))).toContain('"max_length":3000');
});
