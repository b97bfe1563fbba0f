import type { DeepLinkingSettings, Launch } from '#domain/lti/launch';
import { getProductTraits } from '#domain/lti/products';
import { toPublicPictures } from '#domain/picture';
import { AppError, hasErrorCode } from '#errors';
import { type HandleLookup, openHandle } from '#faces/object-view/handle';
import type { ChosenObject } from '#services/courses/placements/placement-records';
import type { LtiFaceDeps } from '../deps.ts';
import { replaceBehindLink } from '../object/replace.ts';
import { isReplyToScript, redirectToObject } from '../object/replies.ts';
import { type LaunchContext, type LtiReply, makeLtiPage } from '../route.ts';
import { getToolAddresses, getToolIcon } from '../tool-addresses.ts';
import { dropToolNames, findPickerActivity } from './activity.ts';
import { findCardOwner, noteLookedIntoCard } from './cards.ts';
import { type ChoiceRequest, type ChoiceRules, findChoiceRules, readChoices } from './choice-rules.ts';
import { signDeepLinkingResponse, toDeepLinkingItem } from './deep-linking-response.ts';
import { suggestOwnLink } from './own-link.ts';
import { createTrayKey } from './tray.ts';

const fieldLabels: Readonly<Record<string, string>> = {
  title: 'tray.itemTitle',
  points: 'tray.graded',
  completion: 'tray.completion',
  target: 'tray.target',
  availableFrom: 'tray.availableFrom',
  availableUntil: 'tray.availableUntil',
  submitUntil: 'tray.submitUntil',
};

/** Receives the tray: chosen objects, or a cancellation. Without a script, a page explains a
 *  refusal. Errors, for scripts: PARAMETERS_INVALID; FORM_INVALID for an object that no search
 *  of this tenant returned. For everyone: LAUNCH_INVALID for a request answered long ago. */
export async function submitChoice(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  try {
    return await takePostedChoice(deps, context);
  } catch (error) {
    if (!isRefusedChoice(error) || isReplyToScript(context)) throw error;
    return showChoiceRefusal(context, error);
  }
}

async function takePostedChoice(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, form } = context;
  const isCancelled = form.get('action') === 'cancel';
  if (launch.deepLinking === null && isCancelled) return redirectToObject(context);
  const rules = findChoiceRules(launch);
  const choices = isCancelled ? [] : readChoices(form.get('chosen') ?? '', rules);
  if (launch.deepLinking === null) {
    const [{ handle, title, completion } = refuseEmptyChoice()] = choices;
    await endChoice(deps, context);
    return replaceBehindLink(deps, context, { handle, title, completion });
  }
  return answerPlatformWithChoice(deps, context, { settings: launch.deepLinking, rules, choices });
}

function refuseEmptyChoice(): never {
  throw new AppError('PARAMETERS_INVALID', 'Nothing is chosen. Choose an object, and send it again.');
}

interface Choice {
  readonly settings: DeepLinkingSettings;
  readonly rules: ChoiceRules;
  readonly choices: readonly ChoiceRequest[];
}

type Answer = { readonly jwt: string; readonly count: number };
const TRAY_KEY = /^[\w-]{43}$/;

/** Erases the stored selection, or sets it aside under the name of `src/browser/sent-tray.ts`: the
 *  platform, whose session may have ended, may not receive it. A syllabus is still needed later.
 *  @returns its key in the browser */
async function endChoice({ launches }: LtiFaceDeps, { launch, form }: LaunchContext, isSent = false): Promise<string> {
  const posted = form.get('tray') ?? '';
  const trayKey = TRAY_KEY.test(posted) ? posted : createTrayKey(launch);
  const draft = await launches.findDraft(launch);
  if (draft === null) return trayKey;
  const { [`skilldock-tray-${trayKey}`]: selection, ...others } = JSON.parse(draft);
  const entries = Object.entries(others).filter(([key]) => !key.includes(trayKey));
  if (isSent && selection !== undefined) entries.push([`skilldock-sent-${trayKey}`, selection]);
  const rest = JSON.stringify(Object.fromEntries(entries));
  await launches.keepDraft(launch, entries.length === 0 ? null : rest);
  return trayKey;
}

/** Answers only once: if somebody sends the form again, the first answer is repeated. */
async function answerPlatformWithChoice(deps: LtiFaceDeps, context: LaunchContext, choice: Choice): Promise<LtiReply> {
  const { launch, token } = context;
  const { returnUrl } = choice.settings;
  const createBody = async () => JSON.stringify(await createChoiceAnswer(deps, context, choice));
  const { jwt, count }: Answer = JSON.parse(await deps.launches.answerOnce(token, createBody));
  const trayKey = await endChoice(deps, context, count > 0);
  const model = { jwt, returnUrl, count, trayKey, lastStep: findLastChoiceStep(launch) };
  return makeLtiPage('return', model, { formTo: new URL(returnUrl).origin });
}

async function createChoiceAnswer(deps: LtiFaceDeps, context: LaunchContext, choice: Choice): Promise<Answer> {
  const { launch } = context;
  const { settings } = choice;
  if (choice.choices.length > 1) await refuseForActivity(deps, launch);
  const registration = await deps.registrations.getRegistration(launch.registrationId);
  const key = await deps.registrations.signingKeyOf(registration);
  const items = await placeChoices(deps, context, choice);
  await endPreparedChoice(deps, context, choice);
  const message = writeChoiceMessage(items.length, context);
  const jwt = await signDeepLinkingResponse({ launch, settings, items, message }, key, deps.clock.now());
  return { jwt, count: items.length };
}

async function refuseForActivity(deps: LtiFaceDeps, launch: Launch): Promise<void> {
  const tenant = await deps.tenants.getTenant(launch.tenantId);
  const { placement } = await findPickerActivity(deps, dropToolNames(launch, tenant, deps.publicUrl));
  if (placement === null) return;
  throw new AppError(
    'PARAMETERS_INVALID',
    `The activity “${placement.title}” is in the course already and shows one object. Choose one, and add the others as new activities.`,
    { problems: [{ path: 'chosen', problem: 'must be one object' }], data: { isTooMany: true } },
  );
}

const findLastChoiceStep = ({ product }: Launch) => getProductTraits(product).lastStep;

/** The message of the response, which some platforms show to people; null for none. */
function writeChoiceMessage(count: number, { launch, t }: LaunchContext): string | null {
  if (count === 0) return null;
  const lastStep = findLastChoiceStep(launch);
  if (lastStep === null) return t('tray.added', { count });
  return `${t('tray.returningSome', { count })} ${t(`tray.last.${lastStep}`)}`;
}

async function placeChoices(deps: LtiFaceDeps, context: LaunchContext, { rules, choices }: Choice) {
  if (choices.length === 0) return [];
  requireChoiceItemType(rules);
  const { launch } = context;
  const { keyring, pictures, publicUrl } = deps;
  const opened = choices.map(({ handle }) => openHandle(handle, { keyring, tenantId: launch.tenantId }));
  const chosen = choices.map(({ title, completion, points }, index): ChosenObject => {
    const { object, requestId } = opened[index] as HandleLookup;
    return { object, requestId, title, completion, points };
  });
  const placements = await deps.placements.place(launch, chosen);
  for (const each of opened) {
    noteLookedIntoCard(deps, context, each);
    await suggestOwnLink(deps, context, each);
  }
  const { launch: address } = getToolAddresses(publicUrl);
  const addresses = {
    launch: address,
    icon: getToolIcon(publicUrl, getProductTraits(launch.product)),
    pictures: toPublicPictures(pictures, publicUrl),
  };
  return choices.flatMap((choice, index) => {
    const placement = placements[index];
    return placement === undefined ? [] : toDeepLinkingItem({ placement, choice }, rules, addresses);
  });
}

/** Ends the selection that an assistant prepared, once any of its objects was placed. */
async function endPreparedChoice(
  { selections, keyring }: LtiFaceDeps,
  { launch }: LaunchContext,
  { choices }: Choice,
): Promise<void> {
  const owner = findCardOwner(launch);
  const prepared = choices.length === 0 ? null : await selections.find(owner);
  if (prepared === null) return;
  const { tenantId } = launch;
  const placedUrls = choices.map(({ handle }) => openHandle(handle, { keyring, tenantId }).object.url);
  if (prepared.objects.some(({ url }) => placedUrls.includes(url))) await selections.end(owner, prepared.id);
}

function requireChoiceItemType({ itemType }: ChoiceRules): void {
  if (itemType !== null) return;
  throw new AppError(
    'PARAMETERS_INVALID',
    'This place of the course takes no links, so nothing can be added to it. Add the tool in another place of the course.',
  );
}

const isRefusedChoice = (error: unknown): error is AppError =>
  hasErrorCode(error, 'PARAMETERS_INVALID', 'FORM_INVALID');

/** A page that lists the fields to correct and leads back to the tray, which is unchanged. */
function showChoiceRefusal(context: LaunchContext, { code, problems, data }: AppError): LtiReply {
  const { t, token } = context;
  const fields = problems.map(({ path }) => findChoiceField(path)).filter((field) => field !== null);
  const lines = fields.map(({ number, label }) => t('tray.refused.field', { number, field: t(label) }));
  const model = {
    lines: [...new Set(lines)],
    reason: code === 'FORM_INVALID' ? 'forgotten' : data.isTooMany ? 'tooMany' : 'text',
    back: `/lti/picker?${new URLSearchParams({ launch: token })}`,
  };
  return makeLtiPage('choice-refused', model, { status: 400 });
}

/** @example findChoiceField('chosen[0].title') // { number: 1, label: 'tray.itemTitle' } */
function findChoiceField(path: string): { readonly number: number; readonly label: string } | null {
  const [, index, name = ''] = /^chosen\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const label = fieldLabels[name];
  return index === undefined || label === undefined ? null : { number: Number(index) + 1, label };
}
