import { z } from 'zod';
import { type ImportChoices, type ImportFormat, importFormats, importRhythms } from '#domain/catalog';
import { mayAddressHoldKey } from '#domain/web-address';
import { boxField, type FormState, fillForm } from '../forms/forms.ts';

/** Whether a format is read from a file, an address, or either. */
export const placeOfFormat: Readonly<Record<ImportFormat, 'file' | 'address' | 'either'>> = {
  objects: 'file',
  feed: 'either',
  oai: 'address',
  lrmi: 'either',
  esco: 'file',
  onet: 'file',
  rome: 'file',
  taxonomy: 'file',
  crosswalk: 'file',
};

/** The formats that institutions use most come first. */
export const offeredFormats = Object.keys(placeOfFormat) as readonly ImportFormat[];

const codes = z
  .string()
  .default('')
  .transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((code) => code !== ''),
  )
  .refine((list) => list.length <= 40 && list.every((code) => /^[a-z]{2}$/.test(code)), 'languageCodes');

const address = z
  .string()
  .default('')
  .transform((text) => text.trim())
  .refine((text) => text === '' || isImportFormAddress(text), 'notAWebAddress');

const name = z
  .string()
  .default('')
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => text === '' || (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && text.length <= 60), 'datasetName');

export const offeredRhythms = ['never', ...importRhythms] as const;

export const rhythmField = z
  .enum(offeredRhythms)
  .catch('never')
  .transform((value) => (value === 'never' ? null : value));

export function createImportForm(hasFile: boolean) {
  return z
    .object({
      format: z.enum(importFormats, 'chooseFormat'),
      address,
      langs: codes,
      name,
      allowRemoval: boxField,
      rhythm: rhythmField,
      mode: z.enum(['check', 'begin', 'match']).catch('check'),
      sheet: z.string().trim().max(100, 'tooLong').default(''),
      column: z.array(z.string()),
      as: z.array(z.string()),
    })
    .superRefine(({ format, address, rhythm }, { addIssue }) => {
      const place = placeOfFormat[format];
      const askFor = (path: 'file' | 'address', message: string) => addIssue({ code: 'custom', path: [path], message });
      if (place === 'address' && address === '') askFor('address', 'webAddressMissing');
      else if (place === 'file' && !hasFile) askFor('file', 'fileMissing');
      else if (place === 'either' && !hasFile && address === '') askFor('address', 'fileOrAddress');
      else if (place === 'either' && hasFile && address !== '') askFor('address', 'fileAndAddress');
      else if (place !== 'file' && rhythm !== null && address !== '' && mayAddressHoldKey(address))
        askFor('address', 'addressMayHoldKey');
    });
}

/** Reads the matches of columns to fields, by the names of the columns; empty without matches. */
export function readImportMatches({ column, as }: Pick<ImportChoice, 'column' | 'as'>): ImportChoices {
  const pairs = column.map((name, at) => [name, as[at] ?? ''] as const);
  return pairs.length === 0 ? {} : { map: Object.fromEntries(pairs) };
}

export type ImportChoice = z.infer<ReturnType<typeof createImportForm>>;

export function fillNewImportForm(format: string | null): FormState {
  const supported = importFormats.find((name) => name === format);
  return fillForm({ format: supported ?? 'objects', address: '', langs: '', name: '', sheet: '', rhythm: 'never' });
}

function isImportFormAddress(text: string): boolean {
  return text.length <= 2000 && /^https?:\/\//i.test(text) && URL.canParse(text);
}
