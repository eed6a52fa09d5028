using System.Text.Json;
using ApexShop.Errors;
using ApexShop.Json;
using ApexShop.Operations;
using ApexShop.Projector.EventLog;
using Microsoft.AspNetCore.Http.Features;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>POST /admin/audit: compares every document with the write side and streams the differences.</summary>
internal static class AuditDocuments
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/audit", HandleAsync);

    private static async Task HandleAsync(
        HttpContext http, Auditor auditor, CancellationToken ct, bool repair = false, string after = "")
    {
        const string rule = "The value of next in a progress line of an audit, such as rows/products/17.";
        const string running = "Another audit is running; its result is in the log of the Projector that runs it.";
        if ((after.Length == 0 ? AuditPosition.First : AuditPosition.Parse(after)) is not { } start)
            await OperationProblems.Invalid("after", rule).ExecuteAsync(http);
        else if (await auditor.BeginAsync(new(repair, start), ct) is { } audit)
            await SendAsync(http, audit, ct);
        else
            await OperationProblems.ToHttp(new("audit.running", running)).ExecuteAsync(http);
    }

    private static async Task SendAsync(HttpContext http, IAsyncEnumerable<AuditLine> audit, CancellationToken ct)
    {
        await using var lines = audit.GetAsyncEnumerator(ct);
        // Before the status line is sent, an unavailable database or write side still becomes a 503.
        var more = await lines.MoveNextAsync();
        http.Response.ContentType = MediaTypes.NdJson;
        http.Features.GetRequiredFeature<IHttpResponseBodyFeature>().DisableBuffering();
        try
        {
            for (; more; more = await lines.MoveNextAsync()) await WriteAsync(http.Response, lines.Current, ct);
        }
        catch (Exception exception) when (exception is EventLogException || exception.IsDatabaseFailure)
        {
            await WriteAsync(
                http.Response,
                exception is EventLogException
                    ? new AuditFailure(
                        "log.unavailable",
                        "The write side is unavailable, its event log ends before the documents, or it is not compared "
                            + "with restored documents yet; the lines before this one are valid.")
                    : new AuditFailure(
                        "database.unavailable", "The database is unavailable; the lines before this one are valid."),
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
