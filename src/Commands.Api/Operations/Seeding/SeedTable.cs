using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Commands.Api.Users;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Operations.Seeding;

/// <summary>
/// The rows of one table of one shop: their ids, and how to write a chunk of them. That returns the number of its rows.
/// </summary>
internal sealed record SeedTable(
    string Resource,
    string IdSequence,
    int[] Ids,
    Func<CopyWriter, int, Memory<int>, CancellationToken, Task<int>> WriteAsync)
{
    /// <summary>
    /// All tables of a shop; a table comes after those that it refers to. A resource without a table here gets no rows.
    /// </summary>
    public static SeedTable[] Of(ShopFaker shop, string passwordHash)
    {
        var categories = new int[shop.Categories.Length];
        var users = new int[shop.Users.Length];
        var products = new int[shop.Products.Length];
        var orders = new int[shop.Orders.Length];
        var reviews = new int[shop.Reviews.Length];
        return
        [
            New(CategoryRows.Table, shop.Categories, categories, (row, id) => row.ToState(id)),
            New(UserRows.Table(_ => passwordHash), shop.Users, users, (row, id) => row.ToState(id)),
            New(ProductRows.Table, shop.Products, products, (row, id) =>
                row.IsPossible(categories) ? row.ToState(id, categories) : null),
            New(OrderRows.Table, shop.Orders, orders, (row, id) =>
                row.IsPossible(users, products) ? row.ToState(id, users, products) : null),
            New(ReviewRows.Table, shop.Reviews, reviews, (row, id) =>
                row.IsPossible(users, products) ? row.ToState(id, users, products) : null),
        ];
    }

    private static SeedTable New<TRow, TState>(
        CopyTable<TState> table, TRow[] rows, int[] ids, Func<TRow, int, TState?> state)
        where TState : class, IAggregateState =>
        new(table.Resource, table.IdSequence, ids, async (copy, first, chunk, ct) =>
        {
            var states = new List<TState>(chunk.Length);
            for (var i = 0; i < chunk.Length; i++)
            {
                if (state(rows[first + i], chunk.Span[i]) is { } one) states.Add(one);
                else chunk.Span[i] = SeededChunks.Missing;
            }

            await copy.WriteAsync(table, states, ct);
            return states.Count;
        });
}
