#!/bin/sh
# Runs once, when the image creates the primary's cluster: the role of the replica, and its replication slot.
set -e
psql -X -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres -v password="$REPLICATION_PASSWORD" <<'SQL'
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'password';
SELECT pg_create_physical_replication_slot('replica');
SQL
echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
