/** The part of autocannon that is used here; it brings no types of its own. */
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly requests: readonly {
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Called before each sending; what it returns is sent. */
      readonly setupRequest?: (request: object) => object;
    }[];
  }
  interface Result {
    readonly requests: { readonly average: number; readonly total: number };
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly errors: number;
    readonly timeouts: number;
    readonly non2xx: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
