#!/bin/sh
# Writes .env with new passwords and keys, and .env.admin with the key for commands, of which .env has only the hash.
set -eu
umask 077
cd "$(dirname "$0")"

# The users of the containers read these. A clone that was made with a umask of 077 does not let them. The files of
# another owner stay as they are.
chmod -R a+rX etcd haproxy postgres rabbitmq redis 2>/dev/null || true

if [ -e .env ]; then
  echo "There is an .env already. The data of its servers needs its passwords, so it is not replaced." >&2
  exit 1
fi

# Clones on one machine have one project name, unless one is given: Compose would start this one on the data of the
# other.
name=${COMPOSE_PROJECT_NAME:-apexshop}
for project in "$name" "$name-cluster"; do
  status=0
  command -v docker >/dev/null || break
  volumes=$(docker volume ls -q --filter "label=com.docker.compose.project=$project") || status=$?
  # 127: there is no Docker on this machine.
  if [ "$status" -ne 0 ] && [ "$status" -ne 127 ]; then
    echo "The volumes of Docker cannot be listed, so another clone may have some; the error is above." >&2
    echo "Start Docker, and run this as the user who runs docker compose." >&2
    exit 1
  fi
  if [ -n "$volumes" ]; then
    echo "Docker has volumes of the project $project, and here is no .env with their passwords." >&2
    echo "If they are of another folder, give this one another name:  COMPOSE_PROJECT_NAME=NAME ./new-env.sh" >&2
    exit 1
  fi
done

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
[ -z "${COMPOSE_PROJECT_NAME:-}" ] || echo "COMPOSE_PROJECT_NAME=$COMPOSE_PROJECT_NAME" >>.env.part
echo "ADMIN_KEY=$admin_key" >.env.admin
mv .env.part .env
echo "Wrote .env and .env.admin. Only you can read them; keep both, and do not commit them."
