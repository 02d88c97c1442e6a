#!/bin/sh
# Installs real agents; does nothing when the installed ones match the lock file. About 1 GB.
#
# Not `npm ci`: it wants every optional package in the lock file, and the registry lacks some of them. No install scripts:
# agents would look for their binaries elsewhere.
set -eu
cd "$(dirname "$0")"

mark=node_modules/.installed-lock
if cmp -s package-lock.json "$mark"; then
  exit 0
fi
npm install --no-save --ignore-scripts --no-fund --no-audit --loglevel=error
cp package-lock.json "$mark"
