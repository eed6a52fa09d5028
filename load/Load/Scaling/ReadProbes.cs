using System.Diagnostics;
using System.Net;

namespace ApexShop.Load.Scaling;

/// <summary>A request that is sent again and again, each time with other values.</summary>
internal sealed record ReadProbe(string What, Func<ScaledShop, Random, string> Path)
{
    /// <summary>Only the time to the first byte of the body counts.</summary>
    public bool EndsAtFirstByte { get; init; }
}

/// <summary>What storefronts and admin tools read, one request at a time, with caches off.</summary>
internal static class ReadProbes
{
    private const int Size = 20;

    public static IReadOnlyList<ReadProbe> All { get; } =
    [
        new("a document", (shop, random) => $"/products/{random.Next(1, shop.Rows.Products + 1)}"),
        new("the first page", (_, _) => $"/products/cursor?pageSize={Size}"),
        new("a page after a cursor", (shop, random) => $"/products/cursor?pageSize={Size}"
            + $"&afterId={random.Next(shop.Rows.Products / 2, shop.Rows.Products - Size)}"),
        new("a page of a category of 1,000 products", (shop, random) =>
            $"/products/cursor?pageSize={Size}&categoryId={random.Next(2, shop.Rows.Categories + 1)}"),
        new("a page by price, from a price on", (_, random) =>
            $"/products/cursor?pageSize={Size}&sort=price&minPrice={random.Next(1, 900)}"),
        new("a page of featured products of the large category, newest first", (_, _) =>
            $"/products/cursor?pageSize={Size}&sort=newest&isFeatured=true&categoryId={ScaledRows.Busiest}"),
        new("a search for a word of 10 to 30 names", (shop, random) =>
            $"/products/cursor?pageSize={Size}&q={Any(shop.Words.Rare, random)}"),
        new("a search for a word of 0.1 to 0.3 % of the names", (shop, random) =>
            $"/products/cursor?pageSize={Size}&q={Any(shop.Words.Frequent, random)}"),
        new("a search for a word of 2 to 10 % of the names", (shop, random) =>
            $"/products/cursor?pageSize={Size}&q={Any(shop.Words.Common, random)}"),
        new("a suggestion for a beginning of four letters", (shop, random) =>
            $"/products/suggest?q={Any(shop.Words.Rare, random)[..4]}"),
        new("facets of a category of 1,000 products", (shop, random) =>
            $"/products/facets?categoryId={random.Next(2, shop.Rows.Categories + 1)}"),
        new("a user", (shop, random) => $"/users/{random.Next(1, shop.Rows.Users + 1)}"),
        new("the newest orders of the customer with a tenth of all", (_, _) =>
            $"/orders/cursor?pageSize={Size}&sort=newest&customerId={ScaledRows.Busiest}"),
        new("the newest reviews of the product with a tenth of all", (_, _) =>
            $"/products/{ScaledRows.Busiest}/reviews?pageSize={Size}&sort=newest"),
        new("the first byte of a stream of all products", (_, _) => "/products/stream") { EndsAtFirstByte = true },
    ];

    /// <summary>The times of some requests in milliseconds; a refusal ends the run with its problem.</summary>
    public static async Task<double[]> TakeAsync(
        ReadProbe probe, ScaledShop shop, Random random, int requests, CancellationToken ct)
    {
        var times = new double[requests];
        for (var i = 0; i < requests; i++)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, probe.Path(shop, random));
            var began = Stopwatch.GetTimestamp();
            using var response = await shop.Queries.Http.SendAsync(
                request, HttpCompletionOption.ResponseHeadersRead, ct);
            if (response.StatusCode != HttpStatusCode.OK)
                throw new InvalidOperationException(
                    $"{request.RequestUri}: {await response.Content.ReadAsStringAsync(ct)}");
            await using var body = await response.Content.ReadAsStreamAsync(ct);
            if (probe.EndsAtFirstByte) await body.ReadExactlyAsync(new byte[1], ct);
            else await body.CopyToAsync(Stream.Null, ct);
            times[i] = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        }

        return times;
    }

    private static string Any(string[] words, Random random) => words[random.Next(words.Length)];
}
