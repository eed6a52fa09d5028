-- What the lists of the query API walk. Every index ends in id, so that a page goes on behind any row however many
-- others have the same value, and holds living documents only, so that no page steps over tombstones.
-- Stock stands in no index and no predicate: an order changes it and nothing else that is indexed but the date.

-- When a product last changed, never null: "modified after" is one range of one index.
ALTER TABLE read.products RENAME COLUMN updated_date TO modified_date;
UPDATE read.products SET modified_date = created_date WHERE modified_date IS NULL AND NOT is_deleted;

CREATE INDEX products_living ON read.products (id) WHERE NOT is_deleted;
CREATE INDEX products_by_category_and_price ON read.products (category_id, price, id) WHERE NOT is_deleted;
CREATE INDEX products_by_price ON read.products (price, id) WHERE NOT is_deleted;
-- By code point: the order is the same on every machine and never changes with a library under the index.
CREATE INDEX products_by_name ON read.products (name COLLATE "C", id) WHERE NOT is_deleted;
CREATE INDEX products_by_age ON read.products (created_date, id) WHERE NOT is_deleted;
CREATE INDEX products_by_rating ON read.products (rating, id) WHERE NOT is_deleted;
CREATE INDEX products_by_change ON read.products (modified_date, id) WHERE NOT is_deleted;
-- The few that a filter looks for; the many others are met by walking.
CREATE INDEX products_inactive ON read.products (id) WHERE NOT is_deleted AND NOT is_active;
CREATE INDEX products_featured ON read.products (id) WHERE NOT is_deleted AND is_featured;

-- The words of a product's name and description. A table of their own: a product changes with every order and every
-- review, its words hardly ever, and an index over words costs more to write than all others together.
CREATE TABLE read.product_words (
    id    integer PRIMARY KEY,
    words tsvector NOT NULL
);
CREATE INDEX product_words_by_word ON read.product_words USING gin (words) WITH (fastupdate = off);
INSERT INTO read.product_words (id, words)
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
