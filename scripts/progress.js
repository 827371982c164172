/** Steps shorter than this stay silent, in milliseconds. */
const SILENT = 1_000
const REDRAW = 500

/** @type {Map<string, number>} When each running step started, in milliseconds. */
const running = new Map()
/** @type {NodeJS.Timeout | undefined} */
let redraw

function isTerminal() {
  return process.stdout.isTTY === true
}

/** @param {number} startedAt */
function seconds(startedAt) {
  return (performance.now() - startedAt) / 1000
}

function draw() {
  const late = [...running].filter(([, startedAt]) => seconds(startedAt) * 1000 >= SILENT)
  const parts = late.map(([label, startedAt]) => `${label} … ${Math.floor(seconds(startedAt))} s`)
  if (parts.length > 0) process.stdout.write(`\r\x1b[K${parts.join(' · ')}`)
}

function clear() {
  if (isTerminal()) process.stdout.write('\r\x1b[K')
}

/** @param {string} label */
function begin(label) {
  running.set(label, performance.now())
  if (isTerminal()) redraw ??= setInterval(draw, REDRAW).unref()
}

/** @param {string} label */
function end(label) {
  running.delete(label)
  if (running.size === 0) {
    clearInterval(redraw)
    redraw = undefined
  }
  clear()
}

/**
 * Runs one step. When it takes more than a second, the terminal shows the seconds that have passed; without a terminal
 * there is a line when it turns out to be long, and one at its end.
 *
 * @template T
 * @param {string} label what the step does, e.g. `Installing packages`
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} what `work` returns
 */
export async function step(label, work) {
  const startedAt = performance.now()
  begin(label)
  const announce = setTimeout(() => {
    if (!isTerminal()) console.log(`${label} …`)
  }, SILENT)
  try {
    const result = await work()
    end(label)
    if (seconds(startedAt) * 1000 >= SILENT) console.log(`${label}: ${seconds(startedAt).toFixed(1)} s`)
    return result
  } finally {
    clearTimeout(announce)
    end(label)
  }
}
