/* Loaded into a server process by a test: faults that no request owns, one for each signal. */
let count = 0
process.on('SIGUSR2', () => {
  count += 1
  if (count % 2 === 0) void Promise.reject(new Error(`stray rejection ${count}`))
  else throw new Error(`stray throw ${count}`)
})
