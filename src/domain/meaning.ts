/** What a host has to find like things by meaning. */
export type MeaningState =
  /** Words alone: nothing was installed, or MODEL=none says so. */
  | { readonly kind: 'none' | 'off' }
  | { readonly kind: 'loading' | 'ready'; readonly name: string }
  | { readonly kind: 'unusable'; readonly problem: string }
  /** Texts go to another machine. */
  | { readonly kind: 'service'; readonly name: string; readonly address: string };
