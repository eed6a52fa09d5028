#!/usr/bin/env bash
# The steps of the public image's entry point, which continues as postgres if it starts as root; the first start creates
# the cluster and runs /docker-entrypoint-initdb.d on a server that only listens on its socket.
set -euo pipefail

if [[ $1 != postgres ]]; then exec "$@"; fi

chmod 700 "$PGDATA" || true
if (($(id -u) == 0)); then
  chown -R postgres "$PGDATA" /var/run/postgresql
  exec gosu postgres "$0" "$@"
fi

if [[ ! -s $PGDATA/PG_VERSION ]]; then
  # shellcheck disable=SC2086
  initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") ${POSTGRES_INITDB_ARGS:-}
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -w -o "$(printf '%q ' "${@:2}" -c listen_addresses=)" start
  createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
  for file in /docker-entrypoint-initdb.d/*; do
    # shellcheck source=/dev/null
    if [[ -x $file ]]; then "$file"; else . "$file"; fi
  done
  pg_ctl -D "$PGDATA" -m fast -w stop
fi
exec "$@"
