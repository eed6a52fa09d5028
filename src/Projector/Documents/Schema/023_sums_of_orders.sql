-- The sum of a customer's orders, each of which may be as high as an amount can be.
ALTER TABLE read.order_totals ALTER spent TYPE numeric(30,2);
ALTER TABLE IF EXISTS read_previous.order_totals ALTER spent TYPE numeric(30,2);
