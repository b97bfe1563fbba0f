/** What we use of WebAssembly: the types of Node have none of it, and those of browsers bring much
 *  that Node does not have. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { readonly initial: number; readonly maximum: number });
    /** Another one after each growth; the one before has no length then. */
    readonly buffer: ArrayBuffer;
    /** Errors: RangeError where there is no room. */
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
