import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeepLinkingSettings, Launch } from '../../../../src/domain/lti/launch.ts';
import type { LtiProduct } from '../../../../src/domain/lti/registration.ts';
import { assets } from '../../../../src/faces/views.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { bareObject, fullObject } from '../../../fakes/learning-service.ts';
import { type RunningLti, startLti } from '../start-lti.ts';
import { choiceOf, choose, readResponse, settings } from './choose.ts';

const LTI = 'https://purl.imsglobal.org/spec/lti/claim';
const DEEP_LINKING = 'https://purl.imsglobal.org/spec/lti-dl/claim';

let lti: RunningLti;
const clock = createStandingClock();
beforeAll(async () => {
  lti = await startLti({ clock });
});
afterAll(() => lti?.close());

const launch = (deepLinking: Partial<DeepLinkingSettings> = {}, more: Partial<Launch> = {}) =>
  lti.launchToken({ deepLinking: { ...settings, ...deepLinking }, ...more });

async function itemsOf(chosen: unknown[], token: string) {
  return (await readResponse(lti, await choose(lti, token, chosen))).items;
}

describe('the response', () => {
  test('is signed with our key, and has issuer, audience and times', async () => {
    const answer = await choose(lti, await launch({ data: 'kept as it is' }), [choiceOf(lti)]);
    const { payload, header } = await readResponse(lti, answer);
    const seconds = Math.floor(clock.now().getTime() / 1_000);
    expect(header).toEqual({ alg: 'RS256', typ: 'JWT', kid: lti.registration.keyId });
    expect(payload).toMatchObject({
      iss: 'skilldock-at-lms',
      aud: 'https://lms.example.org',
      // Behind clocks that are slow.
      iat: seconds - 30,
      exp: seconds + 300,
      [`${LTI}/deployment_id`]: '1',
      [`${LTI}/message_type`]: 'LtiDeepLinkingResponse',
      [`${LTI}/version`]: '1.3.0',
      [`${DEEP_LINKING}/data`]: 'kept as it is',
      [`${DEEP_LINKING}/msg`]: 'One resource added.',
    });
    expect(payload.jti).toMatch(/^[\w-]{36}$/);
    expect(payload.nonce).toMatch(/^[\w-]{36}$/);
  });

  test.each([
    ['moodle', 'en', 'Adding one resource to the course… Now press “Save and return to course”.'],
    ['canvas', 'en', 'One resource added.'],
    ['moodle', 'fr', 'Appuyez maintenant sur «\u00a0Enregistrer et revenir au cours\u00a0».'],
  ] as const)('has a message with the next step in %s, in %s', async (product, locale, said) => {
    const answer = await choose(lti, await launch({}, { product, locale }), [choiceOf(lti)]);
    const { payload, html } = await readResponse(lti, answer);
    expect(payload[`${DEEP_LINKING}/msg`]).toContain(said);
    const cancelled = await choose(lti, await launch({}, { product, locale }), [], { action: 'cancel' });
    expect(Object.keys((await readResponse(lti, cancelled)).payload)).not.toContain(`${DEEP_LINKING}/msg`);
    if (product === 'moodle') expect(html).toContain(`<strong>${said.split(/[.…] /).at(-1)}</strong>`);
  });

  test.each([{ course: 7 }, [1, 'two', null], 'a text', '', 7, 0, true, false])(
    'has the data of the request as it is: %j',
    async (data) => {
      const answer = await choose(lti, await launch({ data }), [choiceOf(lti)]);
      expect((await readResponse(lti, answer)).payload[`${DEEP_LINKING}/data`]).toEqual(data);
    },
  );

  test('has no data where the request had none', async () => {
    const { payload } = await readResponse(lti, await choose(lti, await launch(), [choiceOf(lti)]));
    expect(Object.keys(payload)).not.toContain(`${DEEP_LINKING}/data`);
  });

  test('is posted to the return address only', async () => {
    const answer = await choose(lti, await launch(), [choiceOf(lti)]);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("form-action 'self' https://lms.example.org;");
    expect(policy).toContain("script-src 'self';");
    const { html } = await readResponse(lti, answer);
    expect(html).toMatch(
      /<form id="return" [^>]*action="https:\/\/lms\.example\.org\/return\?course=1" method="post">/,
    );
    expect(html).toContain(`<script type="module" src="${assets.addressOf('lti/return.js')}">`);
    // Without a script there is a button, and nothing leaves the frame.
    expect(html).toMatch(/<button type="submit">Continue<\/button>/);
    expect(html).not.toMatch(/\btarget=/);
  });

  test('has no items when it is cancelled', async () => {
    const answer = await choose(lti, await launch({ data: 'd' }), 'nonsense', { action: 'cancel' });
    const { payload, items } = await readResponse(lti, answer);
    expect(items).toEqual([]);
    expect(payload[`${DEEP_LINKING}/data`]).toBe('d');
    expect(Object.keys(payload)).not.toContain(`${DEEP_LINKING}/msg`);
  });

  test('has a message in the language of the launch', async () => {
    const token = await launch({}, { locale: 'fr_CA' });
    const answer = await choose(lti, token, [choiceOf(lti), choiceOf(lti, bareObject)]);
    const { payload, html } = await readResponse(lti, answer);
    expect(payload[`${DEEP_LINKING}/msg`]).toBe('2 ressources ajoutées.');
    expect(html).toContain('<html lang="fr">');
  });
});

describe('an item', () => {
  const dates = { availableFrom: '2026-04-01T08:00:00.000Z', availableUntil: '2026-05-01T08:00:00.000Z' };
  const graded = { points: 25, submitUntil: '2026-04-30T21:59:00.000Z' };

  test('is a resource link with all properties that the platform reads', async () => {
    const choice = choiceOf(lti, fullObject, {
      title: 'Python, week 1',
      target: 'window',
      ...dates,
      ...graded,
    });
    const [item] = await itemsOf([choice], await launch());
    const id = (item!.custom as { placement: string }).placement;
    expect(item).toEqual({
      type: 'ltiResourceLink',
      url: `${lti.url}/lti/launch`,
      title: 'Python, week 1',
      text: 'An introduction.',
      custom: {
        placement: id,
        context_history: '$Context.id.history',
        link_history: '$ResourceLink.id.history',
      },
      lineItem: { scoreMaximum: 25, label: 'Python, week 1', resourceId: id, tag: 'completion' },
      available: { startDateTime: dates.availableFrom, endDateTime: dates.availableUntil },
      submission: { endDateTime: graded.submitUntil },
      window: { targetName: '_blank' },
    });
    expect(await lti.services.store.placements.findPlacement('default', id)).toMatchObject({
      title: 'Python, week 1',
      points: 25,
      completion: 'marked',
      requestId: 'request-1',
      address: 'example.org/python',
      contextId: 'course-1',
    });
  });

  test('has only the chosen settings', async () => {
    const choice = choiceOf(lti, bareObject, { target: 'iframe', completion: 'viewed' });
    const [item] = await itemsOf([choice], await launch());
    expect(Object.keys(item!).sort()).toEqual(['custom', 'iframe', 'title', 'type', 'url']);
  });

  test.each([
    ['generic', 'icon.svg'],
    ['canvas', 'icon.svg'],
    // It makes one colour of all icons.
    ['moodle', 'icon-plain.svg'],
  ] as const)('has our icon on an https host: %s', async (product, icon) => {
    const secure = await startLti({ deps: { publicUrl: 'https://skills.example.org' } });
    const token = await secure.launchToken({ deepLinking: settings, product });
    const { items } = await readResponse(secure, await choose(secure, token, [choiceOf(secure)]));
    await secure.close();
    const { plain } = lti.services.pictures.linkTo(fullObject.picture!)!;
    expect(items[0]).toMatchObject({
      url: 'https://skills.example.org/lti/launch',
      thumbnail: { url: `https://skills.example.org${plain}` },
      icon: { url: `https://skills.example.org/assets/${icon}` },
    });
  });

  test('has no icon on an http host, and at most 500 characters of text', async () => {
    const choice = choiceOf(lti, {
      ...fullObject,
      description: `${'é'.repeat(450)}\n\n ${'ü'.repeat(450)}`,
    });
    const [item] = await itemsOf([choice], await launch());
    expect(Object.keys(item!)).not.toContain('thumbnail');
    expect([...(item!.text as string)]).toHaveLength(500);
    expect(item!.text).toMatch(/é ü+…$/);
  });

  test('is a link where the platform accepts no resource links', async () => {
    const token = await launch({ acceptTypes: ['file', 'html', 'link'] });
    expect(await itemsOf([choiceOf(lti, fullObject, { title: 'T' })], token)).toEqual([
      {
        type: 'link',
        url: 'https://example.org/python',
        title: 'T',
        text: 'An introduction.',
      },
    ]);
  });

  test('is escaped HTML where the platform accepts nothing else', async () => {
    const object = {
      ...fullObject,
      url: 'https://example.org/?a=1&b="2"',
      description: '<script>alert(1)</script>',
    };
    const token = await launch({ acceptTypes: ['html', 'image'] });
    expect(await itemsOf([choiceOf(lti, object, { title: 'A & <b>' })], token)).toEqual([
      {
        type: 'html',
        title: 'A & <b>',
        html:
          '<p><a href="https://example.org/?a=1&amp;b=&quot;2&quot;" target="_blank" rel="noopener">A &amp; &lt;b&gt;</a></p>' +
          '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
      },
    ]);
  });

  test('keeps the order of the selection', async () => {
    const titles = ['c', 'a', 'b'];
    const choices = titles.map((title) =>
      choiceOf(lti, { ...fullObject, url: `https://example.org/${title}` }, { title }),
    );
    expect((await itemsOf(choices, await launch())).map(({ title }) => title)).toEqual(titles);
  });

  test.each<[LtiProduct, object, boolean]>([
    ['canvas', { target: 'iframe', ...dates }, true],
    ['canvas', { target: 'window' }, false],
    ['moodle', { target: 'window' }, true],
    ['moodle', { ...dates }, false],
    ['moodle', { points: 100 }, true],
    ['generic', { target: 'frame' }, false],
  ])('of %s with %j: %s', async (product, more, isTaken) => {
    const token = await launch({}, { product });
    const answer = await choose(lti, token, [choiceOf(lti, fullObject, { ...more })]);
    expect(answer.status).toBe(isTaken ? 200 : 400);
  });
});
