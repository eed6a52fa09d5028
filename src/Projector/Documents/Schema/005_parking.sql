-- Events of an aggregate are read and replayed by position.
DROP INDEX read.parked_events_by_aggregate;
CREATE INDEX parked_events_by_aggregate ON read.parked_events (resource, aggregate_id, position);

-- Messages whose body could not be read, whole. The same body is one row however often it is delivered.
CREATE TABLE read.dead_letters (
    id               integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest           bytea NOT NULL UNIQUE,
    body             bytea NOT NULL,
    content_type     text,
    reason           text NOT NULL,
    times            integer NOT NULL DEFAULT 1,
    received_at      timestamptz NOT NULL DEFAULT now(),
    last_received_at timestamptz NOT NULL DEFAULT now()
);
