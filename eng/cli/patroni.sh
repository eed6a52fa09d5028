# PostgreSQL in a cluster: three under Patroni, which promotes a replica that has every acknowledged commit.

# The lease of a primary that is silent ends after 20 seconds, which is the shortest that Patroni accepts.
PATRONI_LEASE=20
PATRONI_LOOP=4
PATRONI_RETRY=4

write_patroni_settings() {
  local name=$1 folder=$2 address
  address=$(address_of "$name")
  (
    umask 077
    cat >"$folder/patroni.yaml" <<YAML
scope: apexshop
name: $name
restapi:
  listen: $address:$PATRONI_PORT
  connect_address: $address:$PATRONI_PORT
  authentication: { username: patroni, password: $ETCD_PASSWORD }
# Version 2 of the interface: with version 3 this Patroni writes its lock without comparing, so a primary that hung for
# longer than the lease would take the lock from its successor, and commits that were acknowledged since would be lost.
etcd:
  hosts: $(addresses_with "$ETCD_PORT")
  username: root
  password: $ETCD_PASSWORD
bootstrap:
  dcs:
    ttl: $PATRONI_LEASE
    loop_wait: $PATRONI_LOOP
    retry_timeout: $PATRONI_RETRY
    # A commit is acknowledged when a second machine has it, and only such a machine is promoted. Strict: a new primary
    # waits for its first replica, too.
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 300
        # A replica that hangs stops commits for this time and one loop of Patroni.
        wal_sender_timeout: 4s
        wal_receiver_timeout: 4s
        max_slot_wal_keep_size: 4GB
        tcp_user_timeout: 6s
        tcp_keepalives_idle: 3
        tcp_keepalives_interval: 1
        tcp_keepalives_count: 3
  initdb: [ { encoding: UTF8 }, { locale: C.UTF-8 }, { auth: scram-sha-256 }${INITDB_EXTRA:+, ${INITDB_EXTRA#--} } ]
  pg_hba:
    - host all all all scram-sha-256
    - host replication replicator all scram-sha-256
postgresql:
  listen: $address:$APEXSHOP_PG_PORT
  connect_address: $address:$APEXSHOP_PG_PORT
  data_dir: $folder/server
  bin_dir: $PG_BIN
  pgpass: $folder/pgpass
  custom_conf: $folder/postgresql.conf
  remove_data_directory_on_rewind_failure: true
  remove_data_directory_on_diverged_timelines: true
  authentication:
    superuser: { username: postgres, password: $POSTGRES_PASSWORD }
    replication: { username: replicator, password: $REPLICATION_PASSWORD }
  parameters: { unix_socket_directories: '' }
YAML
  )
}

# The data is one folder deeper than that of a single server: Patroni replaces it when it copies the primary again.
start_patroni() {
  local name=$1 folder
  prepare_postgres_folder "$name"
  folder=$(postgres_data "$name")
  {
    cat "$ROOT/deploy/compose/postgres/postgresql.conf"
    # Patroni names the replica in place of it. Without it PostgreSQL would acknowledge commits alone until its
    # checkpointer, which may be busy for seconds, reads the first name.
    echo "synchronous_standby_names = '*'"
  } >"$folder/postgresql.conf"
  write_patroni_settings "$name" "$folder"
  ((EUID != 0)) || chown postgres "$folder/postgresql.conf" "$folder/patroni.yaml"
  echo "$PG_VERSION" >"$STATE/$name/version"
  (cd / && launch_as_postgres "$name" patroni "$folder/patroni.yaml")
}

patroni_responds() { curl -fs -o /dev/null -m 2 "http://$(address_of "$1"):$PATRONI_PORT/health"; }
