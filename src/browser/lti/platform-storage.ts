/** Storage that a platform offers to tools in its frames, where browsers block third-party storage.
 *  1. The tool asks the outer window for its capabilities and the frame that provides them.
 *  2. The tool asks that frame, which must have the origin of the platform, to store or return a
 *     value.
 *  https://www.imsglobal.org/spec/lti-cs-pm/v0p1, https://www.imsglobal.org/spec/lti-pm-s/v0p1 */

const TIMEOUT_MS = 1_000;

interface PlatformStorage {
  /** False if the platform did not confirm that it stores the value. */
  put(key: string, value: string): Promise<boolean>;
  get(key: string): Promise<string | null>;
}

type Answer = {
  readonly [field in 'subject' | 'message_id' | 'value' | 'error' | 'supported_messages']?: unknown;
};

/** Opens the storage; null if the platform offered none, or the tool has no outer window.
 *  @param target the name of the frame in the login request, `_parent` for the outer window; empty
 *  if the platform offered no storage */
export function openPlatformStorage(target: string, platformOrigin: string): PlatformStorage | null {
  const outer: Window | null = window.parent === window ? window.opener : window.parent;
  if (target === '' || outer === null) return null;
  const askPlatform = async (message: { readonly subject: string; readonly key: string; readonly value?: string }) => {
    try {
      const name = await findStorageFrameName(outer, message.subject, target);
      const frame = name === null ? null : findStorageFrame(outer, name);
      return frame === null ? null : await askStorageFrame(frame, message, platformOrigin);
    } catch {
      // There is no such frame, or the origin is invalid. The launch continues without storage.
      return null;
    }
  };
  return {
    async put(key, value) {
      const answer = await askPlatform({ subject: 'lti.put_data', key, value });
      return answer !== null && answer.error === undefined;
    },
    async get(key) {
      const answer = await askPlatform({ subject: 'lti.get_data', key });
      return typeof answer?.value === 'string' ? answer.value : null;
    },
  };
}

/** Finds the name in the capabilities, else takes that of the login; null if unsupported. */
async function findStorageFrameName(outer: Window, subject: string, target: string): Promise<string | null> {
  const answer = await askStorageFrame(outer, { subject: 'lti.capabilities' }, '*');
  if (!Array.isArray(answer?.supported_messages)) return target;
  const supported = (answer.supported_messages as unknown[]).find(
    (message): message is { frame?: unknown } =>
      typeof message === 'object' && message !== null && (message as Answer).subject === subject,
  );
  if (supported === undefined) return null;
  return typeof supported.frame === 'string' ? supported.frame : target;
}

function findStorageFrame(outer: Window, name: string): Window | null {
  if (name === '_parent') return outer;
  try {
    // A frame of another site is accessible by its name; its content is not.
    return (outer.frames as unknown as Record<string, Window | undefined>)[name] ?? null;
  } catch {
    return null;
  }
}

/** Asks a frame; null if late. Any origin may answer for capabilities, the platform for values. */
function askStorageFrame(frame: Window, message: { readonly subject: string }, origin: string): Promise<Answer | null> {
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
