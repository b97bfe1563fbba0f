import type { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { SaxesTagNS } from '@rubensworks/saxes';
import { AppError } from '#errors';
import { createSourceFileError, readSourceText, type SourceFile } from '../files/source-file.ts';

export type RdfSyntax = 'turtle' | 'xml' | 'json';

/** A resource with an address or a name in this file (`_:…`), or a text in a language. */
export interface RdfTerm {
  readonly termType: string;
  readonly value: string;
  readonly language?: string;
}

type RdfQuad = Readonly<Record<'subject' | 'predicate' | 'object', RdfTerm>>;

/** Maximum text without a complete statement: the parsers keep it in memory, and read it again. */
const MAX_STATEMENT_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 100;
/** Maximum number of characters of an entity: they abbreviate namespaces, which are shorter. */
const MAX_ENTITY = 200;
const MAX_MINUTES = 20;

/** Recognises RDF by its beginning and the file's name. Null for a file that is not RDF. */
export function findRdfSyntax({ name }: Pick<SourceFile, 'name'>, head: string): RdfSyntax | null {
  const text = head.replace(/^(?:\uFEFF|\s|<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^[>]*(?:\[[\s\S]*?\]\s*)?>)+/, '');
  // Declarations of entities may be longer than the first characters.
  if (/^<(?:(?:[\w.-]+:)?RDF\b|!DOCTYPE\s[^[>]*\[[^\]]*$)/.test(text)) return 'xml';
  if (/^[[{]/.test(text)) return /"@(?:context|graph)"/.test(text) ? 'json' : null;
  const isTurtle = /^(?:#[^\n]*\n\s*)*(?:@prefix|@base|PREFIX|BASE)\s|^(?:<[^>\s]+>|_:\S+)\s+<[^>\s]+>\s/i.test(text);
  return isTurtle || /\.(?:ttl|turtle|nt|n3)$/i.test(name) ? 'turtle' : null;
}

/** Creates the error of a file. @param problem follows its name: `has a statement of …` */
type Refuse = (problem: string) => AppError;

/** Reads the statements of a file. Nothing is called: contexts on the web are refused.
 *  Errors: IMPORT_INVALID for a file that is broken, too deep, or takes too long. */
export async function* readRdfQuads(file: SourceFile, syntax: RdfSyntax, signal: AbortSignal): AsyncGenerator<RdfQuad> {
  let refusal: AppError | null = null;
  // Parsers wrap some errors, so the first one is remembered.
  const refuse: Refuse = (problem) => (refusal ??= createSourceFileError(file.name, problem));
  const parser = await parserOf[syntax](refuse);
  const quads: RdfQuad[] = [];
  parser.on('data', (quad: RdfQuad) => quads.push(quad)).on('error', () => undefined);
  const readDepth = syntax === 'json' ? createRdfDepthLimit(refuse) : () => 0;
  const decoder = new StringDecoder('utf8');
  const endsAt = performance.now() + MAX_MINUTES * 60_000;
  let bytesSinceQuad = 0;
  let depth = 0;
  try {
    for await (const chunk of readSourceText(file, signal)) {
      const text = decoder.write(chunk);
      depth = readDepth(text);
      await settleRdfParser(parser, (done) => parser.write(text, done));
      bytesSinceQuad = quads.length > 0 ? 0 : bytesSinceQuad + chunk.length;
      if (bytesSinceQuad > MAX_STATEMENT_BYTES)
        throw refuse('has a statement of more than 4 MB. Check that every quote is closed.');
      if (performance.now() > endsAt)
        throw refuse(`takes more than ${MAX_MINUTES} minutes to read. Import a smaller part.`);
      yield* quads.splice(0);
    }
    if (depth !== 0) throw refuse(CUT);
    await settleRdfParser(parser, (done) => parser.once('end', done).end(decoder.end()));
    yield* quads;
  } catch (error) {
    if (error instanceof AppError || signal.aborted) throw error;
    throw refuse(`cannot be read as RDF: ${String((error as Error).message).slice(0, 300)}`);
  } finally {
    parser.destroy();
  }
}

function settleRdfParser(parser: Transform, run: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('error', reject);
    run((error) => {
      parser.off('error', reject);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Loads and creates parsers: streams of `readable-stream`, which Node's types describe. */
const parserOf: Readonly<Record<RdfSyntax, (refuse: Refuse) => Promise<Transform>>> = {
  async turtle() {
    const { StreamParser } = await import('n3');
    return new StreamParser() as unknown as Transform;
  },
  async json(refuse) {
    const { JsonLdParser } = await import('jsonld-streaming-parser');
    const advice = 'and nothing is read from the web. Write the context into the file, or convert it to Turtle.';
    const refuseContext = (address: string) =>
      Promise.reject(refuse(`names the context ${address.slice(0, 200)}, ${advice}`));
    return new JsonLdParser({ documentLoader: { load: refuseContext } }) as unknown as Transform;
  },
  async xml(refuse) {
    const { RdfXmlParser } = await import('rdfxml-streaming-parser');
    class LimitedParser extends RdfXmlParser {
      #depth = 0;
      protected override onTag(tag: SaxesTagNS): void {
        this.#depth += 1;
        if (this.#depth > MAX_DEPTH) throw refuse(DEEP);
        super.onTag(tag);
      }
      protected override onCloseTag(): void {
        this.#depth -= 1;
        super.onCloseTag();
      }
      // The parser takes the end of a file for the end of the document.
      override _flush(done: (error?: Error | null) => void): void {
        done(this.#depth === 0 ? null : refuse(CUT));
      }
      protected override onDoctype(doctype: string): void {
        // Values stand between quotes; long ones, or those of entities, could fill the memory.
        if (doctype.includes('&') || doctype.split(/["']/).some(({ length }) => length > MAX_ENTITY))
          throw refuse('declares entities that are more than short names of addresses. Write them out.');
        super.onDoctype(doctype);
      }
    }
    return new LimitedParser() as unknown as Transform;
  },
};

const DEEP = `is nested more than ${MAX_DEPTH} levels deep. Write it flat.`;
const CUT = 'ends before its last element is closed. Copy it here again.';

/** Returns a function that refuses JSON which is nested too deep, before a parser sees it. It takes
 *  the text piece by piece, and returns the depth at the end of a piece. */
function createRdfDepthLimit(refuse: Refuse): (text: string) => number {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  return (text) => {
    for (const sign of text) {
      if (isEscaped) isEscaped = false;
      else if (sign === '"') isText = !isText;
      else if (isText) isEscaped = sign === '\\';
      else if (sign === '{' || sign === '[') depth += 1;
      else if (sign === '}' || sign === ']') depth -= 1;
      if (depth > MAX_DEPTH) throw refuse(DEEP);
    }
    return depth;
  };
}
