#!/bin/sh
# Installs real agents, each into a folder of its own: `install.sh pi`; without names all of them, which is about 1 GB.
# Does nothing if what is installed matches the lock file.
#
# Not `npm ci`: it wants every optional package in the lock file, and the registry lacks some of them. No install scripts:
# agents would look for their binaries elsewhere.
set -eu
cd "$(dirname "$0")"

[ $# -gt 0 ] || set -- pi codex opencode
for agent; do
  mark=$agent/node_modules/.installed-lock
  if cmp -s "$agent/package-lock.json" "$mark"; then continue; fi
  (cd "$agent" && npm install --no-save --ignore-scripts --no-fund --no-audit --loglevel=error)
  cp "$agent/package-lock.json" "$mark"
done
