import { z } from 'zod';
import { learningObjectTypes } from '#domain/learning-object';
import { type ObjectFields, objectTextLimits, toPlainObject } from '#domain/object-fields';
import { cleanText } from '#domain/text';
import { findWebAddressProblem } from '#domain/web-address';
import { AppError } from '#errors';
import { describePageProblem, type PageProblem } from '#faces/object-view/page-problem';
import { listLanguageNames } from '#faces/words/language-names';
import type { ReadPage } from '#services/catalogue/objects/page-reader';
import type { LtiFaceDeps } from '../deps.ts';
import { toTeacher } from '../object/replace.ts';
import type { LaunchContext, LtiReply, LtiRoute } from '../route.ts';
import { type Card, readCards } from './cards.ts';

interface AskModel {
  readonly step: 'ask';
  readonly typed: string;
  readonly problem: string | null;
  readonly detail: PageProblem['detail'];
}

/** What `views/lti/partials/own.eta` shows. */
type OwnModel =
  | AskModel
  | {
      readonly step: 'confirm';
      readonly url: string;
      readonly sealed: string;
      readonly fields: ObjectFields;
      /** Of what was typed, by field. */
      readonly problems: Readonly<Record<string, string>>;
      readonly types: readonly string[];
      readonly languages: readonly { readonly code: string; readonly name: string }[];
    }
  | { readonly step: 'done'; readonly isFoundByAll: boolean; readonly card: Card };

type OwnDeps = Pick<
  LtiFaceDeps,
  'objects' | 'tenants' | 'readObjectPage' | 'suggestionLimit' | 'keyring' | 'shelf' | 'discoveryOf'
>;

const MAX_URL = 2_000;

const text = (max: number) => z.string().transform(cleanText).pipe(z.string().max(max, 'tooLong'));

/** What is typed; the rest is chosen or hidden. */
const typedFields = z.object({
  title: text(objectTextLimits.title).refine((title) => title !== '', 'required'),
  description: text(objectTextLimits.description).default(''),
});
const chosenFields = z.object({
  sealed: z.string().min(1).max(100_000),
  type: z.enum(learningObjectTypes),
  lang: z.string().regex(/^[a-z]{2}$/),
});

export const askForOwn: AskModel = { step: 'ask', typed: '', problem: null, detail: null };

/** "Add one of yours": an instructor gives an address, sees what its page says, and suggests it to
 *  the institution. */
export function ownRoutes(deps: OwnDeps): LtiRoute[] {
  return [
    {
      method: 'post',
      path: '/picker/own/read',
      access: 'picker',
      handle: (context) => readOwn(deps, context),
    },
    { method: 'post', path: '/picker/own', access: 'picker', handle: (context) => suggestOwn(deps, context) },
  ];
}

const show = (own: OwnModel): LtiReply => ({ kind: 'fragment', view: 'partials/own', model: { own } });

/** Nothing is kept yet. */
async function readOwn(deps: OwnDeps, context: LaunchContext): Promise<LtiReply> {
  const { form, t, launch } = context;
  const typed = (form.get('url') ?? '').trim();
  const wrong = findWebAddressProblem(typed);
  if (wrong !== null)
    return show({ ...askForOwn, typed: typed.slice(0, MAX_URL), problem: t(`problems.${wrong}`) });
  const { isAllowed } = await deps.suggestionLimit.consume(`${launch.tenantId} ${launch.user.id}`);
  if (!isAllowed) return show({ ...askForOwn, typed, problem: t('picker.own.problems.RATE_LIMITED') });
  const page = await deps
    .readObjectPage(typed, { tenantId: launch.tenantId, isByOwner: false })
    .catch((error: unknown) => describePageProblem(error, t));
  if ('problem' in page) return show({ ...askForOwn, typed, ...page });
  return show(await toConfirmation(deps, context, { read: page, typed: {}, problems: {} }));
}

interface ConfirmRequest {
  readonly read: ReadPage;
  readonly typed: Partial<ObjectFields>;
  readonly problems: Readonly<Record<string, string>>;
}

async function toConfirmation(
  { keyring, discoveryOf }: OwnDeps,
  { launch, locale }: LaunchContext,
  { read, typed, problems }: ConfirmRequest,
): Promise<OwnModel> {
  const { languages } = await discoveryOf(launch.tenantId).lists();
  const codes = new Set(['en', 'fr', ...languages.map(({ value }) => value), read.fields.lang]);
  return {
    ...{ step: 'confirm', url: read.url, types: learningObjectTypes, problems },
    fields: { ...read.fields, ...typed },
    sealed: keyring.seal(JSON.stringify(read), contextOf(launch.tenantId)),
    languages: listLanguageNames(codes, locale),
  };
}

async function suggestOwn(deps: OwnDeps, context: LaunchContext): Promise<LtiReply> {
  const { form, launch, t } = context;
  const sent = Object.fromEntries(form);
  const chosen = chosenFields.safeParse(sent).data;
  const read = chosen && openRead(deps, launch.tenantId, chosen.sealed);
  if (chosen === undefined || read === undefined)
    return show({ ...askForOwn, problem: t('picker.own.problems.again') });
  const rest = { type: [chosen.type], lang: chosen.lang };
  const typed = typedFields.safeParse(sent);
  if (!typed.success) {
    const { title = '', description = '' } = sent;
    const issues = typed.error.issues.map(({ path, message }) => [path[0], t(`problems.${message}`)]);
    const again = { read, typed: { title, description, ...rest }, problems: Object.fromEntries(issues) };
    return show(await toConfirmation(deps, context, again));
  }
  const { title, description } = typed.data;
  const fields = { ...read.fields, ...rest, title, description: description || title };
  const { suggestions } = await deps.tenants.getTenant(launch.tenantId);
  const atOnce = suggestions === 'at-once';
  try {
    await deps.objects.suggest(toTeacher(context), {
      tenantId: launch.tenantId,
      url: read.url,
      fields,
      atOnce,
    });
  } catch (error) {
    return show({ ...askForOwn, typed: read.url, problem: describeRefusal(error, context) });
  }
  const object = toPlainObject({ url: read.url, fields });
  const [card] = await readCards([{ object, requestId: null }], deps, context);
  if (card === undefined) throw new TypeError('one card was asked for');
  return show({ step: 'done', isFoundByAll: atOnce, card });
}

function openRead({ keyring }: OwnDeps, tenantId: string, sealed: string): ReadPage | undefined {
  try {
    return JSON.parse(keyring.open(sealed, contextOf(tenantId)));
  } catch {
    return undefined;
  }
}

const contextOf = (tenantId: string) => `page that was read for ${tenantId}`;

function describeRefusal(error: unknown, { t }: LaunchContext): string {
  if (!(error instanceof AppError)) throw error;
  const { code, data } = error;
  if (code === 'OBJECT_KNOWN') return t(`picker.own.known.${data.how}`, data);
  if (code === 'OBJECTS_TOO_MANY') return t(`picker.own.problems.${code}`);
  throw error;
}
