-- Where the read schema was when its epoch began; null before the first comparison. Another origin shows that it was
-- restored, so that epochs, segment versions and positions may be used again for other documents.
ALTER TABLE read.projection_state ADD COLUMN origin text;

-- Differs after a restore into another cluster, a promotion or a restore to a point in time (the timeline), a copy of
-- the database, and a restore of the table or of its rows (its file).
CREATE FUNCTION read.origin() RETURNS text LANGUAGE sql VOLATILE AS $function$
    SELECT concat_ws('.',
        (SELECT system_identifier FROM pg_control_system()),
        left(pg_walfile_name(pg_current_wal_lsn()), 8),
        (SELECT oid FROM pg_database WHERE datname = current_database()),
        pg_relation_filenode('read.projection_state'))
$function$;
