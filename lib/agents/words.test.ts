import { describe, expect, it } from 'vitest'
import { buildPhrase, hasPhrase, tokenise } from './words.ts'

function has(text: string, phrase: string): boolean {
  const built = buildPhrase(phrase)
  return built !== undefined && hasPhrase(tokenise(text), built)
}

describe('words of a text', () => {
  it.each([
    ['Where is my ORDER?', 'order'],
    ['order', 'Order'],
    ['(order)', 'order'],
    ['Great Straße', 'STRASSE'],
    ['ｏｒｄｅｒ ﬁt', 'order fit'],
    ['Cafe\u0301', 'café'],
    ['Где мой ЗАКАЗ?', 'заказ'],
    ['ΠΟΎ ΕΊΝΑΙ ΟΙ ΑΡΙΘΜΌΣ', 'αριθμός'],
    ['أين طلبي؟', 'طلبي'],
    ['我的订单在哪里', '订单'],
    ['注文はどこですか', '注文'],
    ['ฉันต้องการสั่งซื้อ', 'สั่งซื้อ'],
    ['मेरा ऑर्डर कहाँ है', 'ऑर्डर'],
    ['good   morning,\nall', 'good morning'],
    ["That's all", 'that’s all'],
    ['ok 👍', '👍'],
    ['order 42', '42'],
  ])('%j has %j', (text, phrase) => {
    expect(has(text, phrase)).toBe(true)
  })

  it.each([
    ['reorder orders', 'order'],
    ['good old morning', 'good morning'],
    ['morning good', 'good morning'],
    ['goodmorning', 'good morning'],
    ['', 'order'],
    ['заказы', 'заказ'],
    ['order421', '42'],
  ])('%j has no %j', (text, phrase) => {
    expect(has(text, phrase)).toBe(false)
  })

  it('a phrase without a letter, digit or emoji is none', () => {
    expect(buildPhrase(' ?! ')).toBeUndefined()
  })
})
