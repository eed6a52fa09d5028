using System.ComponentModel.DataAnnotations;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Http.Features;

namespace ApexShop.Commands.Api.Admin;

/// <summary>
/// POST /admin/seed: fills the shop with made-up data through the outbox; tells its progress as NDJSON lines. An
/// Idempotency-Key does nothing here: seeding again skips what is there, so it may be repeated as it is.
/// </summary>
internal static class SeedShop
{
    /// <summary>How many shops of the standard size.</summary>
    public sealed record Body([Range(1, 100)] int Scale = 1);

    /// <summary>How far one kind is; the last line sums up, with the rows that this run added.</summary>
    internal sealed record Line(string Kind, int Done, int Total)
    {
        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public int? Added { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public double? Seconds { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public int? EventsPerSecond { get; init; }
    }

    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/seed", Handle)
        .WithName(nameof(SeedShop))
        .Produces<Line>(StatusCodes.Status200OK, "application/x-ndjson")
        .DisableRequestTimeout();

    private static async Task Handle(HttpContext http, ShopSeeder seeder, TimeProvider clock, CancellationToken ct, Body? body = null)
    {
        var started = clock.GetTimestamp();
        var (rows, added) = (0, 0);
        http.Response.ContentType = "application/x-ndjson";
        http.Features.GetRequiredFeature<IHttpResponseBodyFeature>().DisableBuffering();
        await foreach (var progress in seeder.RunAsync(body?.Scale ?? 1, ct))
        {
            added += progress.Added;
            if (progress.Done == progress.Total) rows += progress.Total;
            await WriteAsync(http.Response, new Line(progress.Kind, progress.Done, progress.Total), ct);
        }

        var elapsed = clock.GetElapsedTime(started);
        await WriteAsync(http.Response, new Line("total", rows, rows)
        {
            Added = added,
            Seconds = Math.Round(elapsed.TotalSeconds, 3),
            EventsPerSecond = (int)(added / elapsed.TotalSeconds),
        }, ct);
    }

    private static async Task WriteAsync(HttpResponse response, Line line, CancellationToken ct)
    {
        await JsonSerializer.SerializeAsync(response.Body, line, JsonSerializerOptions.Web, ct);
        await response.WriteAsync("\n", ct);
        await response.Body.FlushAsync(ct);
    }
}
