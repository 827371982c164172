/** A short message that appears in a corner of the page and goes by itself. */
export type Message = { kind: 'success' | 'error'; text: string }

let show: ((message: Message) => void) | undefined
const waiting: Message[] = []
const listeners = new Set<() => void>()

/** Says something in a corner of the page. What shows it is fetched with the first message. */
export function notify(kind: Message['kind'], text: string): void {
  if (show) {
    show({ kind, text })
    return
  }
  waiting.push({ kind, text })
  for (const listener of listeners) listener()
}

/** Whether there is a message that nothing shows yet. */
export function hasWaiting(): boolean {
  return waiting.length > 0
}

/** Calls `listener` when a message waits. @returns what ends it */
export function listenForWaiting(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Takes over showing messages, first of all those that wait. @returns what gives it back */
export function showWith(shower: (message: Message) => void): () => void {
  show = shower
  for (const message of waiting.splice(0)) shower(message)
  return () => {
    show = undefined
  }
}
