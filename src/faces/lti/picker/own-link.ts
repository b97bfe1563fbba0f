import { z } from 'zod';
import { learningObjectTypes } from '#domain/learning-object';
import { type ObjectFields, objectTextLimits, toPlainObjectFields } from '#domain/object-fields';
import { cleanText } from '#domain/text';
import { findWebAddressProblem, parseWebAddress } from '#domain/web-address';
import { hasErrorCode } from '#errors';
import type { HandleLookup } from '#faces/object-view/handle';
import { describeImportPageProblem } from '#faces/words/import-problems';
import { listLanguageNames } from '#faces/words/language-names';
import type { ReadPage } from '#services/catalogue/objects/page-reader';
import type { LtiFaceDeps } from '../deps.ts';
import { type LaunchContext, type LtiReply, makeLtiFragment, toTeacherActor } from '../route.ts';
import { type Card, readPickerCards } from './cards.ts';

/** The model of the tab “Your link”, which adds a web page to the selection. Only this course
 *  has it, unless it is suggested to colleagues. */
interface OwnLinkView {
  readonly typed: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, string>>;
  readonly types: readonly string[];
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  /** False with an upstream, as it does not find suggested resources. */
  readonly takesSuggestions: boolean;
  readonly card: Card | null;
  /** Why the resource is not suggested; null if it is, or was not meant to be. */
  readonly note: string | null;
}

const LISTS_TIMEOUT_MS = 300;

const ownLinkText = (maxLength: number) => z.string().transform(cleanText).pipe(z.string().max(maxLength, 'tooLong'));

const ownLinkForm = z.object({
  url: z.string().superRefine((url, { addIssue }) => {
    const problem = findWebAddressProblem(url);
    if (problem !== null) addIssue({ code: 'custom', message: problem });
  }),
  title: ownLinkText(objectTextLimits.title).refine((title) => title !== '', 'required'),
  description: ownLinkText(objectTextLimits.description).default(''),
  type: z.enum(learningObjectTypes).default('website'),
  lang: z
    .string()
    .regex(/^[a-z]{2}$/)
    .default('en'),
  sealed: z.string().max(100_000).default(''),
  suggest: z.string().optional(),
});

export async function readOwnLinkAddress(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { form, t, launch } = context;
  const { tenantId } = launch;
  const typed = (form.get('url') ?? '').trim();
  const refuse = (problem: string): LtiReply => ({ kind: 'json', body: { problem } });
  const addressProblem = findWebAddressProblem(typed);
  if (addressProblem !== null) return refuse(t(`problems.${addressProblem}`));
  const { isAllowed } = await deps.suggestionLimit.consume(`${tenantId} ${launch.user.id}`);
  if (!isAllowed) return refuse(t('picker.own.problems.RATE_LIMITED'));
  const page = await deps
    .readObjectPage(typed, { tenantId, isByOwner: false })
    .catch((error: unknown) => describeImportPageProblem(error, t));
  if ('problem' in page) return refuse(page.problem);
  const { title, description, type, lang } = page.fields;
  const sealed = deps.keyring.seal(JSON.stringify({ ...page, typed }), toOwnLinkSealContext(tenantId));
  return { kind: 'json', body: { title, description, type: type[0] ?? 'website', lang, sealed } };
}

/** Replies with the card of the link, which the script of the page puts into the selection. */
export async function addOwnLink(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { form, launch, t } = context;
  const posted = Object.fromEntries(form);
  const { data, error } = ownLinkForm.safeParse(posted);
  if (data === undefined) {
    const problems = error.issues.map(({ path, message }) => [path[0], t(`problems.${message}`)]);
    return showOwnLink({
      ...(await createOwnLinkView(deps, context)),
      typed: posted,
      problems: Object.fromEntries(problems),
    });
  }
  const { tenantId } = launch;
  const typedUrl = parseWebAddress(data.url) ?? data.url;
  const page = openOwnLinkPage(deps, tenantId, data);
  const url = page?.url ?? typedUrl;
  const { title, description, type, lang } = data;
  const base = page?.fields ?? describeUnreadOwnLink(url);
  const fields: ObjectFields = { ...base, title, description: description || title, type: [type], lang };
  const isKnown = data.suggest !== undefined && (await deps.objects.exists(tenantId, url));
  // `isRestricted` exempts it from checks of links: learners may open a page that the host cannot.
  const object = { ...toPlainObjectFields({ url, fields }), ...(page === null && { isRestricted: true }) };
  const suggestion = data.suggest === undefined || isKnown ? undefined : fields;
  const [card = null] = await readPickerCards([{ object, requestId: null, suggestion }], deps, context);
  const note = isKnown ? t('picker.own.isKnown') : null;
  return showOwnLink({ ...(await createOwnLinkView(deps, context)), card, note });
}

const showOwnLink = (own: OwnLinkView): LtiReply => makeLtiFragment('own', { own });

export async function createOwnLinkView(
  { discoveryOf, upstreams }: Pick<LtiFaceDeps, 'discoveryOf' | 'upstreams'>,
  { launch, locale, signal }: LaunchContext,
): Promise<OwnLinkView> {
  const [{ languages }, { upstream }] = await Promise.all([
    discoveryOf(launch.tenantId).lists({ signal, timeoutMs: LISTS_TIMEOUT_MS }),
    upstreams.connectionOf(launch.tenantId),
  ]);
  const codes = new Set(['en', 'fr', 'de', 'es', ...languages.map(({ value }) => value)]);
  return {
    typed: { lang: locale.slice(0, 2) },
    problems: {},
    types: learningObjectTypes,
    languages: listLanguageNames(codes, locale),
    takesSuggestions: upstream === null,
    card: null,
    note: null,
  };
}

/** Returns the page that was read for a typed address; null if there is none. */
function openOwnLinkPage(
  { keyring }: LtiFaceDeps,
  tenantId: string,
  { sealed, url }: { readonly sealed: string; readonly url: string },
): ReadPage | null {
  try {
    const { typed, ...page } = JSON.parse(keyring.open(sealed, toOwnLinkSealContext(tenantId)));
    return typed === url.trim() ? page : null;
  } catch {
    return null;
  }
}

const toOwnLinkSealContext = (tenantId: string) => `page that was read for ${tenantId}`;

function describeUnreadOwnLink(url: string): ObjectFields {
  const provider = new URL(url).hostname.replace(/^www\./, '').slice(0, objectTextLimits.provider);
  const texts = { title: '', description: '', lang: '', provider };
  const lists = { type: [], bloom: [], keywords: [], publisher: [], author: [] };
  return { ...texts, ...lists, level: null, minutes: null, free: null, picture: null };
}

/** Suggests a link to colleagues. The course has it even if the suggestion is refused. */
export async function suggestOwnLink(
  { tenants, objects }: LtiFaceDeps,
  context: LaunchContext,
  { object, suggestion }: HandleLookup,
): Promise<void> {
  if (suggestion === undefined) return;
  const { tenantId } = context.launch;
  const { suggestions } = await tenants.getTenant(tenantId);
  const request = { tenantId, url: object.url, fields: suggestion, atOnce: suggestions === 'at-once' };
  await objects.suggest(toTeacherActor(context), request).catch((error: unknown) => {
    if (hasErrorCode(error, 'OBJECT_KNOWN', 'OBJECTS_TOO_MANY')) return;
    throw error;
  });
}
