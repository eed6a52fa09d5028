#!/bin/sh
# Writes .env with new passwords and keys, and .env.admin with the key for commands, of which .env has only the hash.
set -eu
umask 077
cd "$(dirname "$0")"
if [ -e .env ]; then
  echo "There is an .env already. The data of its servers needs its passwords, so it is not replaced." >&2
  exit 1
fi

secret() { openssl rand -hex 32; }
hash() { printf %s "$1" | openssl dgst -sha256 -r | cut -c 1-64; }

admin_key=$(secret)
projector_key=$(secret)
while IFS= read -r line; do
  case $line in
    ADMIN_KEY_SHA256=) line=$line$(hash "$admin_key") ;;
    PROJECTOR_KEY_SHA256=) line=$line$(hash "$projector_key") ;;
    PROJECTOR_KEY=) line=$line$projector_key ;;
    *_PASSWORD= | *_KEY= | *_COOKIE=) line=$line$(secret) ;;
  esac
  printf '%s\n' "$line"
done <.env.example >.env.part
echo "ADMIN_KEY=$admin_key" >.env.admin
mv .env.part .env
echo "Wrote .env and .env.admin. Only you can read them; keep both, and do not commit them."
