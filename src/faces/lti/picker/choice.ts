import type { DeepLinkingSettings, Launch } from '#domain/lti/launch';
import { getProductTraits } from '#domain/lti/products';
import { toPublicPictures } from '#domain/picture';
import { AppError, hasErrorCode } from '#errors';
import { type HandleLookup, openHandle } from '#faces/object-view/handle';
import type { ChosenObject } from '#services/courses/placements/placement-records';
import type { LtiFaceDeps } from '../deps.ts';
import { replaceBehindLink } from '../object/replace.ts';
import { isReplyToScript, redirectToObject } from '../object/replies.ts';
import { type LaunchContext, type LtiReply, makeLtiPage, toShelfOwner } from '../route.ts';
import { getToolAddresses, getToolIcon } from '../tool-addresses.ts';
import { dropToolNames, findPickerActivity } from './activity.ts';
import { noteLookedIntoCard } from './cards.ts';
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

/** Takes the chosen objects of the tray, or a cancellation. Without a script, a page explains a
 *  refusal. Errors for scripts: PARAMETERS_INVALID; FORM_INVALID for an object that no search of
 *  the tenant returned. Errors for all: LAUNCH_INVALID for a request that was answered long ago. */
export async function submitChoice(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  try {
    return await takePostedChoice(deps, context);
  } catch (error) {
    if (isReplyToScript(context) || !hasErrorCode(error, 'PARAMETERS_INVALID', 'FORM_INVALID')) throw error;
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

type ChoiceAnswer = { readonly jwt: string; readonly count: number };
const TRAY_KEY = /^[\w-]{43}$/;

/** Removes the selection from the stored draft, or renames it for `src/browser/sent-tray.ts`, which
 *  restores it if the platform, whose session may have ended, does not receive it.
 *  @returns the key of the selection in the browser */
async function endChoice({ launches }: LtiFaceDeps, { launch, form }: LaunchContext, isSent = false): Promise<string> {
  const posted = form.get('tray') ?? '';
  const trayKey = TRAY_KEY.test(posted) ? posted : createTrayKey(launch);
  const draft = await launches.findDraft(launch);
  if (draft === null) return trayKey;
  const { [`skilldock-tray-${trayKey}`]: selection, ...values } = JSON.parse(draft);
  const entries = Object.entries(values).filter(([key]) => !key.includes(trayKey));
  if (isSent && selection !== undefined) entries.push([`skilldock-sent-${trayKey}`, selection]);
  const changed = JSON.stringify(Object.fromEntries(entries));
  await launches.keepDraft(launch, entries.length === 0 ? null : changed);
  return trayKey;
}

/** Answers the request of the platform once. If the form is sent again, the answer is repeated. */
async function answerPlatformWithChoice(deps: LtiFaceDeps, context: LaunchContext, choice: Choice): Promise<LtiReply> {
  const { launch, token } = context;
  const { returnUrl } = choice.settings;
  const createBody = async () => JSON.stringify(await createChoiceAnswer(deps, context, choice));
  const { jwt, count }: ChoiceAnswer = JSON.parse(await deps.launches.answerOnce(token, createBody));
  const trayKey = await endChoice(deps, context, count > 0);
  const model = { jwt, returnUrl, count, trayKey, lastStep: findLastChoiceStep(launch) };
  return makeLtiPage('return', model, { formTo: new URL(returnUrl).origin });
}

async function createChoiceAnswer(deps: LtiFaceDeps, context: LaunchContext, choice: Choice): Promise<ChoiceAnswer> {
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

/** Errors: PARAMETERS_INVALID if the request is for an activity, which shows one object. */
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

/** Writes the message of the response, which some platforms show; null if nothing was chosen. */
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
  for (const lookup of opened) {
    noteLookedIntoCard(deps, context, lookup);
    await suggestOwnLink(deps, context, lookup);
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

/** Ends the selection that an assistant prepared if any of its objects was placed. */
async function endPreparedChoice(
  { selections, keyring }: LtiFaceDeps,
  { launch }: LaunchContext,
  { choices }: Choice,
): Promise<void> {
  const owner = toShelfOwner(launch);
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

/** Shows a page that lists the fields to correct and leads back to the unchanged tray. */
function showChoiceRefusal(context: LaunchContext, { code, problems, data }: AppError): LtiReply {
  const { t, token } = context;
  const fields = problems.map(({ path }) => findChoiceField(path)).filter((field) => field !== null);
  const lines = fields.map(({ number, label }) => t('tray.refused.field', { number, field: t(label) }));
  const model = {
    lines: [...new Set(lines)],
    reason: chooseRefusalReason(code, data),
    back: `/lti/picker?${new URLSearchParams({ launch: token })}`,
  };
  return makeLtiPage('choice-refused', model, { status: 400 });
}

function chooseRefusalReason(code: AppError['code'], { isTooMany }: AppError['data']) {
  if (code === 'FORM_INVALID') return 'forgotten';
  return isTooMany ? 'tooMany' : 'text';
}

/** @example findChoiceField('chosen[0].title') // { number: 1, label: 'tray.itemTitle' } */
function findChoiceField(path: string): { readonly number: number; readonly label: string } | null {
  const [, index, name = ''] = /^chosen\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const label = fieldLabels[name];
  return index === undefined || label === undefined ? null : { number: Number(index) + 1, label };
}
