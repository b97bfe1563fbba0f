import { z } from 'zod';
import { recordSchemas } from './catalog-schema.ts';

/** JSON Schema (draft 2020-12) of one kind of record, as it is written in the files. `data/schema/` holds the output. */
export function jsonSchemaOf(name: keyof typeof recordSchemas): Record<string, unknown> {
  const schema = z.toJSONSchema(recordSchemas[name], { io: 'input' });
  return { ...JSON.parse(JSON.stringify(schema)), title: name };
}
