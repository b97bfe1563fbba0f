/** The used part of WebAssembly: the types of Node lack it, and those of browsers contain much that
 *  Node does not have. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { readonly initial: number; readonly maximum: number });
    /** The present buffer; after a growth, the previous one has length 0. */
    readonly buffer: ArrayBuffer;
    /** Errors: RangeError if there is no space. */
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, Memory>>>>);
    readonly exports: unknown;
  }
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}
