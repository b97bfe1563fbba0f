import type { Command } from 'commander';
import { print } from './print.ts';
import { type CommandContext, withServices } from './with-services.ts';

/** `skilldock secrets rotate` seals every stored secret under a new key. */
export function addSecretsCommand(program: Command): void {
  program
    .command('secrets')
    .description('the key that stored secrets are sealed under')
    .command('rotate')
    .description('seal every stored secret under a new key; hosts may be running; can be repeated')
    .action(() => withServices(rotateSecrets));
}

async function rotateSecrets({ services, secretKeys, dataDir, actor }: CommandContext): Promise<void> {
  const { beginSecretKeyRotation, finishSecretKeyRotation } = await import('#compose/secret-keys');
  const isNew = await beginSecretKeyRotation(secretKeys, dataDir);
  if (!isNew && secretKeys.isInFile) print('A rotation that was broken off is gone on with.');
  const { resealed, current } = await finishSecretKeyRotation(services.secrets, secretKeys, dataDir);
  const { currentKeyId } = services.keyring;
  await services.audit.record(actor, {
    action: 'secrets.rotated',
    tenantId: null,
    target: currentKeyId,
    details: { resealed: String(resealed), current: String(current) },
  });
  print(`Sealed under the key ${currentKeyId}: ${resealed} anew, ${current} were already.`);
  print(
    secretKeys.isInFile
      ? `The new key is in ${dataDir.path}; back it up. Request ids given before end when the host is restarted.`
      : 'Nothing stored needs SECRET_KEY_PREVIOUS any more; it still proves request ids of the last 90 days.',
  );
}
