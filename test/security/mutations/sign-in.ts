import {type MutationGroup, of} from './mutation.js'

/** What a sign-in tells by its answers, its work and its lock. */

const signIn = of('src/api/accounts/sign-in.ts')
const passwords = of('src/api/accounts/passwords.ts')
const pool = of('src/secrets/worker-pool.ts')
const identity = of('src/domain/customers/identity.ts')
const lockout = of('src/api/operation/sign-in-lockout.ts')
const work = of('src/api/accounts/password-work.ts')
const secrets = of('src/secrets/passwords.ts')
const worker = of('src/secrets/password-worker.mjs')
const hashes = of('src/domain/credentials/password-hash.ts')
const credential = of('src/domain/credentials/credential.ts')

export const signIns: MutationGroup = {
  tests: [
    'security/customers/lockout',
    'security/customers/sign-in-work',
    'security/customers/foreign-hashes',
    'domain/credentials/password-hash',
    'security/customers/p-password',
    'security/secrets/s-secrets',
    'api/accounts/sign-up',
    'security/survival/s-survival',
  ],
  mutations: [
    signIn('no lockout', '    await signInLockout.failed(target, now)\n'),
    signIn('a locked email costs hashes', '  await signInLockout.check(target, now)\n'),
    signIn('any password signs in', ' || !fits'),
    signIn('a sign-in forgets no failures', '  await signInLockout.succeeded(target, now)\n'),
    signIn(
      'an unknown email costs fewer reads',
      "await credentialOf(context, customer?.id ?? '')",
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
      'a guess at the password of a locked account costs a hash',
      '    await signInLockout.check(target, now)\n    const credential',
      '    const credential',
    ),
    lockout('a lock never ends', 'filter(({at}) => at > now - windowMs)', 'filter(() => now > 0)'),
    lockout('one lock for all projects', 'JSON.stringify([projectKey, ', "JSON.stringify(['', "),
    lockout('the case of an email counts', 'canonicalEmail(email)', 'email'),
    pool('a project takes all password workers', 'countOf(job) === least', 'countOf(job) >= 0'),
    pool('a project fills the queue of passwords', 'waiting.get(project) === most', 'waiting.size > 0'),
    identity('one email is two accounts', ".normalize('NFC')"),
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
    lockout(
      'emails stand in the records of failures',
      'const id = secrets.digest(keyOf(target))',
      'const id = keyOf(target)',
    ),
    work('an import raises no work', 'if (before && before.cost >= cost) return', 'if (cost >= 0) return'),
    work('the highest cost counts for nothing', 'password, known, cost)', 'password, known, cost && 0)'),
    work(
      'cheap hashes stay',
      'if (!imported && costOf(passwordHash) >= settings.passwordCost) return',
      'if (costOf(passwordHash) > 0) return',
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
    secrets('a cheap hash costs less', 'missingCosts(done, most)', 'missingCosts(done, done)'),
    secrets('a hash becomes a password', 'if (!looksLikeHash(password)) return text', 'if (text) return text'),
    secrets('an imported hash fits no long password', 'known?.imported ? password : text', 'text'),
    worker('decoys are not compared with', '  for (const decoy of decoys) bcrypt.compareSync(text, decoy)\n'),
    hashes('a hash may take any time', 'Number(cost) <= mostCost', 'Number(cost) > 0'),
    hashes('a hash of another form is taken', 'if (cost === undefined) {', "if (text === '') {"),
    credential(
      'a new password counts as imported',
      '{imported: _, ...credential}: Credential,\n  passwordHash',
      '{...credential}: Credential,\n  passwordHash',
    ),
  ],
}
