import { MESSAGE_PATH } from './kinds.ts'
import type { Drive } from './rounds.ts'
import type { Target } from './target.ts'

export type MemorySample = { messages: number; rss: number; rate: number }

/** How often the resident memory is looked at. */
const INTERVALS = 10

/**
 * Sends conversations of five messages until `messages` have been answered, and looks at the server's memory at even
 * intervals. A server that has just begun to serve: the first row is what it needs without any load.
 */
export async function runMemory(
  drive: Drive,
  target: Target,
  plan: { messages: number; connections: number; onProgress(line: string): void },
): Promise<MemorySample[]> {
  const { connections, messages } = plan
  const samples: MemorySample[] = [{ messages: 0, rss: (await target.usage()).rss, rate: 0 }]
  for (let interval = 1; interval <= INTERVALS; interval += 1) {
    const until = { messages: Math.round(messages / INTERVALS) }
    const load = {
      port: target.port,
      path: MESSAGE_PATH,
      kind: 'mixed',
      stock: target.name,
      connections,
      settle: 0,
      until,
      records: true,
    } as const
    const measured = await drive(load)
    const { rss } = await target.usage()
    const sample = { messages: until.messages * interval, rss, rate: measured.messages / measured.seconds }
    samples.push(sample)
    plan.onProgress(
      `${sample.messages} messages: ${Math.round(rss / 2 ** 20)} MiB, ${Math.round(sample.rate)}/s`,
    )
  }
  return samples
}
