#!/bin/sh
# Runs once, when Patroni has created the cluster and before the replicas copy it.
set -e
export PGHOST=localhost POSTGRES_USER=postgres POSTGRES_DB=apexshop
createdb -U postgres apexshop
exec /shop/init-shop.sh
