import { startServer } from '../server.ts'
import { answerParent } from './answer-parent.ts'

// The product, as it runs in production. `LANE=0` sends the protocol through Next's door.
const server = await startServer({ port: 0, lane: process.env.LANE !== '0' })
answerParent(Number(new URL(server.url).port), () => server.close())
