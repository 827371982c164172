export const texts = {
  title: 'Verify a receipt',
  intro:
    'Whenever an agent acts for you with your permission, it leaves a signed receipt with your personal agent. Paste one here to see whether it is genuine, and what it proves. Nothing is stored.',
  label: 'Receipt',
  hint: 'The signed text that begins with “eyJ”, or the JSON of the answer that it came with.',
  submit: 'Verify',
  missing: 'Paste a receipt first.',
  tooLong: (most: number) => `A receipt has at most ${most} characters, and this is longer.`,
  tooMany: (seconds: number) =>
    `Too many receipts came from your network. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
  valid: 'This receipt is genuine',
  validWhy: (brand: string) => `It was signed here for ${brand}, and has not been changed since.`,
  proves: 'What it proves',
  claimed: 'What it claims, without proof',
  invalid: 'This receipt proves nothing',
  terms: {
    user: 'The User',
    usersNote: 'as the Brand calls them',
    pa: 'Asked by the personal agent',
    brand: 'At the Brand',
    ts: 'When',
    scopes: 'With the permissions',
    actions: 'What was done',
    grant: 'Under the grant',
    kid: 'Signed with the key',
    nothing: 'No tool was called.',
    noScopes: 'None was needed.',
  },
  reasons: {
    elsewhere:
      'It names a Brand that is not hosted here. Ask the Provider whose address it names: only its keys can tell.',
    'unknown-brand': 'It names a Brand that does not exist here.',
    'unknown-key': 'It names a key that this Brand never had: somebody else signed it.',
    'removed-key':
      'The key that signed it is not published any more: the receipts it signed were deleted before.',
    'compromised-key':
      'The key that it names was marked as compromised: somebody else may have signed with it, so nothing that it signed counts.',
    signature: 'The signature is wrong: it was changed, or somebody else signed it.',
  },
}
