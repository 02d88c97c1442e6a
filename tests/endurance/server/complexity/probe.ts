// For `node --import`: says when asked how many milliseconds the processor has worked for the main thread, and how
// large the heap is.
process.on('message', () => {
  // Before version 23.9, Node counts only all threads together.
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  process.send?.({ processor: (user + system) / 1000, heap: process.memoryUsage().heapUsed })
})
process.channel?.unref()
