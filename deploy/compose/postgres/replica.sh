#!/bin/sh
# The replica's entry point: the first start copies the primary, then the image's entry point runs.
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chown postgres "$PGDATA"
  chmod 700 "$PGDATA"
  PGPASSWORD=$REPLICATION_PASSWORD gosu postgres pg_basebackup -h "${PRIMARY_HOST:-postgres}" -U replicator \
    -D "$PGDATA" --write-recovery-conf --slot=replica --wal-method=stream --checkpoint=fast
fi
exec docker-entrypoint.sh "$@"
