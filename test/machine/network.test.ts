import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {rootCertificates} from 'node:tls'
import type {RunningServer} from '../../src/index.js'
import {type Doing, query, tryRows} from './trial.js'

const at = ({client}: RunningServer, url: string): Doing => ({
  env: {FRONTDESK_API_URL: url, FRONTDESK_CLIENT_ID: client.clientId, FRONTDESK_CLIENT_SECRET: client.clientSecret},
})
const proxy = (value: string): Doing => ({
  env: {HTTPS_PROXY: value},
  words: [...query, '--api-url', 'https://api.shop.test', '--auth-url', 'https://api.shop.test'],
})

const certificate = (text: string): Doing => ({
  prepare: (home) => writeFileSync(join(home, 'ca.pem'), text),
  words: [...query, '--ca-file', 'ca.pem'],
})

tryRows('network, TLS and proxies', [
  {
    report: 'jenkinsci/jfrog-plugin#53, minishift/minishift#2283',
    does: '# in the password of a proxy',
    done: proxy('http://clerk:hush#word@proxy.test:3128'),
    code: 2,
    says: /HTTPS_PROXY is not the address of a proxy/,
    silent: /hush/,
  },
  {
    report: 'neighbour of jenkinsci/jfrog-plugin#53',
    does: 'a proxy without http://',
    done: proxy('proxy.test:3128'),
    code: 2,
    says: /HTTPS_PROXY is not the address of a proxy/,
  },
  {
    report: 'neighbour of jenkinsci/jfrog-plugin#53',
    does: 'a proxy of another kind',
    done: proxy('socks5://clerk:hush@proxy.test:1080'),
    code: 2,
    says: /HTTPS_PROXY is not the address of a proxy/,
    silent: /hush/,
  },
  {
    report: 'neighbour of microsoft/Git-Credential-Manager-for-Windows#741',
    does: 'lower-case http_proxy with %zz, and a server on this machine',
    done: {env: {http_proxy: 'http://clerk:%zz@proxy.test:3128', https_proxy: ''}, words: query},
    code: 2,
    says: /http_proxy is not the address of a proxy/,
    silent: /%zz@/,
  },
  {
    report: 'none',
    does: 'a proxy that nobody runs, and a server on this machine',
    done: {env: {HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9'}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'neighbour of zowe/zowe-cli#620',
    does: 'an empty --ca-file',
    done: {prepare: (home) => writeFileSync(join(home, 'ca.pem'), ''), words: [...query, '--ca-file', 'ca.pem']},
    code: 2,
    says: /ca\.pem/,
  },
  {
    report: 'neighbour of nodejs/node#55285',
    does: 'a --ca-file that is no PEM',
    done: {
      prepare: (home) => writeFileSync(join(home, 'ca.crt'), Buffer.from('308203', 'hex')),
      words: [...query, '--ca-file', 'ca.crt'],
    },
    code: 2,
    says: /ca\.crt/,
  },
  {
    report: 'neighbour of nodejs/node#10973',
    does: 'a missing file in NODE_EXTRA_CA_CERTS',
    done: {env: {NODE_EXTRA_CA_CERTS: '/no/such/file.pem'}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'geldata/gel-cli#797, checkly/checkly-cli#827',
    does: 'localhost, and a server on 127.0.0.1 alone',
    done: ({url}) => ({words: [...query, '--api-url', url.replace('127.0.0.1', 'localhost')]}),
    code: 0,
    same: true,
  },
  {
    report: 'angular/angular-cli#29028',
    does: 'localhost, and a server on ::1 alone',
    done: ({v6, hasBoth}) => (v6 && hasBoth ? at(v6, v6.apiUrl.replace('[::1]', 'localhost')) : undefined),
    code: 0,
  },
  {
    report: 'neighbour of vercel/vercel#7094',
    does: 'a server by http://[::1]',
    done: ({v6}) => v6 && at(v6, v6.apiUrl),
    code: 0,
  },
  {
    report: 'neighbour of zowe/zowe-cli#620',
    does: 'a --ca-file that is cut in its middle',
    done: certificate(rootCertificates[0]?.slice(0, 300) ?? ''),
    code: 2,
    says: /ca\.pem holds no certificate, or one that cannot be read/,
  },
  {
    report: 'neighbour of vercel/vercel#393',
    does: 'a --ca-file with a byte order mark, a comment and the line ends of Windows',
    done: certificate(`\uFEFF# ours\r\n${rootCertificates[0]?.replaceAll('\n', '\r\n')}\r\n`),
    code: 0,
    same: true,
  },
  {
    report: 'Amazon-Q-Developer/language-server-runtimes#664',
    does: 'the address of a PAC file for a proxy',
    done: proxy('http://proxy.test/proxy.pac'),
    code: 2,
    says: /HTTPS_PROXY is not the address of a proxy/,
  },
])
