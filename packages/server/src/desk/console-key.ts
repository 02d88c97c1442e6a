/** With which the ids of what is said in the console on a thread of the gateway begin; the receipts of its calls have them too. */
export const consoleKey = 'console:'
