using System.Buffers;
using System.Globalization;
using System.Net;
using ApexShop.Load.Running;
using static ApexShop.Load.Running.Simulation;

namespace ApexShop.Load.Scenarios;

/// <summary>Every product of the shop in each format, counted while it is received.</summary>
internal sealed class Streams(ShopApi api, ShopData data)
{
    public const string Group = "streams";

    private const int PieceSize = 64 * 1024;

    private static readonly TimeSpan second = TimeSpan.FromSeconds(1);

    public IEnumerable<Scenario> Scenarios() =>
    [
        Of("stream_products_json", "as one JSON array", "application/json"),
        Of("stream_products_ndjson", "as JSON lines", "application/x-ndjson"),
        Of("stream_products_msgpack", "as MessagePack", "application/x-msgpack"),
        new Scenario(
            "stream_category", Group, "The products of one category as JSON lines", (iteration, ct) => ReadAsync(
                iteration, $"/products/stream?categoryId={data.Categories.Pick()}", "application/x-ndjson", 1, ct))
            .WithLoad(Inject(10, second, 10 * second))
            .WithThresholds(Expected.Of(500)),
    ];

    private Scenario Of(string name, string how, string format) =>
        new Scenario(name, Group, $"Every product, {how}", (iteration, ct) =>
                ReadAsync(iteration, "/products/stream", format, data.ProductCount, ct))
            .WithLoad(Inject(2, second, 10 * second))
            .WithThresholds(Expected.Of(2_000));

    private async Task ReadAsync(
        Iteration iteration, string path, string format, long least, CancellationToken ct)
    {
        HttpResponseMessage? response = null;
        try
        {
            await iteration.StepAsync("headers", async token =>
            {
                response = await api.StreamAsync(path, format, token);
                var (code, type) = (
                    ((int)response.StatusCode).ToString(CultureInfo.InvariantCulture),
                    response.Content.Headers.ContentType?.MediaType);
                return response.StatusCode != HttpStatusCode.OK ? Response.Fail(code, $"status {code}")
                    : type != format ? Response.Fail(code, $"{type} instead of {format}") : Response.Ok(code);
            }, ct);
            await iteration.StepAsync("documents", token => CountAsync(response!, format, least, token), ct);
        }
        finally
        {
            response?.Dispose();
        }
    }

    private static async Task<Response> CountAsync(
        HttpResponseMessage response, string format, long least, CancellationToken ct)
    {
        var count = IDocumentCount.Of(format);
        var piece = ArrayPool<byte>.Shared.Rent(PieceSize);
        try
        {
            var bytes = 0L;
            await using var stream = await response.Content.ReadAsStreamAsync(ct);
            while (await stream.ReadAsync(piece, ct) is > 0 and var read)
            {
                count.Read(piece.AsSpan(0, read));
                bytes += read;
            }

            return !count.IsComplete ? Response.Fail("cut", "the stream ends within a document")
                : count.Documents < least
                    ? Response.Fail("short", $"fewer documents than the {least} that there are")
                    : Response.Ok("complete", bytes);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(piece);
        }
    }
}
