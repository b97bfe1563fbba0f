import { type Handler, Parser, type ParserOptions } from 'htmlparser2';
import { AppError } from '#errors';

/** The parser moves its whole stack for each element, so depth costs its square. */
const MAX_DEPTH = 256;
const MAX_ATTRIBUTES = 64;
/** `place` is the subject of messages of errors. */
type MarkupOptions = Pick<ParserOptions, 'xmlMode'> & { readonly place: string };
const endOfReading = new Error('reading ends here');

/** Ends `readMarkup` from within a handler. */
export function stopMarkup(): never {
  throw endOfReading;
}

/** Parses HTML or XML in linear time. Errors: IMPORT_INVALID beyond the limits above. */
export function readMarkup(markup: string, handler: Partial<Handler>, options: MarkupOptions): void {
  const { place, xmlMode = false } = options;
  let depth = 0;
  let attributes = 0;
  const parser = new Parser(
    {
      ...handler,
      onopentagname(name) {
        attributes = 0;
        if (++depth > MAX_DEPTH) throw createMarkupError(place, `nests its elements more than ${MAX_DEPTH} deep`);
        handler.onopentagname?.(name);
      },
      onattribute(...attribute) {
        if (++attributes > MAX_ATTRIBUTES)
          throw createMarkupError(place, `has an element with more than ${MAX_ATTRIBUTES} attributes`);
        handler.onattribute?.(...attribute);
      },
      onclosetag(name, isImplied) {
        depth--;
        handler.onclosetag?.(name, isImplied);
      },
    },
    { xmlMode, decodeEntities: true },
  );
  try {
    parser.end(markup);
  } catch (error) {
    if (error !== endOfReading) throw error;
  }
}

function createMarkupError(place: string, problem: string): AppError {
  return new AppError(
    'IMPORT_INVALID',
    `${place} ${problem}, which nobody writes by hand: it may be damaged or malicious. Check it, and tell its authors.`,
  );
}
