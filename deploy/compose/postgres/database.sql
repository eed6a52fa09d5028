-- Schemas and rights, once per database; safe to run again. Needs the roles of roles.sql.
DO $$
BEGIN
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO shop_owner, commands, projector, queries', current_database());
END
$$;

REVOKE ALL ON SCHEMA public FROM PUBLIC;

CREATE SCHEMA IF NOT EXISTS shop AUTHORIZATION shop_owner;
GRANT USAGE ON SCHEMA shop TO commands;
ALTER DEFAULT PRIVILEGES FOR ROLE shop_owner IN SCHEMA shop
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO commands;
ALTER DEFAULT PRIVILEGES FOR ROLE shop_owner IN SCHEMA shop
    GRANT USAGE, SELECT ON SEQUENCES TO commands;

CREATE SCHEMA IF NOT EXISTS read AUTHORIZATION projector;
GRANT USAGE ON SCHEMA read TO queries;
ALTER DEFAULT PRIVILEGES FOR ROLE projector IN SCHEMA read
    GRANT SELECT ON TABLES TO queries;

-- A rebuild creates the documents in read_next; read_previous has the earlier ones until they are dropped. No other
-- role has access.
CREATE SCHEMA IF NOT EXISTS read_next AUTHORIZATION projector;
CREATE SCHEMA IF NOT EXISTS read_previous AUTHORIZATION projector;
