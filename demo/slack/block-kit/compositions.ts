import { z } from 'zod';

/** Characters of one text where nothing less is said. */
const MAX_TEXT = 3000;

/** A string that Slack shows; blank ones it refuses. */
export const shown = (max: number) =>
  z
    .string()
    .max(max, `longer than ${max} characters`)
    .refine((text) => text.trim() !== '', 'is empty');

export const markup = (max: number) =>
  shown(max).superRefine((text, context) => {
    for (const message of findMrkdwnProblems(text)) context.addIssue({ code: 'custom', message });
  });

export const plainText = (max = MAX_TEXT) =>
  z.strictObject({ type: z.literal('plain_text'), text: shown(max), emoji: z.boolean().optional() });

const mrkdwn = (max = MAX_TEXT) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: markup(max), verbatim: z.boolean().optional() });

export const anyText = (max = MAX_TEXT) => z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);

export const contextTexts = [plainText(), mrkdwn()] as const;

/** Of a block, an action, a callback. */
export const id = z.string().min(1, 'is empty').max(255, 'longer than 255 characters');

/** An address that Slack opens or shows a picture from. */
export const webAddress = z
  .string()
  .max(3000, 'longer than 3000 characters')
  .refine((address) => /^https?:\/\//i.test(address) && URL.canParse(address), 'is no http(s) address');

const MAX_OPTION_TEXT = 75;
const MAX_OPTION_VALUE = 150;

const optionValue = z.string().min(1, 'is empty').max(MAX_OPTION_VALUE, `longer than ${MAX_OPTION_VALUE} characters`);

/** Of menus. */
export const option = z.strictObject({
  text: plainText(MAX_OPTION_TEXT),
  value: optionValue,
  description: plainText(MAX_OPTION_TEXT).optional(),
});

/** Of checkboxes and radio buttons, which take markup. */
export const markedOption = z.strictObject({
  text: anyText(MAX_OPTION_TEXT),
  value: optionValue,
  description: anyText(MAX_OPTION_TEXT).optional(),
});

/** Of an overflow menu, which takes links. */
export const linkedOption = option.extend({ url: webAddress.optional() });

export type Option = z.infer<typeof option> | z.infer<typeof markedOption>;

export const MAX_OPTIONS = 100;
const tooMany = (max: number) => `more than ${max}`;

export const options = z.array(option).min(1, 'is empty').max(MAX_OPTIONS, tooMany(MAX_OPTIONS));

export const optionGroups = z
  .array(z.strictObject({ label: plainText(MAX_OPTION_TEXT), options }))
  .min(1, 'is empty')
  .max(MAX_OPTIONS, tooMany(MAX_OPTIONS));

/** Asks again before something is done. */
export const confirmation = z.strictObject({
  title: plainText(100),
  text: anyText(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: z.enum(['primary', 'danger']).optional(),
});

/** What is wrong with a text in Slack's markup. Whatever is not escaped is read as markup by Slack,
 *  so that foreign words could call a whole channel or lead somewhere else. Dates, people and
 *  channels are fine: only the app itself writes `<`.
 *  Source: https://docs.slack.dev/messaging/formatting-message-text. */
function findMrkdwnProblems(text: string): string[] {
  const problems = [...text.matchAll(/<([^<>]*)>/g)].flatMap(([, inner = '']) => findTokenProblems(inner));
  const rest = text.replace(/<[^<>]*>/g, '');
  // A quotation begins a line with it.
  if (/[<>]/.test(rest.replace(/^>+/gm, ''))) problems.push('has < or > that is not escaped');
  if (/&(?!(?:amp|lt|gt);)/.test(text)) problems.push('has & that is not escaped');
  return problems;
}

function findTokenProblems(token: string): string[] {
  if (/^!date\^\d+\^[^|]+\|.+$/s.test(token)) return [];
  if (token.startsWith('!')) return [`calls everybody with <${shorten(token)}>`];
  if (/^[@#]/.test(token)) {
    return /^(?:@[UW]|#[CG])[A-Z0-9]+(?:\|[^|]*)?$/.test(token) ? [] : [`mentions nobody with <${shorten(token)}>`];
  }
  return findLinkProblems(token);
}

function findLinkProblems(token: string): string[] {
  const [address = '', ...title] = token.split('|');
  if (!/^(?:https?|slack):/i.test(address) || !URL.canParse(address)) {
    return [`links to what is no http(s) or slack address: <${shorten(token)}>`];
  }
  if (/\s/.test(address)) return [`has a space in the address of a link: <${shorten(token)}>`];
  return token.includes('|') && title.join('|').trim() === '' ? ['has a link without words'] : [];
}

function shorten(token: string): string {
  return token.length > 80 ? `${token.slice(0, 80)}…` : token;
}
