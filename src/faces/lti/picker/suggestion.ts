import { z } from 'zod';
import { learningObjectTypes } from '#domain/learning-object';
import { type ObjectFields, objectTextLimits, toPlainObject } from '#domain/object-fields';
import { cleanText } from '#domain/text';
import { findWebAddressProblem } from '#domain/web-address';
import { AppError } from '#errors';
import { describePageProblem, type PageProblem } from '#faces/words/import-problems';
import { listLanguageNames } from '#faces/words/language-names';
import type { ReadPage } from '#services/catalogue/objects/page-reader';
import type { LtiFaceDeps } from '../deps.ts';
import { toTeacher } from '../object/replace.ts';
import type { LaunchContext, LtiReply } from '../route.ts';
import { type Card, readCards } from './cards.ts';

interface AddressStep {
  readonly step: 'ask';
  readonly typed: string;
  readonly problem: string | null;
  readonly detail: PageProblem['detail'];
}

/** A suggestion as `views/lti/partials/own.eta` shows it. */
type SuggestionView =
  | AddressStep
  | {
      readonly step: 'confirm';
      readonly url: string;
      /** The page that was read, sealed. */
      readonly sealed: string;
      readonly fields: ObjectFields;
      readonly problems: Readonly<Record<string, string>>;
      readonly types: readonly string[];
      readonly languages: readonly { readonly code: string; readonly name: string }[];
    }
  | { readonly step: 'done'; readonly isSuggestedToAll: boolean; readonly card: Card };

const MAX_ADDRESS_LENGTH = 2_000;

const text = (maxLength: number) => z.string().transform(cleanText).pipe(z.string().max(maxLength, 'tooLong'));

/** Fields that people type; the others are selected or hidden. */
const typedFields = z.object({
  title: text(objectTextLimits.title).refine((title) => title !== '', 'required'),
  description: text(objectTextLimits.description).default(''),
});
const selectedFields = z.object({
  sealed: z.string().min(1).max(100_000),
  type: z.enum(learningObjectTypes),
  lang: z.string().regex(/^[a-z]{2}$/),
});

/** Suggesting an object, in three steps: an instructor enters an address, confirms what its page
 *  says, and sees the card. This is the first one. */
export const addressStep: AddressStep = { step: 'ask', typed: '', problem: null, detail: null };

const show = (own: SuggestionView): LtiReply => ({ kind: 'fragment', view: 'partials/own', model: { own } });

/** Reads the page at an address. Nothing is stored yet. */
export async function readAddress(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { form, t, launch } = context;
  const typed = (form.get('url') ?? '').trim();
  const addressProblem = findWebAddressProblem(typed);
  if (addressProblem !== null)
    return show({
      ...addressStep,
      typed: typed.slice(0, MAX_ADDRESS_LENGTH),
      problem: t(`problems.${addressProblem}`),
    });
  const { isAllowed } = await deps.suggestionLimit.consume(`${launch.tenantId} ${launch.user.id}`);
  if (!isAllowed) return show({ ...addressStep, typed, problem: t('picker.own.problems.RATE_LIMITED') });
  const page = await deps
    .readObjectPage(typed, { tenantId: launch.tenantId, isByOwner: false })
    .catch((error: unknown) => describePageProblem(error, t));
  if ('problem' in page) return show({ ...addressStep, typed, ...page });
  return show(await createConfirmStep(deps, context, { page, fields: page.fields, problems: {} }));
}

interface ConfirmRequest {
  readonly page: ReadPage;
  readonly fields: ObjectFields;
  readonly problems: Readonly<Record<string, string>>;
}

async function createConfirmStep(
  { keyring, discoveryOf }: LtiFaceDeps,
  { launch, locale }: LaunchContext,
  { page, fields, problems }: ConfirmRequest,
): Promise<SuggestionView> {
  const { languages } = await discoveryOf(launch.tenantId).lists();
  const codes = new Set(['en', 'fr', ...languages.map(({ value }) => value), page.fields.lang]);
  return {
    step: 'confirm',
    url: page.url,
    types: learningObjectTypes,
    problems,
    fields,
    sealed: keyring.seal(JSON.stringify(page), toSealContext(launch.tenantId)),
    languages: listLanguageNames(codes, locale),
  };
}

export async function suggestObject(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { form, launch, t } = context;
  const { tenantId } = launch;
  const posted = Object.fromEntries(form);
  const { data: selected } = selectedFields.safeParse(posted);
  const page = selected && openPage(deps, tenantId, selected.sealed);
  if (selected === undefined || page === undefined)
    return show({ ...addressStep, problem: t('picker.own.problems.again') });
  const { url } = page;
  const base = { ...page.fields, type: [selected.type], lang: selected.lang };
  const typed = typedFields.safeParse(posted);
  if (!typed.success) {
    const { title = '', description = '' } = posted;
    const problems = Object.fromEntries(
      typed.error.issues.map(({ path, message }) => [path[0], t(`problems.${message}`)]),
    );
    const request = { page, fields: { ...base, title, description }, problems };
    return show(await createConfirmStep(deps, context, request));
  }
  const { title, description } = typed.data;
  const fields = { ...base, title, description: description || title };
  const { suggestions } = await deps.tenants.getTenant(tenantId);
  const atOnce = suggestions === 'at-once';
  try {
    await deps.objects.suggest(toTeacher(context), { tenantId, url, fields, atOnce });
  } catch (error) {
    return show({ ...addressStep, typed: url, problem: describeRefusal(error, context) });
  }
  const object = toPlainObject({ url, fields });
  const [card] = await readCards([{ object, requestId: null }], deps, context);
  if (card === undefined) throw new TypeError('readCards gives a card for each object');
  return show({ step: 'done', isSuggestedToAll: atOnce, card });
}

function openPage({ keyring }: LtiFaceDeps, tenantId: string, sealed: string): ReadPage | undefined {
  try {
    return JSON.parse(keyring.open(sealed, toSealContext(tenantId)));
  } catch {
    return undefined;
  }
}

const toSealContext = (tenantId: string) => `page that was read for ${tenantId}`;

function describeRefusal(error: unknown, { t }: LaunchContext): string {
  if (!(error instanceof AppError)) throw error;
  const { code, data } = error;
  if (code === 'OBJECT_KNOWN') return t(`picker.own.known.${data.how}`, data);
  if (code === 'OBJECTS_TOO_MANY') return t(`picker.own.problems.${code}`);
  throw error;
}
