-- One table a document kind. data is the document for SQL, body the exact bytes that are sent.
-- version is the aggregate's version; revision is the log position at which the document last changed, which also
-- moves when only a denormalised value did. A deleted document leaves its row (data and body null) as a tombstone,
-- so that a late event cannot bring the document back.
-- fillfactor 70: a changed document finds room on its own page and touches no index.

CREATE TABLE read.products (
    id           integer PRIMARY KEY,
    version      bigint NOT NULL,
    revision     bigint NOT NULL,
    is_deleted   boolean NOT NULL DEFAULT false,
    name         text,
    category_id  integer,
    price        numeric(18,2),
    stock        integer,
    is_active    boolean,
    is_featured  boolean,
    rating       numeric(3,2),
    created_date timestamptz,
    updated_date timestamptz,
    data         jsonb,
    body         bytea
) WITH (fillfactor = 70);
CREATE INDEX products_by_category ON read.products (category_id, id) WHERE NOT is_deleted;

CREATE TABLE read.categories (
    id           integer PRIMARY KEY,
    version      bigint NOT NULL,
    revision     bigint NOT NULL,
    is_deleted   boolean NOT NULL DEFAULT false,
    name         text,
    is_active    boolean,
    created_date timestamptz,
    data         jsonb,
    body         bytea
) WITH (fillfactor = 70);

CREATE TABLE read.users (
    id           integer PRIMARY KEY,
    version      bigint NOT NULL,
    revision     bigint NOT NULL,
    is_deleted   boolean NOT NULL DEFAULT false,
    email        text,
    first_name   text,
    last_name    text,
    is_active    boolean,
    created_date timestamptz,
    data         jsonb,
    body         bytea
) WITH (fillfactor = 70);

CREATE TABLE read.orders (
    id           integer PRIMARY KEY,
    version      bigint NOT NULL,
    revision     bigint NOT NULL,
    is_deleted   boolean NOT NULL DEFAULT false,
    customer_id  integer,
    status       text,
    total_amount numeric(18,2),
    order_date   timestamptz,
    product_ids  integer[],
    data         jsonb,
    body         bytea
) WITH (fillfactor = 70);
CREATE INDEX orders_by_customer ON read.orders (customer_id, id) WHERE NOT is_deleted;
-- Finds the orders that show a product's name when the product is renamed. Without the pending list, which every
-- look-up would have to read through: a look-up of 100 products took 16 ms with it and takes 0.1 ms without.
CREATE INDEX orders_by_product ON read.orders USING gin (product_ids) WITH (fastupdate = off) WHERE NOT is_deleted;

CREATE TABLE read.reviews (
    id           integer PRIMARY KEY,
    version      bigint NOT NULL,
    revision     bigint NOT NULL,
    is_deleted   boolean NOT NULL DEFAULT false,
    product_id   integer,
    user_id      integer,
    rating       integer,
    created_date timestamptz,
    data         jsonb,
    body         bytea
) WITH (fillfactor = 70);
CREATE INDEX reviews_by_product ON read.reviews (product_id, id) INCLUDE (rating) WHERE NOT is_deleted;
CREATE INDEX reviews_by_user ON read.reviews (user_id, id) WHERE NOT is_deleted;

-- Bodies are sent far more often than written; uncompressed, they are sent as they are stored.
ALTER TABLE read.products ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE read.categories ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE read.users ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE read.orders ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE read.reviews ALTER COLUMN body SET STORAGE EXTERNAL;

-- Every 500 ids of a kind form a segment. Its version is raised when one of its documents changes, so that a reader
-- who kept the bytes can ask whether they still hold; document_count gives totals without counting.
CREATE TABLE read.segments (
    kind           text NOT NULL,
    segment        integer NOT NULL,
    version        bigint NOT NULL,
    document_count integer NOT NULL,
    PRIMARY KEY (kind, segment)
) WITH (fillfactor = 70);

-- Position of the last event applied, a row per resource.
CREATE TABLE read.checkpoints (
    resource text PRIMARY KEY,
    position bigint NOT NULL
);
INSERT INTO read.checkpoints (resource, position)
VALUES ('categories', 0), ('users', 0), ('products', 0), ('orders', 0), ('reviews', 0);

-- epoch is part of every cursor, ETag and cache key: what was read before a rebuild is never mixed with what was read
-- after it.
-- pending_tags are cache tags of committed changes that are not raised in Redis yet.
CREATE TABLE read.projection_state (
    only_row     boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    epoch        bigint NOT NULL,
    pending_tags text[] NOT NULL DEFAULT '{}'
);
INSERT INTO read.projection_state (epoch) VALUES (1);

-- An event that could not be applied, and every later one of the same aggregate.
CREATE TABLE read.parked_events (
    position     bigint PRIMARY KEY,
    resource     text NOT NULL,
    aggregate_id integer NOT NULL,
    reason       text NOT NULL,
    event        bytea NOT NULL,
    parked_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX parked_events_by_aggregate ON read.parked_events (resource, aggregate_id);
