import { describe, expect, it } from 'vitest'
import { describeFailure, OperatorError } from './operator-error.ts'
import { formatColumns, printable } from './print.ts'

describe('what others chose', () => {
  it('stands on one line and gives the terminal no orders', () => {
    expect(printable('a\nb\t c\u001b[2J\u202Ed')).toBe('a b c\\u{1b}[2J\\u{202e}d')
  })
})

describe('columns', () => {
  it('are as wide as their widest cell, without blanks at the end', () => {
    expect(
      formatColumns(
        [
          ['a', 'bb'],
          ['ccc', ''],
        ],
        '  ',
      ),
    ).toBe('  a    bb\n  ccc')
  })

  it('may be none', () => {
    expect(formatColumns([])).toBe('')
  })
})

describe('a failure is one line that says what to do', () => {
  it('also when Node wraps what each attempt to connect met', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' })
    expect(describeFailure(new AggregateError([refused], ''))).toBe(
      "The database can't be used: connect ECONNREFUSED ::1:5432. " +
        'Check DATABASE_URL, or leave it out to use the embedded database.',
    )
  })

  it('also when a library fills its message with code', () => {
    expect(describeFailure(new Error('\nInvalid call in\n  12 | x\n\nIt timed out.'))).toBe('It timed out.')
  })

  it('keeps every fault of a file', () => {
    expect(describeFailure(new OperatorError('a:1:1 x\na:2:1 y'))).toBe('a:1:1 x\na:2:1 y')
  })
})
