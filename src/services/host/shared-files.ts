import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '#ports/clock';
import { FileDamaged, type SharedFile, type SharedFiles } from '#ports/shared-files';
import type { FileRepository, Store, StoredFile } from '#ports/store/store';

export interface SharedFilesDeps extends Pick<Store, 'files' | 'nonces'> {
  readonly clock: Clock;
  onProblem(error: unknown): void;
  /** How long a host counts as alive after its last sign of life; 15,000 by default. */
  readonly leaseMs?: number;
}

const LEASE_MS = 15_000;
/** Time after which an incomplete file is removed: its upload was interrupted. */
const INCOMPLETE_MS = 3_600_000;

export function createSharedFiles(deps: SharedFilesDeps): SharedFiles {
  const { files, nonces, clock, onProblem, leaseMs = LEASE_MS } = deps;

  function claim(name: string, by: string): Promise<boolean> {
    const now = clock.now();
    return nonces.claimNonce(name, { now, by, expiresAt: new Date(now.getTime() + leaseMs) });
  }

  return {
    put: (file, content) => putSharedFile(deps, file, content),
    list: async (prefix) => (await files.listFiles(prefix)).flatMap(toWholeSharedFile),
    async *read({ id, name, bytes, hash }) {
      const actual = createHash('sha256');
      let bytesLeft = bytes;
      for (let number = 0; bytesLeft > 0; number++) {
        const chunk = await files.readFilePart(id, number);
        if (chunk === null) throw new FileDamaged(`the shared file ${name} lacks a part`);
        actual.update(chunk);
        bytesLeft -= chunk.byteLength;
        // A file that is too long is damaged.
        if (bytesLeft >= 0) yield chunk;
      }
      if (bytesLeft < 0 || actual.digest('base64url') !== hash)
        throw new FileDamaged(`the shared file ${name} is not what it was`);
    },
    remove: ({ id }) => files.removeFile(id),
    async alone(name, job) {
      const turn = `turn ${name}`;
      const by = randomUUID();
      if (!(await claim(turn, by))) return null;
      const timer = setInterval(() => void claim(turn, by).catch(onProblem), leaseMs / 4);
      try {
        return await job();
      } finally {
        clearInterval(timer);
        // If another host has claimed it, or the store fails, the lease ends by itself.
        if (await claim(turn, by).catch(() => false)) await nonces.consumeNonce(turn, clock.now()).catch(onProblem);
      }
    },
  };
}

async function putSharedFile(
  { files, clock, onProblem }: SharedFilesDeps,
  { name, about }: Parameters<SharedFiles['put']>[0],
  content: Parameters<SharedFiles['put']>[1],
): Promise<void> {
  await removeIncompleteSharedFiles(files, clock);
  const id = randomUUID();
  await files.addFile({ id, name, about, addedAt: clock.now(), whole: null });
  try {
    const hash = createHash('sha256');
    let [bytes, number] = [0, 0];
    for await (const chunk of content) {
      await files.putFilePart(id, number++, chunk);
      hash.update(chunk);
      bytes += chunk.byteLength;
    }
    if (!(await files.completeFile(id, { bytes, hash: hash.digest('base64url') })))
      throw new Error(`the shared file ${name} was removed while it was stored`);
  } catch (error) {
    await files.removeFile(id).catch(onProblem);
    throw error;
  }
  const former = (await files.listFiles(name)).filter((file) => file.name === name && file.id !== id);
  for (const file of former) if (file.whole !== null) await files.removeFile(file.id);
}

async function removeIncompleteSharedFiles(files: FileRepository, clock: Clock): Promise<void> {
  const oldestMs = clock.now().getTime() - INCOMPLETE_MS;
  for (const { id, whole, addedAt } of await files.listFiles(''))
    if (whole === null && addedAt.getTime() < oldestMs) await files.removeFile(id);
}

function toWholeSharedFile({ id, name, about, addedAt, whole }: StoredFile): SharedFile[] {
  return whole === null ? [] : [{ id, name, about, addedAt, ...whole }];
}
