import { describe, expect, it } from 'vitest'
import { findUrlFault, isLoopbackHost } from './urls.ts'

describe('a URL that somebody else chose', () => {
  it.each([
    'https://pa.example.com',
    'https://pa.example.com:8443/jwks.json?a=b',
    'https://xn--bcher-kva.example/',
    'https://8.8.8.8/j',
    'https://[2606:4700::1]/j',
  ])('%s may be used', (url) => {
    expect(findUrlFault(url, { allowLoopback: false })).toBeUndefined()
  })

  it.each([
    ['pa.example.com', /absolute URL/],
    ['', /absolute URL/],
    ['http://pa.example.com', /https:\/\//],
    ['ftp://pa.example.com', /https:\/\//],
    ['javascript:alert(1)', /https:\/\//],
    ['https://user@pa.example.com', /user name/],
    ['https://:secret@pa.example.com', /user name/],
    ['https://pa.example.com/#part', /fragment/],
    [' https://pa.example.com', /white space/],
    ['https://pa.example.com\n', /white space/],
    ['https://pa\t.example.com', /white space/],
    ['https://pa.example.com/\u202egnp', /invisible/],
    ['https://pa.example.com/\0', /control/],
    ['http://localhost:3100', /this machine/],
    ['https://127.0.0.1', /this machine/],
    ['https://[::1]/', /this machine/],
    ['https://2130706433/', /this machine/],
    ['https://192.168.1.1/j', /private/],
    ['https://10.0.0.1/', /private/],
    ['https://172.16.0.1/', /private/],
    ['https://169.254.169.254/', /private/],
    ['https://0.0.0.0/', /private/],
    ['https://[fd00::1]/', /private/],
    ['https://[fe80::1]/', /private/],
    ['https://[::ffff:10.0.0.1]/', /private/],
  ])('%j may not: %s', (url, reason) => {
    expect(findUrlFault(url, { allowLoopback: false })).toMatch(reason)
  })

  it('may point to this machine, over http too, where that is allowed', () => {
    for (const url of [
      'http://localhost:3100',
      'https://127.0.0.1/a',
      'http://[::1]:1/',
      'http://a.localhost',
    ]) {
      expect(findUrlFault(url, { allowLoopback: true })).toBeUndefined()
    }
    expect(findUrlFault('ftp://localhost', { allowLoopback: true })).toMatch(/https:\/\/ or http:\/\//)
    expect(findUrlFault('http://pa.example.com', { allowLoopback: true })).toMatch(/https:\/\//)
  })

  it('is on this machine by the name or address that a parser made of it', () => {
    expect(['localhost', 'x.localhost', '127.9.9.9', '[::1]'].every(isLoopbackHost)).toBe(true)
    expect(['localhost.example', '128.0.0.1', '127.example', '[::2]'].some(isLoopbackHost)).toBe(false)
  })
})
