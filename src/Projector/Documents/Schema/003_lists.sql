-- Indexes for the lists of the query API. Every index ends in id, so that a page goes on behind any row however many
-- others have the same value, and holds living documents only, so that no page steps over tombstones.
-- An order changes a product's stock and date, a review its rating: none of the three is in an index or a predicate
-- of read.products, so that such a change touches no index at all. Lists sorted by them use side tables.

CREATE INDEX products_living ON read.products (id) WHERE NOT is_deleted;
CREATE INDEX products_by_price ON read.products (price, id) WHERE NOT is_deleted;
-- By code point: the order is the same on every machine and never changes with a library under the index.
CREATE INDEX products_by_name ON read.products (name COLLATE "C", id) WHERE NOT is_deleted;
CREATE INDEX products_by_age ON read.products (created_date, id) WHERE NOT is_deleted;
-- The few rows that a filter selects; the many others are found by scanning the key.
CREATE INDEX products_inactive ON read.products (id) WHERE NOT is_deleted AND NOT is_active;
CREATE INDEX products_featured ON read.products (id) WHERE NOT is_deleted AND is_featured;

-- Beside each living product: its rating, when it last changed, and the words of its name and description.
CREATE TABLE read.product_ratings (
    product_id integer PRIMARY KEY,
    average    numeric(3,2) NOT NULL
);
CREATE INDEX product_ratings_by_average ON read.product_ratings (average, product_id);

CREATE TABLE read.product_changes (
    product_id    integer PRIMARY KEY,
    modified_date timestamptz NOT NULL
);
CREATE INDEX product_changes_by_date ON read.product_changes (modified_date, product_id);

-- Words of one stem are one word, and those of every text ("the", "and") are none: the shop's texts are English.
-- The pending list makes many products at once a third cheaper to write; a megabyte, which a search reads through in
-- less than a millisecond, is the most that may wait there.
CREATE TABLE read.product_words (
    product_id integer PRIMARY KEY,
    words      tsvector NOT NULL
);
CREATE INDEX product_words_by_word ON read.product_words USING gin (words)
    WITH (fastupdate = on, gin_pending_list_limit = 1024);

INSERT INTO read.product_ratings SELECT id, rating FROM read.products WHERE NOT is_deleted;
INSERT INTO read.product_changes
SELECT id, coalesce(updated_date, created_date) FROM read.products WHERE NOT is_deleted;
INSERT INTO read.product_words
SELECT id, to_tsvector('english', name || ' ' || coalesce(data ->> 'description', ''))
FROM read.products WHERE NOT is_deleted;

CREATE INDEX categories_living ON read.categories (id) WHERE NOT is_deleted;
CREATE INDEX categories_by_name ON read.categories (name COLLATE "C", id) WHERE NOT is_deleted;

CREATE INDEX orders_living ON read.orders (id) WHERE NOT is_deleted;
CREATE INDEX orders_by_status ON read.orders (status, id) WHERE NOT is_deleted;
CREATE INDEX orders_by_date ON read.orders (order_date, id) WHERE NOT is_deleted;
CREATE INDEX orders_by_amount ON read.orders (total_amount, id) WHERE NOT is_deleted;

CREATE INDEX reviews_living ON read.reviews (id) WHERE NOT is_deleted;
CREATE INDEX reviews_by_age ON read.reviews (created_date, id) WHERE NOT is_deleted;
CREATE INDEX reviews_by_rating ON read.reviews (rating, id) WHERE NOT is_deleted;

CREATE INDEX users_living ON read.users (id) WHERE NOT is_deleted;
CREATE INDEX users_by_age ON read.users (created_date, id) WHERE NOT is_deleted;
CREATE INDEX users_by_email ON read.users (lower(email), id) WHERE NOT is_deleted;
CREATE INDEX users_inactive ON read.users (id) WHERE NOT is_deleted AND NOT is_active;
