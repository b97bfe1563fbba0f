import { afterEach, beforeEach, expect, test } from 'vitest';
import { claim } from '../../../../demo/platform/vocabulary.ts';
import { LINE_ITEM_SCOPE, SCORE_SCOPE } from '../../../../src/domain/lti/launch.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import { bareObject } from '../../../fakes/learning-service.ts';
import type { OpenedServices } from '../../../helpers/open-services.ts';
import { makeLaunch } from '../../../services/courses/launch-samples.ts';
import { type RunningProtocol, startProtocol } from '../protocol/start-protocol.ts';
import { textOf } from './open-object.ts';

let running: RunningProtocol;

beforeEach(async () => {
  running = await startProtocol({ mode: 'edx' });
});

afterEach(() => running.close());

/** Two graded items in one block, which the platform gives one resource link id and no line
 *  items. */
async function placeTwo(): Promise<void> {
  const { deps } = running.lti;
  const launch = makeLaunch(running.registration, { clock: deps.clock });
  const titled = (title: string) => ({
    object: { ...bareObject, url: `https://example.org/${title}` },
    requestId: null,
    title,
    completion: 'marked' as const,
    points: 10,
  });
  const placed = await deps.placements.place(launch, [titled('Weaving'), titled('Dyeing')]);
  for (const { id, title } of placed) running.platform.addLink({ id: title, title, custom: { placement: id } });
}

/** The token of a learner's launch. */
async function launch(link: string, person = 'lea'): Promise<string> {
  const { location } = await running.platform.launch({ link, person });
  return location!.searchParams.get('launch')!;
}

async function read(token: string): Promise<string> {
  const address = `${running.lti.url}/lti/object?${new URLSearchParams({ launch: token })}`;
  return textOf(await (await fetch(address)).text());
}

async function complete(link: string, person: string): Promise<void> {
  const token = await launch(link, person);
  const { placements, launches } = running.lti.deps;
  const opened = await placements.openLink(await launches.getLaunch(token, 'resource-link'));
  const body = new URLSearchParams({ launch: token, placement: opened!.placement.id });
  // The page releases the score when the person leaves it.
  for (const path of ['done', 'done/release'])
    await fetch(`${running.lti.url}/lti/object/${path}`, { method: 'POST', body, redirect: 'manual' });
}

test('opens the object of each item where items share a resource link id', async () => {
  await placeTwo();
  for (const link of ['Dyeing', 'Weaving', 'Dyeing']) {
    const page = await read(await launch(link));
    expect(page).toContain(link);
    expect(page).not.toContain(link === 'Dyeing' ? 'Weaving' : 'Dyeing');
  }
});

test('takes the role at the institution where none in the course is named', async () => {
  await placeTwo();
  expect(await read(await launch('Weaving', 'ines'))).toContain('Teachers’ visits are not counted.');
  expect(await read(await launch('Weaving'))).not.toContain('Visits of teachers');
});

test('sends scores to a line item of each item', async () => {
  await placeTwo();
  const services = running.lti.services as OpenedServices<Clock>;
  const outbox = services.createScoreOutbox(running.lti.deps.platforms, { pollMs: 100 });
  outbox.start();
  try {
    // The first is there before the others are launched, which then carry it.
    await complete('Weaving', 'lea');
    await expect.poll(() => running.platform.scores.size).toBe(1);
    for (const [link, person] of [
      ['Dyeing', 'lea'],
      ...['Weaving', 'Dyeing'].flatMap((each) => ['liam', 'lucie'].map((learner) => [each, learner])),
    ] as [string, string][])
      await complete(link, person);
    await expect.poll(() => running.platform.scores.size).toBe(6);
  } finally {
    await outbox.close();
  }
  const made = running.platform.requests.filter(
    ({ method, path }) => method === 'POST' && path === '/line-items/course-1',
  );
  expect(made.map(({ body }) => JSON.parse(body))).toMatchObject(
    ['Weaving', 'Dyeing'].map((label) => ({ label, scoreMaximum: 10, resourceLinkId: 'block of course-1' })),
  );
  const lineItemIds = [...running.platform.scores.values()].map(({ lineItemId }) => lineItemId);
  for (const id of new Set(lineItemIds)) expect(lineItemIds.filter((each) => each === id)).toHaveLength(3);
  expect(running.platform.refusals).toEqual([]);
});

test('sends a score that failed at the next launch of the learner', async () => {
  await placeTwo();
  const services = running.lti.services as OpenedServices<Clock>;
  const outbox = services.createScoreOutbox(running.lti.deps.platforms, { pollMs: 600_000 });
  outbox.start();
  try {
    running.platform.answerWith('scores', { status: 404 });
    await complete('Weaving', 'lea');
    const unsent = () => services.ltiScores.countUnsent(running.registration);
    await expect.poll(() => running.platform.requests.some(({ path }) => path.endsWith('/scores'))).toBe(true);
    expect(await unsent()).toMatchObject({ waiting: 1 });
    // Somebody else's launch changes nothing; the clock would send it after half a minute.
    await launch('Weaving', 'liam');
    await expect
      .poll(async () => {
        await launch('Weaving', 'lea');
        return running.platform.scores.size;
      })
      .toBe(1);
  } finally {
    await outbox.close();
  }
});

test('promises points only where a line item can be created', async () => {
  const promised = async (scope?: readonly string[]) => {
    const lineitems = `${running.platform.url}/line-items/course-1`;
    const named = scope && { [claim.grading]: { scope, lineitems } };
    const forgery = { claims: (signed: object) => ({ ...signed, ...named }) };
    const { location } = await running.platform.launch({ forgery });
    const picking = await running.lti.deps.launches.getLaunch(location!.searchParams.get('launch')!, 'deep-linking');
    return picking.deepLinking!.acceptLineItem;
  };
  // It says nothing of grading before the launch of an item.
  expect(await promised()).toBe(true);
  expect(await promised([SCORE_SCOPE, LINE_ITEM_SCOPE])).toBe(true);
  expect(await promised([SCORE_SCOPE])).toBe(false);
  const tools = running.platform.tools as Map<string, typeof running.tool>;
  tools.set(running.tool.clientId, { ...running.tool, scopes: [SCORE_SCOPE, LINE_ITEM_SCOPE] });
  await placeTwo();
  expect(await read(await launch('Weaving'))).toContain('10');
  tools.set(running.tool.clientId, { ...running.tool, scopes: [SCORE_SCOPE] });
  expect(await read(await launch('Weaving'))).not.toContain('10 points');
});
