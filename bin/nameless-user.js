// A container often runs as a user that its list of users does not name. oclif and its libraries ask that list for what
// SHELL and HOME do not tell, some of them while they are loaded, and die. The stand-ins are what Docker and sh take.
const {userInfo} = require('node:os')

const {env} = process
if (!env.SHELL || !env.HOME) {
  try {
    userInfo()
  } catch {
    env.SHELL ||= '/bin/sh'
    env.HOME ||= '/'
  }
}
