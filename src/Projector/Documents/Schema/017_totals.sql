-- How many orders each customer has, and reviews each product, with their sums. A change adds its difference, so that
-- an order of a customer with many orders costs what the first one did.
-- No Projector writes meanwhile.
SELECT epoch FROM read.projection_state FOR UPDATE;
CREATE TABLE read.order_totals (
    customer_id integer PRIMARY KEY,
    orders      integer NOT NULL,
    spent       numeric(20,2) NOT NULL
) WITH (fillfactor = 70);
INSERT INTO read.order_totals
SELECT customer_id, count(*), coalesce(sum(total_amount) FILTER (
    WHERE status <> 'Cancelled' AND total_amount <> 'NaN'), 0)
FROM read.orders WHERE customer_id IS NOT NULL AND NOT is_deleted GROUP BY customer_id;

CREATE TABLE read.review_totals (
    product_id integer PRIMARY KEY,
    reviews    integer NOT NULL,
    ratings    bigint NOT NULL
) WITH (fillfactor = 70);
INSERT INTO read.review_totals
SELECT product_id, count(rating), coalesce(sum(rating), 0)
FROM read.reviews WHERE product_id IS NOT NULL AND NOT is_deleted GROUP BY product_id;
