import { afterEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../../../src/domain/admin.ts';
import { AppError } from '../../../../src/errors.ts';
import { createFakeLearningService } from '../../../fakes/learning-service.ts';
import { readAudit } from '../read-audit.ts';
import { fieldOf, textOf } from '../read-page.ts';
import { type RunningAdmin, startAdmin } from '../start-admin.ts';
import { saveFeedback } from './feedback-records.ts';

const ORIGIN = 'https://api.example.org';
const MINUTE_MS = 60_000;

const running: RunningAdmin[] = [];
afterEach(async () => {
  for (const admin of running.splice(0)) await admin.close();
});

/** A host with a tenant `lyon`, whose upstream does `deliver` with feedback. */
async function start(deliver: () => Promise<void> = async () => {}): Promise<RunningAdmin> {
  const connect = () => ({ ...createFakeLearningService(), feedback: deliver });
  const admin = await startAdmin({ upstreams: { connect, test: async () => [] } });
  running.push(admin);
  const { version } = await admin.addTenant('Lyon');
  const upstream = { kind: 'direct', url: ORIGIN } as const;
  await admin.deps.tenants.changeUpstream(systemActor, 'lyon', { version, upstream });
  return admin;
}

const parked = {
  tenantId: 'lyon',
  state: 'parked',
  destination: ORIGIN,
  attempts: 14,
  lastError: 'It was away.',
} as const;

const stateOf = async ({ store }: RunningAdmin, id: string) => (await store.feedback.findFeedback(id))?.state;

describe('what was given up', () => {
  test('is counted above the list, and shown with its attempts and last error', async () => {
    const admin = await start();
    await saveFeedback(admin, parked);
    const viewer = await admin.signInAs('viewer', ['lyon']);
    const page = await viewer.page('/feedback');
    for (const text of ['1 piece of feedback was not delivered', '14 attempts', 'It was away.'])
      expect(textOf(page)).toContain(text);
    expect(page).toContain('<span class="state off">stopped</span>');
    expect(page).toContain('href="/admin/feedback?state=parked"');
    expect(page).not.toContain('/retry');
  });

  test('is not spoken of where there is nothing, or nothing of one’s own', async () => {
    const admin = await start();
    await saveFeedback(admin, { ...parked, tenantId: 'default' });
    await saveFeedback(admin, { tenantId: 'lyon' });
    const manager = await admin.signInAs('manager', ['lyon']);
    expect(textOf(await manager.page('/feedback'))).not.toMatch(/was not delivered/);
    const owner = await admin.signInAs('owner');
    expect(textOf(await owner.page('/feedback?tenant=lyon'))).not.toMatch(/was not delivered/);
    expect(textOf(await owner.page('/feedback?state=refused'))).toMatch(/was not delivered/);
  });

  test('can be chosen from the rest', async () => {
    const admin = await start();
    const { url } = await saveFeedback(admin, parked);
    const { url: other } = await saveFeedback(admin, { tenantId: 'lyon' });
    const page = await (await admin.signInAs('viewer', ['lyon'])).page('/feedback?state=parked');
    expect(page).toContain(`href="${url}"`);
    expect(page).not.toContain(`href="${other}"`);
    expect(page).toContain('<option value="parked" selected>');
    expect(page).not.toContain('href="/admin/feedback?state=parked"');
  });

  test('is tried again one by one', async () => {
    const admin = await start();
    const { id } = await saveFeedback(admin, parked);
    const manager = await admin.signInAs('manager', ['lyon']);
    const path = `/tenants/lyon/feedback/${id}/retry`;
    expect(await manager.page('/feedback')).toContain(`action="/admin${path}"`);
    expect(await manager.follow(await manager.post(path))).toContain('Feedback delivered.');
    expect(await stateOf(admin, id)).toBe('delivered');
  });

  test('waits for its next attempt when it fails once more, and the page says it', async () => {
    const admin = await start(async () => {
      throw new AppError('UPSTREAM_UNREACHABLE', 'The upstream cannot be reached today.');
    });
    const { id } = await saveFeedback(admin, parked);
    const manager = await admin.signInAs('manager', ['lyon']);
    const page = await manager.follow(await manager.post(`/tenants/lyon/feedback/${id}/retry`));
    expect(page).toContain('is still waiting');
    expect(page).toContain('cannot be reached today');
    expect(await stateOf(admin, id)).toBe('waiting');
  });

  test('stays so where the upstream is still another one', async () => {
    const admin = await start();
    const { id } = await saveFeedback(admin, { ...parked, destination: 'https://other.example.org' });
    const manager = await admin.signInAs('manager', ['lyon']);
    const answer = await manager.post(`/tenants/lyon/feedback/${id}/retry`);
    expect(answer.headers.get('location')).toBe('/admin/feedback?notice=feedback-parked');
    expect(await manager.follow(answer)).toContain('It was meant for https://other.example.org');
    expect(await stateOf(admin, id)).toBe('parked');
  });
});

describe('try all parked again', () => {
  const path = '/feedback/retry-parked';

  test('makes all of them wait, says how many, and comes back to the same list', async () => {
    const admin = await start();
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await saveFeedback(admin, parked)).id);
    const { id: foreign } = await saveFeedback(admin, { ...parked, tenantId: 'default' });
    const manager = await admin.signInAs('manager', ['lyon']);
    expect(textOf(await manager.page('/feedback'))).toContain('Try all 3 again');
    const answer = await manager.post(path, { back: '/admin/feedback?state=parked&count=9&notice=x' });
    const location = '/admin/feedback?state=parked&notice=feedback-unparked&count=3';
    expect(answer.headers.get('location')).toBe(location);
    expect(textOf(await manager.follow(answer))).toContain('Trying 3 pieces of feedback again');
    for (const id of ids) expect(await stateOf(admin, id)).toBe('waiting');
    expect(await stateOf(admin, foreign)).toBe('parked');
    const entry = (await readAudit(admin)).at(-1);
    expect(entry).toMatchObject({
      action: 'feedback.retried',
      tenantId: 'lyon',
      actor: { name: manager.name },
    });
    const trail = textOf(await manager.page('/audit'));
    expect(trail).toContain('number 3');
  });

  test('of one tenant where that is chosen', async () => {
    const admin = await start();
    const { id } = await saveFeedback(admin, parked);
    const { id: other } = await saveFeedback(admin, { ...parked, tenantId: 'default' });
    const owner = await admin.signInAs('owner');
    const page = await owner.page('/feedback?tenant=lyon');
    expect(fieldOf(page.split(`action="/admin${path}"`)[1]!, 'tenant')).toBe('lyon');
    await owner.post(path, { tenant: 'lyon' });
    expect(await stateOf(admin, id)).toBe('waiting');
    expect(await stateOf(admin, other)).toBe('parked');
  });

  test('says so where nothing is parked any more', async () => {
    const admin = await start();
    const owner = await admin.signInAs('owner');
    expect(await owner.follow(await owner.post(path))).toContain('There was no stopped feedback left.');
  });

  test('is for managers of the tenant only', async () => {
    const admin = await start();
    const { id } = await saveFeedback(admin, parked);
    const viewer = await admin.signInAs('viewer', ['lyon']);
    expect((await viewer.post(path)).status).toBe(403);
    const foreign = await admin.signInAs('manager', ['default']);
    expect((await foreign.post(path, { tenant: 'lyon' })).status).toBe(404);
    expect((await foreign.post(path)).status).toBe(303);
    expect(await stateOf(admin, id)).toBe('parked');
  });
});

describe('the next attempt', () => {
  test.each([
    ['en', -5, 'next attempt within a minute'],
    ['en', 0.5, 'next attempt within a minute'],
    ['en', 1, 'next attempt in 1 minute'],
    ['en', 11.2, 'next attempt in 12 minutes'],
    ['en', 59.5, 'next attempt in 60 minutes'],
    ['en', 60, 'next attempt in 1 hour'],
    ['en', 61, 'next attempt in 2 hours'],
    ['en', 48 * 60, 'next attempt in 2 days'],
    ['fr', 12, 'prochain essai dans 12 minutes'],
  ])('in %s, %d minutes from now: %s', async (language, minutes, words) => {
    const admin = await start();
    const dueAt = new Date(admin.clock.now().getTime() + minutes * MINUTE_MS);
    await saveFeedback(admin, { ...parked, state: 'waiting', dueAt });
    const page = await (await admin.signInAs('viewer', ['lyon'], { language })).page('/feedback');
    expect(page).toContain(`<time datetime="${dueAt.toISOString()}">${words}</time>`);
  });

  test('of what does not wait is not spoken of', async () => {
    const admin = await start();
    for (const state of ['parked', 'delivered', 'refused'] as const) await saveFeedback(admin, { ...parked, state });
    const page = await (await admin.signInAs('viewer', ['lyon'])).page('/feedback');
    expect(page).not.toMatch(/class="quiet">[^<]*<time/);
  });
});

describe('a notice that counts', () => {
  test.each(['x', '-1', '1e9', '', '9999999999'])('is not shown with %j', async (count) => {
    const admin = await start();
    const viewer = await admin.signInAs('viewer');
    const page = await viewer.page(`/feedback?notice=feedback-erased&count=${count}`);
    expect(page).not.toContain('class="notice"');
  });
});
