import { randomUUID } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import type { DeepLinkingSettings, Launch } from '#domain/lti/launch';
import { getProductTraits } from '#domain/lti/products';
import { toPublicPictures } from '#domain/picture';
import { AppError } from '#errors';
import { openHandle } from '#faces/object-view/handle';
import type { SigningKey } from '#services/courses/lti-registrations/signing-keys';
import type { ChosenObject } from '#services/courses/placements/placement-records';
import type { LtiFaceDeps } from '../deps.ts';
import { replaceBehindLink } from '../object/replace.ts';
import { isAskedByScript, redirectToObject } from '../object/replies.ts';
import { type LaunchContext, type LtiReply, makePage } from '../route.ts';
import { getToolAddresses, getToolIcon } from '../tool-addresses.ts';
import { findShelfOwner } from './cards.ts';
import { type ChoiceRequest, readChoices } from './choice-request.ts';
import { type ChoiceRules, findChoiceRules } from './choice-rules.ts';
import { type ContentItem, toContentItem } from './deep-linking-items.ts';
import { noteLookedInto } from './looked-into.ts';
import { createTrayKey } from './tray.ts';

/** Keys of the words that the tray has for its fields. */
const fields: Readonly<Record<string, string>> = {
  title: 'tray.itemTitle',
  points: 'tray.graded',
  completion: 'tray.completion',
  target: 'tray.target',
  availableFrom: 'tray.availableFrom',
  availableUntil: 'tray.availableUntil',
  submitUntil: 'tray.submitUntil',
};

/** Takes what the tray sends: the chosen objects, or a cancellation. A refusal leads back to the
 *  tray. Errors, for scripts: PARAMETERS_INVALID for what is out of bounds; FORM_INVALID for an
 *  object that no search of this tenant found. For everyone: LAUNCH_INVALID for a request that was
 *  answered too long ago. */
export async function submitChoice(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  try {
    return await takeChoice(deps, context);
  } catch (error) {
    if (!isRefusedChoice(error) || isAskedByScript(context)) throw error;
    return showRefusal(context, error);
  }
}

async function takeChoice(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, form } = context;
  const isCancelled = form.get('action') === 'cancel';
  if (launch.deepLinking === null && isCancelled) return redirectToObject(context);
  const rules = findChoiceRules(launch);
  const choices = isCancelled ? [] : readChoices(form.get('chosen') ?? '', rules);
  if (launch.deepLinking === null) {
    const [{ handle, title, completion } = refuseNothing()] = choices;
    return replaceBehindLink(deps, context, { handle, title, completion });
  }
  return answerPlatform(deps, context, { settings: launch.deepLinking, rules, choices });
}

function refuseNothing(): never {
  throw new AppError('PARAMETERS_INVALID', 'Nothing is chosen. Choose an object, and send it again.');
}

interface Choice {
  readonly settings: DeepLinkingSettings;
  readonly rules: ChoiceRules;
  readonly choices: readonly ChoiceRequest[];
}

interface Answer {
  readonly jwt: string;
  readonly count: number;
}

/** Answers only once, however often somebody presses: the first answer is given again. */
async function answerPlatform(deps: LtiFaceDeps, context: LaunchContext, choice: Choice): Promise<LtiReply> {
  const { launch, token } = context;
  const { returnUrl } = choice.settings;
  const make = async () => JSON.stringify(await makeAnswer(deps, context, choice));
  const { jwt, count }: Answer = JSON.parse(await deps.launches.answerOnce(token, make));
  const model = { jwt, returnUrl, count, trayKey: createTrayKey(launch), lastStep: findLastStep(launch) };
  return makePage('return', model, { formTo: new URL(returnUrl).origin });
}

async function makeAnswer(deps: LtiFaceDeps, context: LaunchContext, choice: Choice): Promise<Answer> {
  const { launch } = context;
  const { settings } = choice;
  const registration = await deps.registrations.getRegistration(launch.registrationId);
  const key = await deps.registrations.signingKeyOf(registration);
  const items = await place(deps, context, choice);
  await endPrepared(deps, context, choice);
  const message = describeAdded(items.length, context);
  const jwt = await signDeepLinkingResponse({ launch, settings, items, message }, key, deps.clock.now());
  return { jwt, count: items.length };
}

const findLastStep = ({ product }: Launch) => getProductTraits(product).lastStep;

/** For people, where the platform shows it: the last that they read of it. */
function describeAdded(count: number, { launch, t }: LaunchContext): string | null {
  if (count === 0) return null;
  const lastStep = findLastStep(launch);
  if (lastStep === null) return t('tray.added', { count });
  return `${t('tray.returningSome', { count })} ${t(`tray.last.${lastStep}`)}`;
}

async function place(
  deps: LtiFaceDeps,
  { launch }: LaunchContext,
  { rules, choices }: Choice,
): Promise<ContentItem[]> {
  if (choices.length === 0) return [];
  requireItemType(rules);
  const { keyring, pictures, publicUrl } = deps;
  const chosen = choices.map(({ handle, title, completion, points }): ChosenObject => {
    const found = openHandle(handle, { keyring, tenantId: launch.tenantId });
    noteLookedInto(deps, { launch }, found);
    const { object, requestId } = found;
    return { object, requestId, title, completion, points };
  });
  const placed = await deps.placements.place(launch, chosen);
  const { launch: address } = getToolAddresses(publicUrl);
  const addresses = {
    launch: address,
    icon: getToolIcon(publicUrl, getProductTraits(launch.product)),
    pictures: toPublicPictures(pictures, publicUrl),
  };
  return choices.flatMap((choice, i) => {
    const placement = placed[i];
    return placement === undefined ? [] : toContentItem({ placement, choice }, rules, addresses);
  });
}

/** What an assistant prepared waits no longer, once any of it was placed. */
async function endPrepared(
  { selections, keyring }: LtiFaceDeps,
  { launch }: LaunchContext,
  { choices }: Choice,
): Promise<void> {
  const owner = findShelfOwner(launch);
  const waiting = choices.length === 0 ? null : await selections.find(owner);
  if (waiting === null) return;
  const { tenantId } = launch;
  const placed = choices.map(({ handle }) => openHandle(handle, { keyring, tenantId }).object.url);
  const isOfIt = waiting.objects.some(({ url }) => placed.includes(url));
  if (isOfIt) await selections.end(owner, waiting.id);
}

function requireItemType({ itemType }: ChoiceRules): void {
  if (itemType !== null) return;
  throw new AppError(
    'PARAMETERS_INVALID',
    'This place of the course takes no links, so nothing can be added to it. Add the tool in another place of the course.',
  );
}

/** Whether it can be put right in the tray. */
function isRefusedChoice(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'PARAMETERS_INVALID' || error.code === 'FORM_INVALID');
}

/** A page that says what to look at, and leads back to the tray, which is as it was. */
function showRefusal(context: LaunchContext, { code, problems }: AppError): LtiReply {
  const { t, token } = context;
  const named = problems.map(({ path }) => findField(path)).filter((field) => field !== null);
  const lines = named.map(({ number, field }) => t('tray.refused.field', { number, field: t(field) }));
  const model = {
    lines: [...new Set(lines)],
    isForgotten: code === 'FORM_INVALID',
    back: `/lti/picker?${new URLSearchParams({ launch: token })}`,
  };
  return makePage('choice-refused', model, { status: 400 });
}

/** Which object of the selection, from 1, and which of its fields a path like `chosen[0].title` is
 *  about. */
function findField(path: string): { readonly number: number; readonly field: string } | null {
  const [, place, name = ''] = /^chosen\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const field = fields[name];
  return place === undefined || field === undefined ? null : { number: Number(place) + 1, field };
}

/** A deep-linking response: the answer to a deep-linking request, once.
 *  1. The picker posts what was chosen to us.
 *  2. We sign it as a JWT for the platform that asked (`aud` is its issuer, `iss` our client id
 *     there).
 *  3. A page of ours posts the JWT to the return address of the request, in the frame or window of
 *     the picker.
 *  4. The platform makes links of the items. An empty list is how somebody cancels.
 *  Source: https://www.imsglobal.org/spec/lti-dl/v2p0#deep-linking-response-message */
interface DeepLinkingResponse {
  readonly launch: Launch;
  readonly settings: DeepLinkingSettings;
  readonly items: readonly ContentItem[];
  /** For people, where the platform shows it; null for nothing to say. */
  readonly message: string | null;
}

const LTI = 'https://purl.imsglobal.org/spec/lti/claim';

const DEEP_LINKING = 'https://purl.imsglobal.org/spec/lti-dl/claim';

/** Clocks differ, and platforms refuse what was signed in the future of theirs. */
const BACK_SECONDS = 30;

/** Some platforms send people through a sign-in before they read it. */
const TTL_SECONDS = 300;

async function signDeepLinkingResponse(
  { launch, settings, items, message }: DeepLinkingResponse,
  { keyId, privateKey }: SigningKey,
  now: Date,
): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1_000);
  const claims = {
    nonce: randomUUID(),
    [`${LTI}/deployment_id`]: launch.deploymentId,
    [`${LTI}/message_type`]: 'LtiDeepLinkingResponse',
    [`${LTI}/version`]: '1.3.0',
    [`${DEEP_LINKING}/content_items`]: items,
    ...(settings.data !== null && { [`${DEEP_LINKING}/data`]: settings.data }),
    ...(message !== null && { [`${DEEP_LINKING}/msg`]: message }),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keyId })
    .setIssuer(launch.clientId)
    .setAudience(launch.issuer)
    .setIssuedAt(seconds - BACK_SECONDS)
    .setExpirationTime(seconds + TTL_SECONDS)
    .setJti(randomUUID())
    .sign(await importPKCS8(privateKey, 'RS256'));
}
