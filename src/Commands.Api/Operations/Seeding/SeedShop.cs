using System.ComponentModel.DataAnnotations;
using System.Text.Json;
using System.Text.Json.Serialization;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Operations.Actions;
using ApexShop.Errors;
using Microsoft.AspNetCore.Http.Features;

namespace ApexShop.Commands.Api.Operations.Seeding;

/// <summary>
/// POST /admin/seed: fills the shop with generated data, whose events go through the outbox; streams its progress as
/// NDJSON lines. When it fails, the last line is of the kind `failure` and has the code of the error; then the response
/// breaks off. An Idempotency-Key has no effect: a repeated request skips the rows that exist already.
/// </summary>
internal static class SeedShop
{
    /// <summary>How many shops of the standard size.</summary>
    public sealed record Body([Range(1, 100)] int Scale = 1);

    /// <summary>The progress of one resource; the last line is the total of this run.</summary>
    internal sealed record Line(string Kind, int Done, int Total)
    {
        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public int? Added { get; init; }
        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public double? Seconds { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public int? EventsPerSecond { get; init; }
    }

    /// <summary>The last line of a run that failed.</summary>
    internal sealed record Failure(string Kind, string Code, string Detail);

    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/seed", Handle)
        .WithName(nameof(SeedShop))
        .Produces<Line>(StatusCodes.Status200OK, NdJson.ContentType)
        .DisableRequestTimeout();

    private static async Task Handle(
        HttpContext http, ShopSeeder seeder, OperatorActions actions, ConstraintProblems constraints,
        TimeProvider clock, CancellationToken ct, Body? body = null)
    {
        await actions.RecordAsync(nameof(SeedShop), http.Request.Path, ct);
        try
        {
            await SendAsync(http, seeder.RunAsync(body?.Scale ?? 1, ct), clock, ct);
        }
        catch (Exception exception) when (http.Response.HasStarted && !ct.IsCancellationRequested)
        {
            var other = exception.IsDatabaseFailure ? "database.unavailable" : "internal";
            var code = constraints.Find(exception)?.Code ?? other;
            var failure = new Failure("failure", code, "Repeat the request to add the missing rows.");
            await WriteAsync(http.Response, failure, ct);
            // It is logged, and the client does not take the response for a complete one.
            throw;
        }
    }

    private static async Task SendAsync(
        HttpContext http, IAsyncEnumerable<SeedProgress> run, TimeProvider clock, CancellationToken ct)
    {
        var started = clock.GetTimestamp();
        var (rows, added) = (0, 0);
        http.Response.ContentType = NdJson.ContentType;
        http.Features.GetRequiredFeature<IHttpResponseBodyFeature>().DisableBuffering();
        await foreach (var progress in run.WithCancellation(ct))
        {
            added += progress.Added;
            if (progress.Done == progress.Total) rows += progress.Total;
            await WriteAsync(http.Response, new Line(progress.Resource, progress.Done, progress.Total), ct);
        }

        var elapsed = clock.GetElapsedTime(started);
        await WriteAsync(http.Response, new Line("total", rows, rows)
        {
            Added = added,
            Seconds = Math.Round(elapsed.TotalSeconds, 3),
            EventsPerSecond = (int)(added / elapsed.TotalSeconds),
        }, ct);
    }

    private static async Task WriteAsync<T>(HttpResponse response, T line, CancellationToken ct)
    {
        await JsonSerializer.SerializeAsync(response.Body, line, JsonSerializerOptions.Web, ct);
        await response.WriteAsync("\n", ct);
        await response.Body.FlushAsync(ct);
    }
}
