import { startBot } from './bot.ts'

// A Brand's bot as a program of its own, which tells its address to whoever started it.
const { url } = await startBot()
process.once('disconnect', () => process.exit(0))
process.send?.(url)
