const list = new Intl.ListFormat('en')

/** What people read while they sign in. */
export const texts = {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  signIn: 'Sign in',
  wrong: 'The e-mail address or the password is not right.',
  tooMany: (minutes: number) =>
    `There were too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`,
  sso: 'Sign in with single sign-on',
  ssoFailed: {
    'no-email': 'Your organization’s sign-in did not say which e-mail address is yours.',
    unverified: 'Your organization’s sign-in has not verified your e-mail address.',
    'no-role': 'You may not use this console. Ask an admin for an invitation.',
    disabled: 'This account is disabled. Ask an admin to enable it.',
    other: 'Single sign-on did not work. Try again, or use your password.',
  },
  secondFactor: {
    title: 'One more step',
    description: (email: string) => `Show that it is you, ${email}.`,
    code: 'Code',
    codeHint: 'From your authenticator app, or one of your recovery codes.',
    submit: 'Continue',
    wrong: 'This code is not right, or was used before. A new one comes every 30 seconds.',
    passkey: 'Use a passkey',
    passkeyFailed: 'The passkey could not be used. Try again, or type a code.',
    other: 'Sign in as somebody else',
  },
  setUp: {
    title: 'Set up a second factor',
    description: 'Admins of this Provider need one besides their password. One of the two is enough.',
    done: 'Go to the console',
  },
  invitation: {
    title: 'Welcome',
    description: (inviter: string, organization: string, roles: readonly string[]) =>
      `${inviter} invites you to the console of ${organization}, as ${list.format(roles)}.`,
    name: 'Your name',
    nameHint: 'As others in the console see it.',
    password: 'Password',
    submit: 'Accept and sign in',
    accept: 'Accept',
    as: (email: string) => `You are signed in as ${email}.`,
    signInFirst:
      'Sign in with the invited address first, then open this link once more. If you can’t, ask an admin of the Provider to invite you.',
    gone: 'This link does not work any more',
    goneHint: 'It was used, taken back, or has expired. Ask whoever invited you for a new one.',
  },
} as const
