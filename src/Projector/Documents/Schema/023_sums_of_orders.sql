-- The sum of a customer's orders, each of which may be as high as an amount can be.
-- contract: the column becomes only wider; the release before reads and writes it too.
ALTER TABLE read.order_totals ALTER COLUMN spent TYPE numeric(30,2);
ALTER TABLE IF EXISTS read_previous.order_totals ALTER COLUMN spent TYPE numeric(30,2);
