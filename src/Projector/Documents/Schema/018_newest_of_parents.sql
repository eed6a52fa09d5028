-- The newest orders of a customer and the newest reviews of a product, however many there are.
CREATE INDEX IF NOT EXISTS orders_of_customer_by_date
    ON read.orders (customer_id, order_date, id) WHERE NOT is_deleted;
CREATE INDEX IF NOT EXISTS reviews_of_product_by_age
    ON read.reviews (product_id, created_date, id) WHERE NOT is_deleted;
