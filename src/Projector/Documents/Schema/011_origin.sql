-- Where the read schema was when its epoch began; null before the first comparison. Another origin shows that it was
-- restored, so that epochs, segment versions and positions may be used again for other documents.
ALTER TABLE read.projection_state ADD COLUMN origin text;

-- Differs in another cluster, after a promotion or a restore to a point in time (the timeline), in a copy of the
-- database, and when the table has another file: after it was dropped and restored, TRUNCATE or VACUUM FULL. DELETE and
-- COPY keep the file, so rows that were restored so are not detected.
-- Every batch calls it, and PL/pgSQL plans it once in a session.
CREATE FUNCTION read.origin() RETURNS text LANGUAGE plpgsql VOLATILE AS $function$
BEGIN
    RETURN concat_ws('.',
        (SELECT system_identifier FROM pg_control_system()),
        left(pg_walfile_name(pg_current_wal_lsn()), 8),
        (SELECT oid FROM pg_database WHERE datname = current_database()),
        pg_relation_filenode('read.projection_state'));
END
$function$;

-- Fails here, and not later in the Projector, where a right of these functions was revoked.
SELECT read.origin();
