#!/bin/sh
# Which secrets do the compose files need? Writes .env next to this script, with new keys and passwords, and prints the keys.
set -eu
cd "$(dirname "$0")"
umask 077
if [ -e .env ]; then
  echo "deploy/.env exists already. Move it away first: passwords of a database that exists stay as they are." >&2
  exit 1
fi

secret() { openssl rand -hex 24; }
hash() { printf %s "$1" | openssl dgst -sha256 -r | cut -d' ' -f1; }
app=mb_$(secret)
admin=mb_$(secret)
sed -e "s/^APP_KEY=.*/APP_KEY=$app/" \
  -e "s/^APP_KEY_SHA256=.*/APP_KEY_SHA256=$(hash "$app")/" \
  -e "s/^ADMIN_KEY_SHA256=.*/ADMIN_KEY_SHA256=$(hash "$admin")/" \
  -e "s/^POSTGRES_PASSWORD=.*/POSTGRES_PASSWORD=$(secret)/" \
  -e "s/^OWNER_PASSWORD=.*/OWNER_PASSWORD=$(secret)/" \
  -e "s/^APP_PASSWORD=.*/APP_PASSWORD=$(secret)/" .env.example >.env
echo "one instance: the key of your apps is $app (APP_KEY in .env)"
echo "a team: the first key is $admin (kept nowhere else)"
