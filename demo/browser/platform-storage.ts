/** Platform Storage: keeps small values for tools whose cookies a browser does not keep, as long as
 *  the page is open. https://www.imsglobal.org/spec/lti-pm-s/v0p1 */

interface StorageRequest {
  readonly subject?: unknown;
  readonly message_id?: unknown;
  readonly key?: unknown;
  readonly value?: unknown;
}

const subjects = ['lti.capabilities', 'lti.put_data', 'lti.get_data'];
const MAX_LENGTH = 4096;
const MAX_VALUES = 100;
/** By the origin that put them, so that nobody reads what another one keeps. */
const kept = new Map<string, string>();

addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
  const request = (typeof data === 'object' ? data : null) as StorageRequest | null;
  if (source === null || typeof request?.subject !== 'string' || !subjects.includes(request.subject)) return;
  const { subject, message_id } = request;
  const answer = { subject: `${subject}.response`, message_id, ...answerTo(request, origin) };
  source.postMessage(answer, { targetOrigin: origin });
});

function answerTo({ subject, message_id: id, key, value }: StorageRequest, origin: string): object {
  if (subject === 'lti.capabilities') return { supported_messages: subjects.map((name) => ({ subject: name })) };
  if (typeof id !== 'string' || id === '' || typeof key !== 'string' || key === '')
    return failure('bad_request', 'message_id and key are needed');
  const name = `${origin} ${key}`;
  if (subject === 'lti.get_data') return { key, value: kept.get(name) ?? null };
  if (value === null || value === undefined) kept.delete(name);
  else if (typeof value !== 'string' || key.length + value.length > MAX_LENGTH || kept.size >= MAX_VALUES)
    return failure('storage_exhaustion', 'The value is too long, or there are too many.');
  else kept.set(name, value);
  return { key, value: value ?? null };
}

const failure = (code: string, message: string) => ({ error: { code, message } });
