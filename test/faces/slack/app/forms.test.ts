import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import type { ModalView } from '../../../../src/faces/slack/blocks/block-kit.ts';
import type { ListenerOf, Reply, ViewAnswer } from '../../../../src/faces/slack/listener.ts';
import {
  createHold,
  holdTime,
  passTime,
  plainMessage,
  type RunningSigned,
  type SignedOptions,
  startSigned,
} from './start-signed.ts';

let running: RunningSigned;
afterEach(async () => {
  vi.useRealTimers();
  await running.close();
});

const modal = (text: string): ModalView => ({
  type: 'modal',
  callback_id: 'm',
  title: { type: 'plain_text', text: 'A title' },
  blocks: [...plainMessage(text).blocks],
});

const option = (value: string) => ({ value, text: { type: 'plain_text', text: value } });

const input = (id: string, element: object) => ({
  type: 'input',
  block_id: id,
  element: { action_id: id, ...element },
});

/** As Slack sends it: what is filled in stands beside the blocks. */
const form = {
  id: 'V9',
  hash: 'h9',
  type: 'modal',
  callback_id: 'search',
  private_metadata: 'pm',
  title: { type: 'plain_text', text: 'Search' },
  submit: { type: 'plain_text', text: 'Go' },
  close: null,
  blocks: [
    input('words', { type: 'plain_text_input', initial_value: 'before' }),
    input('type', { type: 'multi_static_select', options: [option('video'), option('book')] }),
    input('lang', { type: 'external_select', initial_option: option('fr') }),
  ],
  state: {
    values: {
      words: { words: { type: 'plain_text_input', value: 'a long comment' } },
      type: { type: { type: 'multi_static_select', selected_options: [option('book')] } },
      lang: { lang: { type: 'external_select', selected_option: null } },
    },
  },
};

/** The same form with what was sent from it. */
const filledIn = [
  input('words', { type: 'plain_text_input', initial_value: 'a long comment' }),
  input('type', {
    type: 'multi_static_select',
    options: [option('video'), option('book')],
    initial_options: [option('book')],
  }),
  input('lang', { type: 'external_select' }),
];

const view = (handle: ListenerOf<'view'>['handle']): ListenerOf<'view'> => ({
  kind: 'view',
  name: 'search',
  handle,
});

const answering = (answer: ViewAnswer, wait?: () => Promise<void>) =>
  view(async () => {
    await wait?.();
    return answer;
  });

const failing = (wait?: () => Promise<void>) =>
  view(async () => {
    await wait?.();
    throw new AppError('STORE_UNAVAILABLE', 'no');
  });

const submit = (shown: object = form) => running.interact({ type: 'view_submission', view: shown });
const found = async (): Promise<Reply> => ({ kind: 'replace', message: plainMessage('found') });

describe('a submitted form', () => {
  test.each<[ViewAnswer['show'], unknown]>([
    [{ kind: 'close' }, null],
    [
      { kind: 'update', view: modal('a') },
      { response_action: 'update', view: modal('a') },
    ],
    [
      { kind: 'errors', errors: { words: 'empty' } },
      { response_action: 'errors', errors: { words: 'empty' } },
    ],
  ])('is answered at once with %o', async (show, expected) => {
    running = await startSigned({ listeners: [answering({ show })] });
    const { text } = await submit();
    expect(text === '' ? null : JSON.parse(text)).toEqual(expected);
  });

  test('shows the result of what follows in the modal that is open then', async () => {
    running = await startSigned({
      listeners: [answering({ show: { kind: 'update', view: modal('searching') }, afterwards: found })],
    });
    await submit();
    expect(await running.callsOf('views.update')).toEqual([
      expect.objectContaining({ view_id: 'V9', view: modal('found') }),
    ]);
  });

  test('keeps the input after a failure, and says why below the first field', async () => {
    running = await startSigned({ listeners: [failing()] });
    const said = JSON.parse((await submit()).text);
    expect(said).toEqual({
      response_action: 'errors',
      errors: { words: expect.stringContaining(running.failures[0]!.reference) },
    });
    const withoutFields = JSON.parse((await submit({ ...form, blocks: [] })).text);
    expect(withoutFields).toMatchObject({ response_action: 'update', view: { callback_id: 'search' } });
    expect(JSON.stringify(withoutFields)).toContain(running.failures[1]!.reference);
  });
});

describe('a form that is decided late', () => {
  let deciding: ReturnType<typeof createHold>;
  beforeEach(() => {
    holdTime();
    deciding = createHold();
  });
  /** Sends the form, and has it decided after the face said to wait. */
  async function submitLate(shown?: object) {
    const acknowledged = submit(shown);
    await deciding.begun;
    await passTime(1_800);
    const answer = await acknowledged;
    deciding.release();
    return answer;
  }

  test('stays open, and shows the decision then', async () => {
    running = await startSigned({ listeners: [answering({ show: { kind: 'close' } }, deciding.wait)] });
    const { text } = await submitLate();
    expect(JSON.parse(text)).toMatchObject({ response_action: 'update' });
    expect(text).toContain('One moment');
    expect(JSON.stringify(await running.callsOf('views.update'))).toContain('Done.');
  });

  const formOf = (args: unknown) => (args as { view: ModalView }).view;

  test('comes back with the input after a failure, and says why', async () => {
    running = await startSigned({ listeners: [failing(() => deciding.wait())] });
    await submitLate();
    const shown = formOf((await running.callsOf('views.update'))[0]);
    expect(shown).toMatchObject({ callback_id: 'search', private_metadata: 'pm', submit: form.submit });
    const [why, ...fields] = shown.blocks;
    expect(fields).toEqual(filledIn);
    expect(JSON.stringify(why)).toContain(running.failures[0]!.reference);
    // Sent in vain once more, it says why once.
    deciding = createHold();
    await submitLate({ ...form, blocks: shown.blocks });
    const again = formOf((await running.callsOf('views.update', 2))[1]);
    expect(again.blocks.slice(1)).toEqual(filledIn);
    expect(JSON.stringify(again)).not.toContain(running.failures[0]!.reference);
  });

  test('comes back with the input if it was refused', async () => {
    const show = { kind: 'errors', errors: { words: 'That <code> is over' } } as const;
    running = await startSigned({ listeners: [answering({ show }, deciding.wait)] });
    await submitLate();
    const { blocks } = formOf((await running.callsOf('views.update'))[0]);
    expect(JSON.stringify(blocks[0])).toContain('That &lt;code&gt; is over');
    expect(blocks.slice(1)).toEqual(filledIn);
  });
});

describe('when the store does not answer', () => {
  const never = () => new Promise<never>(() => {});

  test.each<[string, NonNullable<SignedOptions['deps']>]>([
    [
      'who sent it',
      (real) => ({
        listConnections: async () => [{ ...(await real.findConnection())!, findInstalled: never }],
      }),
    ],
    ['whether it came before', ({ savedStates }) => ({ savedStates: { ...savedStates, claim: never, keep: never } })],
  ])('and it is unknown %s, the form stays, and nothing is done', async (_what, deps) => {
    let asked = 0;
    const counting = view(async () => {
      asked++;
      return { show: { kind: 'close' } };
    });
    running = await startSigned({ listeners: [counting], deps });
    const { text } = await submit();
    expect(JSON.parse(text)).toEqual({
      response_action: 'errors',
      errors: { words: expect.stringContaining('took too long') },
    });
    expect(running.failures).toMatchObject([{ error: { code: 'SLACK_LATE' }, listener: 'search' }]);
    expect(asked).toBe(0);
  });

  test('and the language is unknown, the form stays', async () => {
    running = await startSigned({
      listeners: [answering({ show: { kind: 'close' } })],
      deps: ({ rateCounters, people }) => ({
        rateCounters: { ...rateCounters, addRatePoints: never },
        people: { ...people, getPreferences: never },
      }),
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit()));
    for (const { text } of answers) expect(text).toContain('took too long');
  });
});

describe('a failure after Slack was answered', () => {
  /** Fails the first time. */
  const fragile = (more: Pick<ViewAnswer, 'isRepeatable'>) => {
    let asked = 0;
    return view(async () => ({
      show: { kind: 'update', view: modal('linked') },
      afterwards: async () => {
        if (++asked === 1) throw new Error('no');
        return found();
      },
      ...more,
    }));
  };
  const buttonIn = (args: unknown) => /"value":"([\w-]{16})"/.exec(JSON.stringify(args))?.[1];

  test('has no button if something was done before, and leaves what is shown', async () => {
    running = await startSigned({ listeners: [fragile({})] });
    await submit();
    const [said] = await running.callsOf('views.update');
    expect(JSON.stringify(said)).toContain(running.failures[0]!.reference);
    expect(JSON.stringify(said)).toContain('linked');
    expect(buttonIn(said)).toBeUndefined();
  });

  const tryAgain = (value: string) =>
    running.interact({
      view: { ...form, blocks: [], callback_id: 'm' },
      actions: [{ type: 'button', action_id: 'try_again', block_id: 'b', value }],
    });

  test('can be tried again if nothing was done before', async () => {
    running = await startSigned({ listeners: [fragile({ isRepeatable: true })] });
    await submit();
    const [said] = await running.callsOf('views.update');
    expect(JSON.stringify(said)).not.toContain('linked');
    await tryAgain(buttonIn(said)!);
    expect((await running.callsOf('views.update', 2))[1]).toMatchObject({
      view: { blocks: plainMessage('found').blocks },
    });
  });

  test.each<[ViewAnswer['show'], string]>([
    [{ kind: 'errors', errors: { words: 'That <code> is over' } }, 'That &lt;code&gt; is over'],
    [{ kind: 'close' }, 'Done.'],
  ])('is shown after %o', async (show, text) => {
    let asked = 0;
    const changing = view(async () => {
      if (++asked > 1) return { show };
      return {
        show: { kind: 'update', view: modal('searching') },
        afterwards: () => Promise.reject(new Error('no')),
        isRepeatable: true,
      };
    });
    running = await startSigned({ listeners: [changing] });
    await submit();
    await tryAgain(buttonIn(await running.callsOf('views.update'))!);
    expect(JSON.stringify((await running.callsOf('views.update', 2))[1])).toContain(text);
  });
});
