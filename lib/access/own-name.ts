import { prisma } from '#lib/platform/database.ts'
import { displayText } from '#lib/platform/text.ts'
import { type Actor, appendAudit } from './audit.ts'

/** A person's name as others in the console read it. */
export const personNameSchema = displayText({ max: 100 })

/** Gives a user the name that they chose for themselves. */
export async function changeOwnName(userId: string, name: string, actor: Actor): Promise<void> {
  await prisma().$transaction(async (transaction) => {
    const user = await transaction.consoleUser.findUniqueOrThrow({ where: { id: userId } })
    if (user.name === name) return
    await transaction.consoleUser.update({ where: { id: userId }, data: { name } })
    const sides = { before: { name: user.name }, after: { name } }
    await appendAudit(transaction, [{ actor, action: 'user.rename', subject: user.email, ...sides }])
  })
}
