#!/bin/sh
# Installs the engine's packages; does nothing when the installed ones match the lock file.
#
# --omit=optional leaves out 340 MB of CUDA and Vulkan builds; the CPU build is a dependency of ours by name.
# Not `npm ci`: it wants every optional package in the lock file, and the registry lacks some of them.
# NODE_LLAMA_CPP_SKIP_DOWNLOAD keeps node-llama-cpp's own install step from looking for binaries elsewhere.
set -eu
cd "$(dirname "$0")"

mark=node_modules/.installed-lock
if cmp -s package-lock.json "$mark"; then
  exit 0
fi
NODE_LLAMA_CPP_SKIP_DOWNLOAD=true npm install --no-save --omit=optional --ignore-scripts --no-fund --no-audit --loglevel=error
cp package-lock.json "$mark"
