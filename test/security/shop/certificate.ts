import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {TlsFiles} from '../../../src/server/http/bind.js'

/** A certificate of shop.test that nobody vouches for, and its key, as texts. */
export function certificate(folder: string): TlsFiles {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const names = ['-subj', '/CN=shop.test', '-addext', 'subjectAltName=DNS:shop.test']
  execFileSync('openssl', [...made, ...names, '-keyout', key, '-out', cert], {stdio: 'ignore'})
  return {cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8')}
}
