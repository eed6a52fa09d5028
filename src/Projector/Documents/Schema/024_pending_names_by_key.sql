-- A query finds the pending name by the id that the document shows, however many other names are pending.
CREATE INDEX pending_names_by_revision ON read.pending_names (kind, revision);

CREATE OR REPLACE FUNCTION read.with_pending_names(documents text, written bigint, body bytea) RETURNS bytea
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
    shows text := '';
    start bytea;
    place integer;
    id text;
    shown text;
    latest record;
BEGIN
    -- LATIN1 has a character for each byte but this one.
    WHILE position('\x00'::bytea IN body) = 0 LOOP
        SELECT member INTO shows FROM read.pending_names WHERE kind = documents AND member > shows
        ORDER BY member LIMIT 1;
        EXIT WHEN NOT FOUND;
        start := convert_to(format('"%s":{"id":', shows), 'UTF8');
        place := position(start IN body);
        CONTINUE WHEN place = 0;
        id := substring(convert_from(substr(body, place + length(start), 11), 'LATIN1') FROM '^(\d{1,10}),');
        SELECT reference, revision INTO latest FROM read.pending_names
        WHERE kind = documents AND member = shows AND key = id::bigint;
        CONTINUE WHEN NOT FOUND OR latest.revision <= written;
        shown := substring(
            convert_from(substr(body, place + length(start)), 'LATIN1')
            FROM '^\d+,"name":(?:"(?:[^"\\]|\\.)*"|null)\}');
        CONTINUE WHEN shown IS NULL;
        body := substr(body, 1, place - 1)
            || convert_to(format('"%s":%s', shows, latest.reference), 'UTF8')
            || substr(body, place + length(start) + length(shown));
    END LOOP;
    RETURN body;
END
$$;
