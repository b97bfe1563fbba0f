import type { MeaningState } from '../domain/meaning.ts';

const BY_WORDS = 'searches go by words alone';

/** One line about it, for those who run the host. */
export function describeMeaning(state: MeaningState): string {
  switch (state.kind) {
    case 'none':
      return `no model is installed, ${BY_WORDS}; with one they also find what means the same: skilldock model install`;
    case 'off':
      return `switched off by MODEL=none, ${BY_WORDS}`;
    case 'loading':
      return `the model ${state.name} is being loaded, ${BY_WORDS} until then`;
    case 'ready':
      return `the model ${state.name} runs in this host`;
    case 'unusable':
      return `${BY_WORDS}: ${state.problem}`;
    case 'service':
      return `the service at ${state.address}, model ${state.name}; texts are sent there`;
  }
}
