import { describe, expect, it } from 'vitest'
import { matchRoute } from './routes.ts'

const brandId = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const base = `/a2a/${brandId}`

describe('§2.2 routing, by path and method alone', () => {
  it.each([
    ['GET', '/.well-known/agent-card.json', { name: 'agentCard' }],
    ['HEAD', '/.well-known/agent-card.json', { name: 'agentCard' }],
    ['POST', '/message:send', { name: 'sendMessage' }],
    ['POST', '/message%3Asend', { name: 'sendMessage' }],
    ['POST', '/message%3asend', { name: 'sendMessage' }],
    ['GET', '/tasks', { name: 'listTasks' }],
    ['GET', '/tasks/t-1', { name: 'getTask', taskId: 't-1' }],
    ['GET', '/tasks/a%20b', { name: 'getTask', taskId: 'a b' }],
    ['GET', '/tasks/a:b', { name: 'getTask', taskId: 'a:b' }],
    ['GET', '/tasks/:cancel', { name: 'getTask', taskId: ':cancel' }],
    ['POST', '/tasks/t-1:cancel', { name: 'cancelTask', taskId: 't-1' }],
    ['POST', '/tasks/t-1%3Acancel', { name: 'cancelTask', taskId: 't-1' }],
    ['POST', '/tasks/a:b:cancel', { name: 'cancelTask', taskId: 'a:b' }],
    ['POST', '/message:stream', { name: 'streamMessage' }],
    ['GET', '/tasks/t-1:subscribe', { name: 'subscribeToTask', taskId: 't-1' }],
    ['POST', '/tasks/t-1:subscribe', { name: 'subscribeToTask', taskId: 't-1' }],
    ['GET', '/extendedAgentCard', { name: 'unsupported' }],
    ['GET', '/tasks/t-1/pushNotificationConfigs', { name: 'pushNotifications' }],
    ['POST', '/tasks/t-1/pushNotificationConfigs', { name: 'pushNotifications' }],
    ['GET', '/tasks/t-1/pushNotificationConfigs/c-1', { name: 'pushNotifications' }],
    ['DELETE', '/tasks/t-1/pushNotificationConfigs/c-1', { name: 'pushNotifications' }],
  ])('%s %s is an operation', (method, path, operation) => {
    expect(matchRoute(method, base + path)).toEqual({ kind: 'operation', brandId, operation })
  })

  it.each([
    ['POST', '/.well-known/agent-card.json', ['GET', 'HEAD', 'OPTIONS']],
    ['GET', '/message:send', ['POST', 'OPTIONS']],
    ['HEAD', '/message:send', ['POST', 'OPTIONS']],
    ['PUT', '/tasks', ['GET', 'HEAD', 'OPTIONS']],
    ['DELETE', '/tasks/t-1', ['GET', 'HEAD', 'OPTIONS']],
    ['GET', '/tasks/t-1:cancel', ['POST', 'OPTIONS']],
    ['TRACE', '/tasks', ['GET', 'HEAD', 'OPTIONS']],
    ['__proto__', '/tasks', ['GET', 'HEAD', 'OPTIONS']],
  ])('%s %s has another method', (method, path, allow) => {
    expect(matchRoute(method, base + path)).toEqual({ kind: 'method-not-allowed', allow })
  })

  it.each([
    '/a2a',
    '/a2a/',
    '/a2a//message:send',
    base,
    `${base}/`,
    `${base}/message`,
    `${base}/message:send/`,
    `${base}/messages:send`,
    `${base}/Message:send`,
    `${base}/tasks/`,
    `${base}/tasks/t-1/`,
    `${base}/tasks/t-1/pushNotificationConfigs/`,
    `${base}/tasks/t-1/pushNotificationConfigs/c/d`,
    `${base}/tasks/a/b`,
    `${base}/message%253Asend`,
    `${base}/%E0%A4%A`,
    `${base}/tasks/%FF`,
    `${base}%2Fmessage:send`,
    `/x/a2a/${brandId}/tasks`,
  ])('%s is no route', (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'CONNECT']) {
      expect(matchRoute(method, path)).toEqual({ kind: 'not-found' })
    }
  })

  it('tells public documents apart from other routes for OPTIONS', () => {
    const allow = ['GET', 'HEAD', 'OPTIONS']
    expect(matchRoute('OPTIONS', `${base}/.well-known/agent-card.json`)).toEqual({
      kind: 'options',
      brandId,
      open: true,
      allow,
    })
    expect(matchRoute('OPTIONS', `${base}/tasks`)).toEqual({ kind: 'options', brandId, open: false, allow })
  })
})
