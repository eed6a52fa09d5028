#!/usr/bin/env bash
# The steps of the public image's entry point, which continues as rabbitmq if it starts as root.
set -euo pipefail

if [[ $1 == rabbitmq* ]] && (($(id -u) == 0)); then
  find /var/lib/rabbitmq ! -user rabbitmq -exec chown rabbitmq {} +
  exec gosu rabbitmq "$0" "$@"
fi
exec "$@"
