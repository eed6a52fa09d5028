using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Commands.Api.OpenApi;

namespace ApexShop.Commands.Api.Auditing;

/// <summary>Writes an answer of NDJSON lines that were all read before.</summary>
internal static class CheckLines
{
    // Read whole before the status line: a database that is unavailable is still a proper 503, and no connection waits for the caller.
    public static async Task WriteAsync<T>(HttpResponse response, IAsyncEnumerable<T> lines, JsonTypeInfo<T> json, CancellationToken ct)
    {
        var all = await lines.ToListAsync(ct);
        response.ContentType = Operation.NdJson;
        foreach (var line in all)
        {
            await JsonSerializer.SerializeAsync(response.Body, line, json, ct);
            await response.WriteAsync("\n", ct);
        }
    }
}
