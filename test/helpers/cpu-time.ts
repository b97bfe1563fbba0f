/** What the work costs this process with all its threads, which is the same on a busy machine.
 *  @returns milliseconds of CPU, user and system together */
export async function measureCpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
