import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'

/** How long an answer may take that does not need the body. */
const PATIENCE_MS = 10_000

/**
 * Announces a body, sends the beginning of it, and waits for the answer without sending the rest.
 *
 * @throws Error when no answer comes within ten seconds
 */
export function sendUnfinished(url: string, token: string): Promise<{ status: number; challenge: string }> {
  const open = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = open(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'A2A-Version': '1.0',
        'Content-Type': 'application/json',
        'Content-Length': '1000',
      },
    })
    const timer = setTimeout(() => {
      request.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} s while the body was still to come`))
    }, PATIENCE_MS)
    request.on('response', (response: IncomingMessage) => {
      clearTimeout(timer)
      resolve({ status: response.statusCode ?? 0, challenge: response.headers['www-authenticate'] ?? '' })
      request.destroy()
    })
    request.on('error', (failure) => {
      clearTimeout(timer)
      reject(failure)
    })
    request.write('{ "message": ')
  })
}
