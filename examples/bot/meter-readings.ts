import type { Answer, Turn } from './turn.ts'

const has = (text: string, ...words: string[]) =>
  words.some((word) => new RegExp(`\\b${word}\\b`, 'i').test(text))

function askMeter(): Answer {
  return { reply: 'Happy to take it. What is the number of your meter?', state: { step: 'meter' } }
}

function readMeter(text: string): Answer | undefined {
  const meter = /\bN-?\d{4,8}\b/i.exec(text)?.[0].toUpperCase()
  if (meter)
    return { reply: `Thank you. And what does meter ${meter} show?`, state: { step: 'reading', meter } }
  if (has(text, "don't know", 'no idea', 'where')) {
    return {
      reply: 'The number is on the meter itself, below the bar code, and starts with N, such as N-20417.',
    }
  }
  if (!/\d/.test(text)) return undefined
  return { reply: 'Our meter numbers start with N, such as N-20417. Could you look again?' }
}

function readReading(text: string, meter: string): Answer {
  const reading = /\b\d{1,7}\b/.exec(text)?.[0]
  if (!reading)
    return { reply: `The digits before the comma are enough, such as 10482. What does meter ${meter} show?` }
  return {
    reply: `I have noted ${reading} kWh for meter ${meter}. Your next bill will use it. Is there anything else?`,
    state: { reading },
  }
}

function answerBill(reading: unknown): Answer {
  const rest = reading
    ? `It will use the reading of ${reading} kWh that you gave me.`
    : 'Hand in a meter reading, and it is exact.'
  return { reply: `Your bill comes on the third of the month. ${rest}` }
}

function answerQuestion(text: string, reading: unknown): Answer {
  if (has(text, 'meter', 'readings?')) return askMeter()
  if (has(text, 'tariffs?', 'prices?', 'costs?', 'kilowatt-hour', 'kwh'))
    return { reply: 'Today a kilowatt-hour costs 31 cents, and 24 cents between 22:00 and 6:00.' }
  if (has(text, 'bill', 'invoice')) return answerBill(reading)
  if (has(text, 'thanks', 'thank you')) return { reply: "You're welcome. Anything else?" }
  if (has(text, 'bye', 'goodbye', "that's all"))
    return { reply: 'Goodbye from Northlight Energy.', close: true }
  if (has(text, 'hello', 'hi', 'hey', 'good (morning|afternoon|evening)'))
    return { reply: 'Hello, this is Northlight Energy. I take meter readings and know our tariffs.' }
  return { reply: 'I can take a meter reading or tell you our tariffs.' }
}

/** Northlight Energy's agent: it takes meter readings, and knows what electricity costs. */
export function answerTurn({ text, state }: Turn): Answer {
  const { step, meter, reading } = state
  if (step === 'reading') return readReading(text, String(meter))
  return (step === 'meter' ? readMeter(text) : undefined) ?? answerQuestion(text, reading)
}
