export interface Logo {
  readonly url: string;
  readonly colorScheme: 'dark' | 'light';
  readonly aspectRatio: 'landscape' | 'square';
}

export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly logos: readonly Logo[];
  readonly url: string;
  /** Licence or branding page; absent where none is known. */
  readonly license?: string;
}

/** An entry of the type, Bloom or language list: the value to filter by and what it means. */
export interface ListEntry {
  readonly value: string;
  readonly description: string;
}
