# PostgreSQL in a cluster: three under Patroni, which promotes a replica that has every acknowledged commit.

# What deploy/compose/postgres/patroni.yaml needs besides on a machine; Patroni reads both.
write_patroni_settings() {
  local name=$1 folder=$2 address
  address=$(address_of "$name")
  (
    umask 077
    as_postgres mkdir -p "$folder/patroni"
    write_as_postgres "$folder/patroni/patroni.yaml" <"$ROOT/deploy/compose/postgres/patroni.yaml"
    write_as_postgres "$folder/patroni/server.yaml" <<YAML
name: $name
restapi:
  listen: $address:$PATRONI_PORT
  connect_address: $address:$PATRONI_PORT
  authentication: { username: patroni, password: $ETCD_PASSWORD }
etcd:
  hosts: $(addresses_with "$ETCD_PORT")
  username: root
  password: $ETCD_PASSWORD
postgresql:
  listen: $address:$APEXSHOP_PG_PORT
  connect_address: $address:$APEXSHOP_PG_PORT
  data_dir: $folder/server
  bin_dir: $PG_BIN
  pgpass: $folder/pgpass
  custom_conf: $folder/cluster.conf
  authentication:
    superuser: { password: $POSTGRES_PASSWORD }
    replication: { password: $REPLICATION_PASSWORD }
YAML
  )
}

# The data is one folder deeper than that of a single server: Patroni replaces it when it copies the primary again.
start_patroni() {
  local name=$1 folder file
  prepare_postgres_folder "$name"
  folder=$(postgres_data "$name")
  for file in postgresql.conf cluster.conf; do
    write_as_postgres "$folder/$file" <"$ROOT/deploy/compose/postgres/$file"
  done
  echo "$PG_VERSION" >"$STATE/$name/version"
  write_patroni_settings "$name" "$folder"
  replace_reused_pid "$folder/server"
  (cd / && launch_as_postgres "$name" patroni "$folder/patroni")
}

patroni_responds() { shop_curl -fs -o /dev/null -m 2 "http://$(address_of "$1"):$PATRONI_PORT/health"; }
