// For `node --import`: says when asked how many milliseconds the processor has worked for the main thread, and how
// large the heap is.
process.on('message', () => {
  const { user, system } = process.threadCpuUsage()
  process.send?.({ processor: (user + system) / 1000, heap: process.memoryUsage().heapUsed })
})
process.channel?.unref()
