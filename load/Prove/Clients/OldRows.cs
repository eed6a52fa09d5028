using ApexShop.Prove.Histories;
using Npgsql;

namespace ApexShop.Prove.Clients;

/// <summary>
/// Rows that are older than a day, for the commands that select rows by their age: the API makes new rows only. They
/// are created by requests, get other dates in the tables, and are changed by requests, whose events have these dates.
/// </summary>
internal sealed class OldRows(ShopClient client, string database)
{
    /// <summary>No row is older.</summary>
    public const int MostDays = 400;

    private const int Users = 10;
    private const int Buyers = 2;
    private const int Orders = 8;
    private const int Bought = 4;
    private const int Tries = 40;

    // All dates of a row are moved by the same time.
    private const string Sql =
        """
        UPDATE shop.users SET created_date = created_date - make_interval(days => 2 + id * 97 % 398)
        WHERE id = ANY ($1);
        UPDATE shop.reviews SET created_date = created_date - make_interval(days => 2 + id * 97 % 398)
        WHERE user_id = ANY ($1);
        UPDATE shop.orders SET order_date = order_date - make_interval(days => 2 + id * 97 % 398),
            shipped_date = shipped_date - make_interval(days => 2 + id * 97 % 398),
            delivered_date = delivered_date - make_interval(days => 2 + id * 97 % 398)
        WHERE user_id = ANY ($1);
        """;

    private KnownShop Shop => client.Shop;

    /// <summary>Half of the users and reviews, for all clients; the others are only selected by their age.</summary>
    public IEnumerable<KnownAggregate> Shared { get; private set; } = [];

    public async Task CreateAsync(CancellationToken ct)
    {
        var users = await CreateAsync(Kinds.Users, Users, UserPlan.Create);
        var buyers = users[..Buyers];
        // The first product is the one whose reviews are mostly deleted by age.
        var product = Shop.Of(Kinds.Products)[0];
        var next = Buyers;
        var reviews = await CreateAsync(
            Kinds.Reviews, Users - Buyers, shop => ReviewPlan.Create(shop, users[next++].Id, product));
        var orders = await CreateAsync(
            Kinds.Orders, Orders, shop => OrderPlan.Create(shop, buyers[shop.Number % Buyers].Id));
        foreach (var status in (string[])["Processing", "Shipped", "Delivered"])
            foreach (var order in orders) await SendAsync(shop => OrderPlan.Move(shop, order, status));
        // Some of these are verified purchases.
        foreach (var buyer in buyers)
            foreach (var bought in Shop.Of(Kinds.Products).Skip(1).Take(Bought))
                reviews.AddRange(
                    await CreateAsync(Kinds.Reviews, 1, shop => ReviewPlan.Create(shop, buyer.Id, bought)));
        await MoveDatesAsync([.. users.Select(user => user.Id)], ct);
        // A delivered order changes no more, but by the erasure of its customer.
        foreach (var user in buyers) await SendAsync(_ => UserPlan.Erase(user));
        foreach (var user in users[Buyers..]) await SendAsync(shop => UserPlan.Rename(shop, user));
        foreach (var review in reviews) await SendAsync(shop => ReviewPlan.Rewrite(shop, review));
        Shared = [.. users[Buyers..].Concat(reviews).Where((_, at) => at % 2 == 0)];
    }

    private async Task<List<KnownAggregate>> CreateAsync(string resource, int count, Func<KnownShop, Request> make)
    {
        var before = Shop.Of(resource).Count;
        // An order may be of a product that is not active or sold out.
        for (var left = Tries; left > 0 && Shop.Of(resource).Count < before + count; left--)
            await client.NextAsync(shop => make(shop).Keyed);
        return [.. Shop.Of(resource).Skip(before)];
    }

    private async Task SendAsync(Func<KnownShop, Request> make)
    {
        var attempt = await client.NextAsync(shop => make(shop).Keyed);
        if (attempt.Outcome != Outcome.Acknowledged)
            throw new InvalidOperationException($"The shop refuses a command on an old row: {attempt}");
    }

    private async Task MoveDatesAsync(int[] users, CancellationToken ct)
    {
        var builder = new NpgsqlConnectionStringBuilder(database) { Pooling = false };
        await using var connection = new NpgsqlConnection(builder.ConnectionString);
        await connection.OpenAsync(ct);
        foreach (var statement in Sql.Split(';', StringSplitOptions.RemoveEmptyEntries))
        {
            await using var command = new NpgsqlCommand(statement, connection)
            {
                Parameters = { new NpgsqlParameter<int[]> { TypedValue = users } },
            };
            await command.ExecuteNonQueryAsync(ct);
        }
    }
}
