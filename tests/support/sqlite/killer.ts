// Kills another process after a while, when the one that started it is busy waiting.
const [pid, milliseconds] = process.argv.slice(2).map(Number)
console.log('waiting')
setTimeout(() => process.kill(pid!, 'SIGKILL'), milliseconds)
