import { z } from 'zod';
import {
  CONCEPT_ID_PATTERN,
  DATE_PATTERN,
  type FactName,
  factNames,
  factTextLimits,
  MAX_FACT_ENTRIES,
  objectFacts,
} from '#domain/object-facts';
import { SPDX_PATTERN } from '#domain/rights/licences';
import { acceptedOrAbsent } from './accepted.ts';
import { extension, webAddress } from './shared.ts';

const entry = z.string().trim().min(1).max(factTextLimits.entry);

const conceptId = z.string().regex(CONCEPT_ID_PATTERN, 'an address, or an id as digcomp:1.1').max(factTextLimits.entry);

const kinds = {
  license: z.union([webAddress, z.string().regex(SPDX_PATTERN, 'an SPDX identifier or an address')]),
  date: z.string().regex(DATE_PATTERN, 'YYYY, YYYY-MM or YYYY-MM-DD'),
  text: z.string().trim().min(1).max(factTextLimits.text),
  texts: z.array(entry).min(1).max(MAX_FACT_ENTRIES),
  concepts: z
    .array(
      z
        .strictObject({ uri: z.union([webAddress, conceptId]).exactOptional(), label: entry.exactOptional() })
        .refine(({ uri, label }) => uri !== undefined || label !== undefined, 'needs an address or a label'),
    )
    .max(MAX_FACT_ENTRIES),
} as const;

type SchemaOf<Name extends FactName> = (typeof kinds)[(typeof objectFacts)[Name]['kind']];

const mapFacts = <T>(make: (name: FactName) => T) =>
  Object.fromEntries(factNames.map((name) => [name, make(name)])) as Record<FactName, T>;

export const factSchemas = mapFacts((name) => kinds[objectFacts[name].kind].exactOptional()) as unknown as {
  [Name in FactName]: z.ZodExactOptional<SchemaOf<Name>>;
};

/** In answers, marked as an extension. */
export const factFields = mapFacts((name) =>
  factSchemas[name].meta({ description: objectFacts[name].about, examples: [readExample(name)], ...extension }),
) as unknown as typeof factSchemas;

/** An invalid field counts as absent. */
export const acceptedFacts = mapFacts((name) => acceptedOrAbsent(kinds[objectFacts[name].kind])) as unknown as {
  [Name in FactName]: z.ZodCatch<z.ZodOptional<SchemaOf<Name>>>;
};

function readExample(name: FactName): unknown {
  const { kind, example } = objectFacts[name];
  if (kind === 'texts') return example.split(' | ');
  return kind === 'concepts' ? [{ label: example.replace(/ <.*/, ''), uri: example.replace(/.*<|>/g, '') }] : example;
}
