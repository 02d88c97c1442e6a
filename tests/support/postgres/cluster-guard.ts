import { watch } from './watch.ts'

/**
 * Waits until its input closes, which it does when this process ends in whatever way; then ends the server and removes
 * its folders.
 */
const script = `
home=$1 data=$2
trap '' HUP INT TERM
while read -r line; do :; done
ours() { grep -qsF -- "$data" "/proc/$pid/cmdline"; }
if read -r pid 2>/dev/null <"$data/postmaster.pid"; then
  tries=0
  while ours && [ $tries -lt 200 ]; do
    if [ $tries = 0 ]; then kill -QUIT "$pid"; fi
    if [ $tries = 100 ]; then kill -KILL "$pid"; fi
    tries=$((tries + 1))
    sleep 0.05
  done
fi
rm -rf -- "$data" "$home"
`

/**
 * Watches over a cluster for as long as this process lives. Returns what ends the watch: the server is ended, the
 * folders are gone.
 */
export function guard(home: string, data: string): () => Promise<void> {
  return watch('/bin/sh', ['-c', script, 'guard', home, data])
}
