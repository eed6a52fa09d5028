#!/bin/sh
# Runs once, when the image creates the cluster: the same roles and rights as in every other setup. psql reads the
# passwords from its environment: arguments are shown by `ps`.
set -e
psql -X -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres <<'SQL'
\getenv shop_owner_password SHOP_OWNER_PASSWORD
\getenv commands_password COMMANDS_PASSWORD
\getenv projector_password PROJECTOR_PASSWORD
\getenv queries_password QUERIES_PASSWORD
\i /shop/roles.sql
SQL
psql -X -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -f /shop/database.sql
