-- The shop's roles, once per cluster, as the superuser; running it again only sets the passwords.
-- shop_owner migrates schema shop, commands works in it; projector owns schema read, queries may only read it.

-- In this session only: the log would show a slow or refused statement with its password.
SET log_statement = none;
SET log_min_duration_statement = -1;
SET log_min_error_statement = panic;

DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['shop_owner', 'commands', 'projector', 'queries'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
            EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT', role_name);
        END IF;
        EXECUTE format('ALTER ROLE %I SET timezone = ''UTC''', role_name);
    END LOOP;
END
$$;

ALTER ROLE shop_owner PASSWORD :'shop_owner_password';
ALTER ROLE commands PASSWORD :'commands_password';
ALTER ROLE projector PASSWORD :'projector_password';
ALTER ROLE queries PASSWORD :'queries_password';

-- A long query delays vacuum for the whole database; streams read in chunks and stay far below this limit.
ALTER ROLE queries SET statement_timeout = '30s';
ALTER ROLE queries SET default_transaction_read_only = on;
