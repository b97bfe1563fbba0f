import { z } from 'zod';
import { anyText, plainText, webAddress } from './texts.ts';

const MAX_OPTION_TEXT = 75;
const MAX_OPTION_VALUE = 150;

const optionValue = z
  .string()
  .min(1, 'is empty')
  .max(MAX_OPTION_VALUE, `longer than ${MAX_OPTION_VALUE} characters`);

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
