/**
 * The CPU time of this process that one run of `work` takes, in milliseconds, everything that goes on beside it included. Of
 * several rounds the best, since others use the machine too.
 *
 * @param options.runs of one round, one after the other
 */
export async function measureCpu(
  work: () => Promise<unknown>,
  { rounds = 4, runs = 50 }: { rounds?: number; runs?: number } = {},
): Promise<number> {
  const costs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    for (let run = 0; run < runs; run++) await work()
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1_000 / runs)
  }
  return Math.min(...costs)
}
