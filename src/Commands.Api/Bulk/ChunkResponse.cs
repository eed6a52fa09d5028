using System.Text.Json;
using ApexShop.Commands.Api.Commands;
using ApexShop.Errors;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Http.Json;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>The line of a chunk that was committed.</summary>
internal sealed record ChunkDone(int Chunk, int First, int Count, IReadOnlyList<Saved> Items, string ConsistencyToken);

/// <summary>The line of a chunk that was refused completely.</summary>
internal sealed record ChunkRefused(int Chunk, int First, int Count, Microsoft.AspNetCore.Mvc.ProblemDetails Problem);

/// <summary>
/// The last line; without it the response is incomplete. <paramref name="Done"/>: the whole body was read.
/// </summary>
internal sealed record ChunkSummary(bool Done, int Updated, int Failed);

/// <summary>
/// The NDJSON response to a bulk command of any length: one line per chunk, sent after the chunk's commit.
/// </summary>
internal sealed class ChunkResponse(HttpContext http)
{
    private readonly JsonSerializerOptions json =
        http.RequestServices.GetRequiredService<IOptions<JsonOptions>>().Value.SerializerOptions;

    private int updated;
    private int failed;

    public Task DoneAsync<T>(ItemChunk<T> chunk, BulkReplaced result, string token, CancellationToken ct)
    {
        updated += chunk.Count;
        return WriteAsync(new ChunkDone(chunk.Number, chunk.First, chunk.Count, result.Items, token), ct);
    }

    public Task RefusedAsync<T>(ItemChunk<T> chunk, Problem problem, CancellationToken ct)
    {
        failed += chunk.Count;
        var details = CommandResponses.ToHttp(problem).ProblemDetails;
        details.Extensions["traceId"] = ProblemText.TraceIdOf(http);
        return WriteAsync(new ChunkRefused(chunk.Number, chunk.First, chunk.Count, details), ct);
    }

    public Task EndAsync(bool done, CancellationToken ct) => WriteAsync(new ChunkSummary(done, updated, failed), ct);

    private async Task WriteAsync<T>(T line, CancellationToken ct)
    {
        if (!http.Response.HasStarted)
        {
            http.Response.ContentType = NdJson.ContentType;
            http.Features.GetRequiredFeature<IHttpResponseBodyFeature>().DisableBuffering();
        }

        var body = http.Response.BodyWriter;
        using (var writer = new Utf8JsonWriter(body)) JsonSerializer.Serialize(writer, line, json);
        body.GetSpan(1)[0] = (byte)'\n';
        body.Advance(1);
        await body.FlushAsync(ct);
    }
}
