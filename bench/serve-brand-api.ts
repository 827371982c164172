import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './answer-parent.ts'
import { ORDERS } from './delegating-brand.ts'

// The Brand's API that the agents under test call: it asks nothing and knows one answer.

const body = Buffer.from(JSON.stringify(ORDERS))
const head = { 'Content-Type': 'application/json', 'Content-Length': body.length }

const server = createServer((_request, response) => {
  response.writeHead(200, head).end(body)
})
// Longer than a client rests between two measurements: none finds its connection closed just as it sends.
server.keepAliveTimeout = 120_000
server.listen(0, 'localhost', () => {
  answerParent((server.address() as AddressInfo).port, async () => {
    server.closeAllConnections()
  })
})
