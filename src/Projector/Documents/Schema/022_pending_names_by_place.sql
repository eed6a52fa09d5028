-- The same result in half the time: the regular expression reads the name only, and not the body before it.
CREATE OR REPLACE FUNCTION read.with_pending_names(documents text, written bigint, body bytea) RETURNS bytea
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
    pending record;
    start bytea;
    place integer;
    shown text;
BEGIN
    FOR pending IN SELECT * FROM read.pending_names WHERE kind = documents AND revision > written LOOP
        start := convert_to(format('"%s":{"id":%s,"name":', pending.member, pending.key), 'UTF8');
        place := position(start IN body);
        CONTINUE WHEN place = 0 OR position('\x00'::bytea IN body) > 0;
        shown := substring(
            convert_from(substr(body, place + length(start)), 'LATIN1') FROM '^(?:"(?:[^"\\]|\\.)*"|null)\}');
        CONTINUE WHEN shown IS NULL;
        body := substr(body, 1, place - 1)
            || convert_to(format('"%s":%s', pending.member, pending.reference), 'UTF8')
            || substr(body, place + length(start) + length(shown));
    END LOOP;
    RETURN body;
END
$$;
