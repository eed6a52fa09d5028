#!/bin/sh
# Runs once, when the image creates the cluster: the same roles and rights as in every other setup.
set -e
psql -X -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres \
  -v shop_owner_password="$SHOP_OWNER_PASSWORD" -v commands_password="$COMMANDS_PASSWORD" \
  -v projector_password="$PROJECTOR_PASSWORD" -v queries_password="$QUERIES_PASSWORD" \
  -f /shop/roles.sql
psql -X -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -f /shop/database.sql
