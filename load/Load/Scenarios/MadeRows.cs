using System.Collections.Concurrent;
using System.Net;

namespace ApexShop.Load.Scenarios;

/// <summary>
/// What the iterations have made in the shop, to be deleted behind them; the next run finds the same shop.
/// </summary>
internal sealed class MadeRows(ShopApi api)
{
    private const int AtOnce = 500;

    // What needs others goes before them.
    private static readonly string[] order = ["orders", "reviews", "users", "products"];

    private readonly ConcurrentQueue<(string Resource, int Id)> made = new();

    public Reply Remember(string resource, Reply created)
    {
        if (created.Id > 0) made.Enqueue((resource, created.Id));
        return created;
    }

    public async Task DeleteAsync(CancellationToken ct)
    {
        var rows = made.ToLookup(row => row.Resource, row => row.Id);
        made.Clear();
        string? token = null;
        foreach (var resource in order)
        {
            if (resource == "orders")
                foreach (var id in rows[resource]) token = Gone(await api.DeleteAsync($"/orders/{id}", null, ct));
            else
                foreach (var ids in rows[resource].Chunk(AtOnce))
                    token = Gone(await api.DeleteAsync($"/{resource}/bulk", ids, ct));
        }

        // The next scenario begins when the documents know it too. A shop that is that far behind answers 503; it says
        // so then.
        if (token is not null) await api.GetAsync("/products/cursor?pageSize=1", ct, token);
    }

    private static string? Gone(Reply answer) => answer.Status is HttpStatusCode.OK or HttpStatusCode.NoContent
        ? answer.Token
        : throw new ShopUnusableException(
            $"What the load had made could not be deleted: {(int)answer.Status} {answer.Json}", "./apexshop status");
}
