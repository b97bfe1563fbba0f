import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

const kept = new WeakMap<object, StandardSchemaWithJSON>();

/** The same schema, whose JSON form is made once: a server lives for one request, and would write it anew each time.
 *  @param isOurs whether what it describes is an answer: that is typed, checked by the tests, and by every client */
export function keepJsonForm<S extends StandardSchemaWithJSON>(schema: S, isOurs = false): S {
  const known = kept.get(schema);
  if (known !== undefined) return known as S;
  const standard = schema['~standard'];
  const { jsonSchema } = standard;
  const forms = { input: once(jsonSchema.input), output: once(jsonSchema.output) };
  const keeping = {
    '~standard': { ...standard, validate: isOurs ? pass : standard.validate, jsonSchema: forms },
  } as unknown as S;
  kept.set(schema, keeping);
  return keeping;
}

const pass = (value: unknown) => ({ value });

/** The SDK asks for one form of JSON Schema only. */
function once<A, T>(make: (asked: A) => T): (asked: A) => T {
  let made: { readonly value: T } | undefined;
  return (asked) => {
    made ??= { value: make(asked) };
    return made.value;
  };
}
