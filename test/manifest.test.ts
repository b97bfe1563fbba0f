import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { listSlackScopes, slackScopes } from '../src/domain/slack.ts';
import { REDIRECT_PATH } from '../src/faces/slack/install/install.ts';
import { slackListeners } from '../src/faces/slack/slack-face.ts';
import { type RunningAdmin, startAdmin } from './faces/admin/start-admin.ts';

const text = (max: number, min = 1) => z.string().min(min).max(max);
const address = (max: number) => text(max).regex(/^https:\/\//);
const events = z.array(text(50)).max(100).optional();

/** What Slack's schema of manifests (major version 2) says of what an app like this may have; any
 *  other property is refused. Source: slackapi/manifest-schema. Addresses are https here, which
 *  Slack asks for besides. */
const manifestSchema = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(2), minor_version: z.int() }),
  display_information: z.strictObject({
    name: text(35),
    description: text(140),
    long_description: text(4_000, 175),
    background_color: z.string().regex(/^#[\da-f]{3}(?:[\da-f]{3})?$/i),
  }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    unfurl_domains: z.array(text(250)).max(5).optional(),
    bot_user: z.strictObject({ display_name: text(80), always_online: z.boolean() }),
    slash_commands: z
      .array(
        z.strictObject({
          command: text(32, 2).regex(/^\//),
          url: address(3_000),
          description: text(2_000),
          usage_hint: text(1_000),
          should_escape: z.boolean(),
        }),
      )
      .min(1)
      .max(50),
    shortcuts: z
      .array(
        z.strictObject({
          name: text(24),
          type: z.enum(['message', 'global']),
          callback_id: text(255),
          description: text(150),
        }),
      )
      .min(1)
      .max(10),
  }),
  oauth_config: z.strictObject({
    redirect_urls: z.array(address(2_500)).max(1_000),
    scopes: z.strictObject({ bot: z.array(text(50)).max(255) }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ request_url: address(3_500), bot_events: events }),
    interactivity: z.strictObject({
      is_enabled: z.boolean(),
      request_url: address(3_500),
      message_menu_options_url: address(3_500),
    }),
    org_deploy_enabled: z.boolean(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
  }),
});

const EXAMPLE = 'https://skilldock.example';
const HOST = 'https://skills.example.org';
const file = readFileSync('manifest.yml', 'utf8');

/** As an administrator downloads it. */
async function download(admin: RunningAdmin): Promise<Response> {
  return (await admin.signInAs('viewer', [])).get('/workspaces/manifest.yml');
}

describe('the mirror of the schema', () => {
  const good = parse(file);

  test.each([
    ['another property', { ...good, commands: [] }],
    ['another property further down', { ...good, settings: { ...good.settings, is_hosted: false } }],
    ['a long name', { ...good, display_information: { ...good.display_information, name: 'x'.repeat(36) } }],
    ['an http address', parse(file.replaceAll(EXAMPLE, 'http://skills.example.org'))],
  ])('refuses %s', (_what, manifest) => {
    expect(manifestSchema.safeParse(manifest).success).toBe(false);
  });
});

describe('the file', () => {
  const manifest = manifestSchema.parse(parse(file));

  test('has the commands and the shortcuts that are listened to, and no others', () => {
    // What they do is not asked of them here.
    const commands = slackListeners.flatMap((each) => (each.kind === 'command' ? [each.name] : []));
    const shortcuts = slackListeners.flatMap((each) => (each.kind === 'shortcut' ? [each.name] : []));
    const { slash_commands, shortcuts: shown } = manifest.features;
    expect(slash_commands.map(({ command }) => command).sort()).toEqual([...commands].sort());
    expect(shown.map(({ callback_id }) => callback_id).sort()).toEqual([...shortcuts].sort());
    expect(commands.length + shortcuts.length).toBe(4);
  });

  test('asks for three permissions and nothing more', () => {
    expect(manifest.oauth_config.scopes).toEqual({ bot: [...slackScopes] });
    expect([...slackScopes]).toEqual(['commands', 'chat:write', 'users:read']);
  });

  test('names no address but those of the host', () => {
    const addresses = file.match(/https?:\/\/\S+/g)!;
    expect(addresses.filter((each) => !each.startsWith(EXAMPLE))).toEqual([]);
    expect(manifest.oauth_config.redirect_urls).toEqual([`${EXAMPLE}/slack${REDIRECT_PATH}`]);
    const { event_subscriptions, interactivity } = manifest.settings;
    const called = [
      event_subscriptions.request_url,
      interactivity.request_url,
      interactivity.message_menu_options_url,
      ...manifest.features.slash_commands.map(({ url }) => url),
    ];
    expect(new Set(called)).toEqual(new Set([`${EXAMPLE}/slack/events`]));
  });

  test('takes what people type as they type it, and is called over HTTP', () => {
    expect(manifest.features.slash_commands.map(({ should_escape }) => should_escape)).toEqual([false, false]);
    expect(manifest.settings).toMatchObject({
      event_subscriptions: { bot_events: ['app_home_opened', 'app_uninstalled', 'tokens_revoked'] },
      org_deploy_enabled: true,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    });
  });
});

describe('what a host hands out', () => {
  let admin: RunningAdmin;
  let bySocket: RunningAdmin;
  beforeAll(async () => {
    admin = await startAdmin({ publicUrl: HOST });
    bySocket = await startAdmin({ publicUrl: HOST, deps: { slackSocketMode: true } });
  });
  afterAll(() => Promise.all([admin.close(), bySocket.close()]));

  test('is the file with its own address, as YAML to be saved', async () => {
    const answer = await download(admin);
    expect(answer.headers.get('content-type')).toBe('text/yaml; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=manifest.yml');
    const handedOut = await answer.text();
    expect(handedOut).not.toMatch(/#.*From a manifest|skilldock\.example/);
    expect(manifestSchema.parse(parse(handedOut))).toEqual(parse(file.replaceAll(EXAMPLE, HOST)));
  });

  test('turns Socket Mode on where the host uses it', async () => {
    const manifest = manifestSchema.parse(parse(await (await download(bySocket)).text()));
    const { settings, ...rest } = parse(file.replaceAll(EXAMPLE, HOST));
    expect(manifest).toEqual({ ...rest, settings: { ...settings, socket_mode_enabled: true } });
  });

  test('asks for links, of the host only, where they are to unfurl', async () => {
    const unfurling = await startAdmin({ publicUrl: HOST, deps: { slackUnfurlsLinks: true } });
    const manifest = manifestSchema.parse(parse(await (await download(unfurling)).text()));
    await unfurling.close();
    const { features, oauth_config, settings, ...rest } = parse(file.replaceAll(EXAMPLE, HOST));
    const { event_subscriptions: events } = settings;
    expect(manifest).toEqual({
      ...rest,
      features: { ...features, unfurl_domains: ['skills.example.org'] },
      oauth_config: { ...oauth_config, scopes: { bot: listSlackScopes(true) } },
      settings: {
        ...settings,
        event_subscriptions: {
          ...events,
          bot_events: ['app_home_opened', 'link_shared', ...events.bot_events.slice(1)],
        },
      },
    });
  });

  test('is the same on the page, and in the link to Slack', async () => {
    const handedOut = await (await download(admin)).text();
    const page = await (await admin.signInAs('viewer', [])).page('/workspaces/app');
    const href = /href="(https:\/\/api\.slack\.com\/apps\?[^"]*)"/.exec(page)![1]!.replaceAll('&amp;', '&');
    expect(new URL(href).searchParams.get('manifest_yaml')).toBe(handedOut);
    expect(page).toContain(
      `<code>${handedOut.replaceAll('"', '&quot;').replaceAll('>', '&gt;').replaceAll("'", '&#39;').trimEnd()}`,
    );
  });

  test('is for whoever is signed in', async () => {
    const answer = await admin.visit().get('/workspaces/manifest.yml');
    expect(answer.headers.get('location')).toContain('/admin/sign-in');
  });
});
