const began = performance.now()

/** A line that tells where the work stands, with the seconds since the beginning. */
export function say(text: string): void {
  console.log(`${seconds(performance.now() - began).padStart(7)} s  ${text}`)
}

export function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1)
}
