using System.Text.Json;
using ApexShop.Operations;
using ApexShop.Projector.EventLog;
using Microsoft.AspNetCore.Http.Features;
using Npgsql;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>POST /admin/audit: holds every document against the tables and tells what differs, as it goes.</summary>
internal static class AuditDocuments
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/audit", HandleAsync);

    private static async Task HandleAsync(HttpContext http, Auditor auditor, CancellationToken ct, bool repair = false)
    {
        if (await auditor.BeginAsync(repair, ct) is not { } audit)
        {
            await Refused.ToHttp(new("audit.running", "Another audit runs; its end is in the log of the Projector that runs it.")).ExecuteAsync(http);
            return;
        }

        await using var lines = audit.GetAsyncEnumerator(ct);
        // Before the status line: when tables or documents are unavailable, that is still a proper 503.
        var more = await lines.MoveNextAsync();
        http.Response.ContentType = "application/x-ndjson";
        http.Features.GetRequiredFeature<IHttpResponseBodyFeature>().DisableBuffering();
        try
        {
            for (; more; more = await lines.MoveNextAsync()) await WriteAsync(http.Response, lines.Current, ct);
        }
        catch (Exception exception) when (exception is EventLogException or NpgsqlException)
        {
            await WriteAsync(
                http.Response,
                exception is EventLogException
                    ? new AuditFailure("log.unavailable", "The write side does not answer; what was told before holds.")
                    : new AuditFailure("database.unavailable", "The database does not answer; what was told before holds."),
                ct);
        }
    }

    private static async Task WriteAsync(HttpResponse response, AuditLine line, CancellationToken ct)
    {
        await JsonSerializer.SerializeAsync(response.Body, line, line.GetType(), OperationsJson.Default, ct);
        await response.WriteAsync("\n", ct);
        await response.Body.FlushAsync(ct);
    }
}
