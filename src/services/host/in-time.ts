/** The result of the work if it ends in time, else null. Late work goes on, and its outcome is ignored.
 *  Errors: those of the work, in time. */
export async function finishInTime<T>(work: Promise<T>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, null);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
