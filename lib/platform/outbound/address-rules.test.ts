import { describe, expect, it } from 'vitest'
import { mayReach } from './address-rules.ts'

const publicOnly = { allowLoopback: false }
const withLoopback = { allowLoopback: true }

const publicAddresses = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '::ffff:1.1.1.1',
  '64:ff9b::1.1.1.1',
  '2002:101:101::1',
]

const refusedAddresses = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::10.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:1ff::1',
  '2001:db8::1',
  '2002:a00:1::1',
  '2002:7f00:1::1',
  '2002:c0a8:101::',
  '3fff::1',
  '4000::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]

const loopbackAddresses = [
  '127.0.0.1',
  '127.255.255.255',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
]

describe('addresses that somebody else chose', () => {
  it.each(publicAddresses)('%s is on the public internet', (address) => {
    expect(mayReach(address, publicOnly)).toBe(true)
  })

  it.each(refusedAddresses)('%s is refused, with loopback allowed too', (address) => {
    expect(mayReach(address, publicOnly)).toBe(false)
    expect(mayReach(address, withLoopback)).toBe(false)
  })

  it.each(loopbackAddresses)('%s is this machine: only where that is allowed', (address) => {
    expect(mayReach(address, publicOnly)).toBe(false)
    expect(mayReach(address, withLoopback)).toBe(true)
  })

  it.each(['10.0.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fd12:3456::1', '::ffff:10.0.0.1'])(
    '%s is a private network: only where that is allowed',
    (address) => {
      expect(mayReach(address, withLoopback)).toBe(false)
      expect(mayReach(address, { allowLoopback: false, allowPrivate: true })).toBe(true)
    },
  )

  it('with private networks allowed, everything else is as before', () => {
    const withPrivate = { allowLoopback: false, allowPrivate: true }
    const others = refusedAddresses.filter(
      (address) => !/^(::ffff:)?(10|172|192\.168)\.|^f[cd]/.test(address),
    )
    expect(others).toContain('169.254.169.254')
    for (const address of [
      ...others,
      ...loopbackAddresses,
      'fd00:ec2::254',
      '64:ff9b::10.0.0.1',
      'fe80::1',
    ]) {
      expect(mayReach(address, withPrivate), address).toBe(false)
    }
  })

  it.each(['', 'localhost', '2130706433', '127.1', '0x7f.1', '[::1]'])('%j is no address', (text) => {
    expect(mayReach(text, withLoopback)).toBe(false)
  })
})
