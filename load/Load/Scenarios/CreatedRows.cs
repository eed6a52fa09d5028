using System.Collections.Concurrent;
using System.Net;

namespace ApexShop.Load.Scenarios;

/// <summary>
/// The rows that the iterations created, to be deleted afterwards, so that the next run finds the same shop.
/// </summary>
internal sealed class CreatedRows(ShopApi api)
{
    private const int AtOnce = 500;

    // Rows that refer to others are deleted first.
    private static readonly string[] order = ["orders", "reviews", "users", "products"];

    private readonly ConcurrentQueue<(string Resource, int Id)> made = new();

    public Reply Record(string resource, Reply created)
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

        // The next scenario starts when the documents show the deletion, too. A shop that is further behind answers
        // 503.
        if (token is not null) await api.GetAsync("/products/cursor?pageSize=1", ct, token);
    }

    private static string? Gone(Reply response) => response.Status is HttpStatusCode.OK or HttpStatusCode.NoContent
        ? response.Token
        : throw new ShopUnusableException(
            $"The rows that the load created could not be deleted: {(int)response.Status} {response.Json}",
            "./apexshop status");
}
