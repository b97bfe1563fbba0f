import { AppError, isDiskFull } from '#errors';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'a file is in the way',
  EROFS: 'that disk is read-only',
};

/** Why something in the data folder cannot be used, and what to do. */
export function createDataDirError(path: string, cause: unknown): AppError {
  const reason = reasons[(cause as NodeJS.ErrnoException).code ?? ''];
  const [problem, advice] = isDiskFull(cause)
    ? [`There is no space left for ${path}`, 'Make room on its disk, or set']
    : [
        `The host cannot read and write ${path}${reason === undefined ? '' : `: ${reason}`}`,
        reason === undefined ? 'Give this user the right to, or set' : 'Set',
      ];
  return new AppError('DATA_DIR_UNWRITABLE', `${problem}. ${advice} DATA_DIR to another folder.`, { cause });
}
