/** Storage that a platform lends to tools in its frames, where their own is blocked.
 *  1. The window around us is asked what it can do, and which of its frames does it.
 *  2. That frame, which must have the origin of the platform, is asked to keep or to give a value.
 *  https://www.imsglobal.org/spec/lti-cs-pm/v0p1, https://www.imsglobal.org/spec/lti-pm-s/v0p1 */

/** Milliseconds that a platform has for an answer. */
const TIMEOUT_MS = 1_000;

export interface PlatformStorage {
  /** False where the platform did not say that it keeps it. */
  put(key: string, value: string): Promise<boolean>;
  /** Null where there is none. */
  get(key: string): Promise<string | null>;
}

interface Answer {
  readonly subject?: unknown;
  readonly message_id?: unknown;
  readonly value?: unknown;
  readonly error?: unknown;
  readonly supported_messages?: unknown;
}

/** Null where the platform offered none, or nothing is around us.
 *  @param target the frame it named with the login, `_parent` for the window around us; empty where
 *  it offered none */
export function openPlatformStorage(target: string, platformOrigin: string): PlatformStorage | null {
  const around: Window | null = window.parent === window ? window.opener : window.parent;
  if (target === '' || around === null) return null;
  const asking = async (message: {
    readonly subject: string;
    readonly key: string;
    readonly value?: string;
  }) => {
    try {
      const name = await findFrame(around, message.subject, target);
      const frame = name === null ? null : findNamedFrame(around, name);
      return frame === null ? null : await ask(frame, message, platformOrigin);
    } catch {
      // The name does not belong to a frame, or the origin is invalid. The launch goes on without
      // it.
      return null;
    }
  };
  return {
    async put(key, value) {
      const answer = await asking({ subject: 'lti.put_data', key, value });
      return answer !== null && answer.error === undefined;
    },
    async get(key) {
      const answer = await asking({ subject: 'lti.get_data', key });
      return typeof answer?.value === 'string' ? answer.value : null;
    },
  };
}

/** Name of the frame for a message: what the platform says now, else what it said at the login.
 *  Null where it says that it does not take such messages. */
async function findFrame(around: Window, subject: string, target: string): Promise<string | null> {
  const answer = await ask(around, { subject: 'lti.capabilities' }, '*');
  if (!Array.isArray(answer?.supported_messages)) return target;
  const supported = (answer.supported_messages as unknown[]).find(
    (message): message is { frame?: unknown } =>
      typeof message === 'object' && message !== null && (message as Answer).subject === subject,
  );
  if (supported === undefined) return null;
  return typeof supported.frame === 'string' ? supported.frame : target;
}

function findNamedFrame(around: Window, name: string): Window | null {
  if (name === '_parent') return around;
  try {
    // Frames of another site can be reached by their names, though not their contents.
    return (around.frames as unknown as Record<string, Window | undefined>)[name] ?? null;
  } catch {
    return null;
  }
}

/** Null where no answer came in time. Capabilities are taken from any window around us, values from
 *  the platform only. */
function ask(frame: Window, message: { readonly subject: string }, origin: string): Promise<Answer | null> {
  const messageId = crypto.getRandomValues(new Uint32Array(4)).join('-');
  return new Promise((resolve) => {
    const end = (answer: Answer | null) => {
      clearTimeout(timer);
      window.removeEventListener('message', listen);
      resolve(answer);
    };
    const listen = ({ data, source, origin: from }: MessageEvent<Answer | null>) => {
      const isAnswer = data?.subject === `${message.subject}.response` && data.message_id === messageId;
      if (isAnswer && (origin === '*' ? source === frame : from === origin)) end(data);
    };
    const timer = setTimeout(() => end(null), TIMEOUT_MS);
    window.addEventListener('message', listen);
    frame.postMessage({ ...message, message_id: messageId }, origin);
  });
}
