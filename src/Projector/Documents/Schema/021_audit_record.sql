-- The state of audits that all Projectors share; one row.
CREATE TABLE read.audit_record (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    drift   jsonb NOT NULL DEFAULT '{}',
    ended   timestamptz NOT NULL DEFAULT now(),
    next    text,
    found   jsonb NOT NULL DEFAULT '{}'
);
COMMENT ON COLUMN read.audit_record.drift IS 'Differences that the last whole audit left, by resource.';
COMMENT ON COLUMN read.audit_record.ended IS 'When the last scheduled audit ended.';
COMMENT ON COLUMN read.audit_record.next IS 'Where a scheduled audit that has begun continues.';
COMMENT ON COLUMN read.audit_record.found IS 'The differences that it has found so far, by resource.';
INSERT INTO read.audit_record DEFAULT VALUES;
