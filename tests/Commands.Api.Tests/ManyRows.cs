using System.Net;

namespace ApexShop.Commands.Api.Tests;

/// <summary>Rows by the thousand, straight into the tables, and what set-based commands said of them.</summary>
internal static class ManyRows
{
    private static int blocks;

    extension(CommandsApp app)
    {
        /// <summary>So many products of a category, with ids that follow each other; gives the first.</summary>
        public async Task<int> ManyProductsAsync(int categoryId, int count, int stock = 10)
        {
            var first = FirstOfBlock();
            await app.ScalarAsync<object>(
                $"""
                INSERT INTO shop.products (id, name, price, stock, is_active, is_featured, category_id, created_date,
                    version)
                SELECT i, 'Lamp ' || i, 9.90, {stock}, true, false, {categoryId}, now(), 1
                    FROM generate_series({first}, {first + count - 1}) AS i
                """);
            return first;
        }

        /// <summary>So many users who logged in (or, without a login, were created) so many days ago.</summary>
        public async Task<int> ManyUsersAsync(int count, int createdDaysAgo, int? loginDaysAgo = null)
        {
            var first = FirstOfBlock();
            var login = loginDaysAgo is null ? "NULL" : $"now() - interval '{loginDaysAgo} days'";
            await app.ScalarAsync<object>(
                $"""
                INSERT INTO shop.users (id, email, first_name, last_name, password_hash, created_date, last_login_date,
                    is_active, version)
                SELECT i, 'many' || i || '@example.com', 'Ada', 'Lovelace', '',
                    now() - interval '{createdDaysAgo} days', {login}, true, 1
                FROM generate_series({first}, {first + count - 1}) AS i
                """);
            return first;
        }

        /// <summary>So many reviews of one product, each by a user of its own.</summary>
        public async Task<int> ManyReviewsAsync(int productId, int count, int daysAgo)
        {
            var first = await app.ManyUsersAsync(count, 1);
            await app.ScalarAsync<object>(
                $"""
                INSERT INTO shop.reviews (id, product_id, user_id, rating, created_date, is_verified_purchase, version)
                SELECT i, {productId}, i, 5, now() - interval '{daysAgo} days', false, 1
                    FROM generate_series({first}, {first + count - 1}) AS i
                """);
            return first;
        }

        /// <summary>So many orders of one user and product, each with one line.</summary>
        public async Task<int> ManyOrdersAsync(
            int userId, int productId, int count, string status, int? deliveredDaysAgo)
        {
            var first = FirstOfBlock();
            var delivered = deliveredDaysAgo is null ? "NULL" : $"now() - interval '{deliveredDaysAgo} days'";
            await app.ScalarAsync<object>(
                $"""
                INSERT INTO shop.orders (id, user_id, order_date, status, total_amount, shipping_address,
                    delivered_date, version)
                SELECT i, {userId}, now() - interval '900 days', '{status}', 9.90, 'Here', {delivered}, 1
                FROM generate_series({first}, {first + count - 1}) AS i;
                INSERT INTO shop.order_items (order_id, product_id, quantity, unit_price, total_price)
                SELECT i, {productId}, 1, 9.90, 9.90 FROM generate_series({first}, {first + count - 1}) AS i;
                """);
            return first;
        }

        /// <summary>Sends a command whose event of one aggregate the database refuses.</summary>
        public async Task RefusedAtAsync(int id, Func<Task<Answer>> send)
        {
            await app.ScalarAsync<object>(
                $"""
                CREATE OR REPLACE FUNCTION shop.refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN RAISE 'refused'; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON shop.outbox FOR EACH ROW WHEN (NEW.aggregate_id = {id})
                    EXECUTE FUNCTION shop.refuse_one()
                """);
            try
            {
                (await send()).ShouldBeProblem(HttpStatusCode.InternalServerError, "internal");
            }
            finally
            {
                await app.ScalarAsync<object>("DROP TRIGGER refuse ON shop.outbox");
            }
        }

        public Task<long> CountAsync(string table, string where) =>
            app.ScalarAsync<long>($"SELECT count(*) FROM shop.{table} WHERE {where}");

        /// <summary>
        /// How many of the rows have as their last event, from the transaction that wrote them, exactly what they say
        /// now.
        /// </summary>
        public Task<long> SaidAsTheyAreAsync(string resource, string type, string where) => app.ScalarAsync<long>(
            $"""
            SELECT count(*) FROM shop.{resource} AS r JOIN shop.outbox AS o
            ON o.resource = '{resource}' AND o.aggregate_id = r.id AND o.version = r.version AND o.type = '{type}'
                AND o.xmin = r.xmin
            WHERE o.data::text = shop.{resource[..^1]}_state(r)::text AND {where}
            """);

        /// <summary>How many deletions, each of version 2, were said of ids in a block.</summary>
        public Task<long> SaidGoneAsync(string resource, int first, int count) => app.ScalarAsync<long>(
            $$"""
            SELECT count(*) FROM shop.outbox WHERE resource = '{{resource}}' AND type LIKE '%.deleted'
                AND aggregate_id >= {{first}}
            AND aggregate_id < {{first + count}} AND version = 2
                AND data::text = '{"id":' || aggregate_id || ',"version":2}'
            """);

        /// <summary>
        /// How many statements, and in how many transactions, wrote the outbox rows of a block's ids.
        /// </summary>
        public Task<string?> StatementsAsync(string resource, int first, int count) => app.ScalarAsync<string>(
            $"""
            SELECT count(DISTINCT (xmin::text, cmin::text)) || ' in ' || count(DISTINCT xmin::text) FROM shop.outbox
            WHERE resource = '{resource}' AND aggregate_id >= {first} AND aggregate_id < {first + count}
            """);
    }

    // Far beyond what the sequences give in a test.
    private static int FirstOfBlock() => 1_000_000 + (Interlocked.Increment(ref blocks) * 100_000);
}
