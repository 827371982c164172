import type { ServerAnswer, ServerCommand } from './contract.ts'

function send(answer: ServerAnswer): void {
  process.send?.(answer)
}

/**
 * For the processes that serve: tells the bench the port, and whatever it asks from then on.
 *
 * @param close called before the process ends
 */
export function answerParent(port: number, close: () => Promise<void>): void {
  const stop = () => void close().finally(() => process.exit(0))
  process.on('message', (command: ServerCommand) => {
    if (command === 'stop') return stop()
    const { user, system } = process.cpuUsage()
    const peak = process.resourceUsage().maxRSS * 1024
    send({ usage: { rss: process.memoryUsage.rss(), peak, cpu: user + system } })
  })
  // Ctrl-C in the terminal reaches this process too: the parent decides.
  process.on('SIGINT', () => {})
  process.on('disconnect', stop)
  send({ port })
}
