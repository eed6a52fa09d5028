-- Names that very many documents show, each from its change until all of those documents are written again. Meanwhile
-- queries put the new name into the documents that are older than the change.
CREATE TABLE read.pending_names (
    kind      text NOT NULL,
    member    text NOT NULL,
    key       integer NOT NULL,
    reference text NOT NULL,
    revision  bigint NOT NULL DEFAULT nextval('read.revisions'),
    PRIMARY KEY (kind, member, key)
);
COMMENT ON COLUMN read.pending_names.kind IS 'Of the documents that show the name.';
COMMENT ON COLUMN read.pending_names.member IS 'Of these documents: an object with an id and a name.';
COMMENT ON COLUMN read.pending_names.key IS 'The id in the member.';
COMMENT ON COLUMN read.pending_names.reference IS 'The member with the new name, as JSON.';
COMMENT ON COLUMN read.pending_names.revision IS 'Documents with a lower one are not written again yet.';

-- The body with the names that are pending and later than it. A document has the member once, and within a JSON text a
-- quotation mark of a value is escaped, so the member's name with its quotation marks is found nowhere else. Bytes are
-- read as LATIN1, which has a character for each byte but 0: a body that is no UTF-8 must not make an answer fail.
CREATE FUNCTION read.with_pending_names(documents text, written bigint, body bytea) RETURNS bytea
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
    pending record;
    start text;
BEGIN
    FOR pending IN SELECT * FROM read.pending_names WHERE kind = documents AND revision > written LOOP
        start := format('"%s":{"id":%s,"name":', pending.member, pending.key);
        CONTINUE WHEN position(convert_to(start, 'UTF8') IN body) = 0 OR position('\x00'::bytea IN body) > 0;
        body := convert_to(regexp_replace(
            convert_from(body, 'LATIN1'),
            replace(start, '{', '\{') || '(?:"(?:[^"\\]|\\.)*"|null)\}',
            format('"%s":', pending.member)
                || replace(convert_from(convert_to(pending.reference, 'UTF8'), 'LATIN1'), '\', '\\')), 'LATIN1');
    END LOOP;
    RETURN body;
END
$$;
