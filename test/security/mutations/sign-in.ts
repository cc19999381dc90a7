import {type MutationGroup, of} from './mutation.js'

/** What a sign-in tells by its answers, its work and its lock. */

const signIn = of('src/api/sign-in/sign-in.ts')
const passwords = of('src/api/sign-in/passwords.ts')
const lockout = of('src/api/sign-in/lockout.ts')
const work = of('src/api/sign-in/password-work.ts')
const secrets = of('src/secrets/passwords.ts')
const worker = of('src/secrets/password-worker.mjs')
const credential = of('src/domain/credentials/credential.ts')

export const signIns: MutationGroup = {
  tests: [
    'security/customers/lockout',
    'security/customers/sign-in-work',
    'security/customers/p-password',
    'security/secrets/s-secrets',
  ],
  mutations: [
    signIn('no lockout', 'await signInLockout.failed(target, now)\n    return undefined', 'return undefined'),
    signIn('a locked email costs hashes', '  await signInLockout.check(target, now)\n'),
    signIn('any password signs in', ' || !fits'),
    signIn('a sign-in forgets no failures', '  await signInLockout.succeeded(target, now)\n'),
    signIn(
      'an unknown email costs fewer reads',
      'await credentialOf(context, customer?.id ?? nobody)',
      'customer && (await credentialOf(context, customer.id))',
    ),
    signIn('imported hashes stay', '  await renewHash(context, credential, password)\n'),
    passwords(
      'a wrong current password is taken',
      '(!(await passwordFits(context, body.currentPassword, credential)) || !credential)',
      '(!credential)',
    ),
    passwords('wrong current passwords count nowhere', '      await signInLockout.failed(target, now)\n'),
    passwords(
      'current passwords can be guessed of a locked account',
      '    await signInLockout.check(target, now)\n    const credential',
      '    const credential',
    ),
    lockout('a lock never ends', 'filter(({at}) => at > now - windowMs)', 'filter(() => now > 0)'),
    lockout('one lock for all projects', 'JSON.stringify([projectKey, ', "JSON.stringify(['', "),
    lockout('the case of an email counts', 'canonicalEmail(email)', 'email'),
    lockout('one lock for all accounts of an email', ' || failure.account === account', ' || failure.account !== ""'),
    lockout(
      'the lock tells a store’s accounts from none',
      'account === undefined || failure.account === undefined || ',
      '',
    ),
    lockout(
      'guesses side by side are all told',
      '        checkCount(failures, target, now)\n        const {account} = target',
      '        const {account} = target',
    ),
    lockout(
      'guesses beside a full count may succeed',
      '        checkCount(failures, target, now)\n        return withoutThose',
      '        return withoutThose',
    ),
    lockout('records of failures stay for ever', 'if (enabled) await sweep(now)', 'void sweep'),
    lockout(
      'emails stand in the records of failures',
      'const id = secrets.digest(keyOf(target))',
      'const id = keyOf(target)',
    ),
    work('an import raises no work', 'if (before && before.cost >= cost) return', 'if (cost > 0) return'),
    work(
      'the highest cost counts for nothing',
      'const highest = (await workOf(platform, project.key))?.cost',
      'const highest = undefined',
    ),
    work(
      'cheap hashes stay',
      'if (!imported && passwords.costOf(passwordHash) >= settings.passwordCost) return',
      'if (passwords.costOf(passwordHash) > 0) return',
    ),
    work(
      'a renewed hash overwrites a password that was changed meanwhile',
      "    await state.commit(project.key, [{kind: 'credential', expect: version, doc}])",
      "    const now = (await state.get<Credential>(project.key, 'credential', doc.id))?.version ?? version\n    await state.commit(project.key, [{kind: 'credential', expect: now, doc: {...doc, version: now + 1}}])",
    ),
    secrets(
      'an unknown account costs nothing',
      '      const most =',
      '      if (known === undefined) return false\n      const most =',
    ),
    secrets('a cheap hash costs less', 'costsBetween(costOf(hash), most).map(decoyOf)', '[]'),
    secrets('an imported hash fits no long password', 'known?.imported ? password : text', 'text'),
    worker('decoys are not compared with', '  for (const decoy of decoys) bcrypt.compareSync(text, decoy)\n'),
    credential(
      'a new password counts as imported',
      'function withPasswordHash({imported: _, ...credential}',
      'function withPasswordHash({...credential}',
    ),
  ],
}
