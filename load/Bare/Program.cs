// The controls of the query API: an empty app, the same bytes directly from Kestrel or from the framework's output
// cache (OutputCache=true), and a document that each request reads. Each argument is a path and the file with its
// response; a file beside it may have header lines.
using System.Globalization;
using Microsoft.Extensions.Primitives;
using Npgsql;

var builder = WebApplication.CreateSlimBuilder();
builder.WebHost.ConfigureKestrel(kestrel => kestrel.AddServerHeader = false);
var isCached = builder.Configuration.GetValue<bool>("OutputCache");
if (isCached) builder.Services.AddOutputCache();
var app = builder.Build();
if (isCached) app.UseOutputCache();
app.MapGet("/health/live", (RequestDelegate)(_ => Task.CompletedTask));
foreach (var pair in args)
{
    var (path, file) = (pair[..pair.IndexOf('=')], pair[(pair.IndexOf('=') + 1)..]);
    ReadOnlyMemory<byte> body = await File.ReadAllBytesAsync(file);
    KeyValuePair<string, StringValues>[] headers = [.. File.Exists($"{file}.headers")
        ? File.ReadLines($"{file}.headers").Select(line => line.Split(": ", 2)).Select(
            parts => KeyValuePair.Create(parts[0], new StringValues(parts[1])))
        : []];
    var endpoint = app.MapGet(path, (RequestDelegate)(http =>
    {
        foreach (var header in headers) http.Response.Headers.Add(header);
        return SendAsync(http.Response, body);
    }));
    if (isCached) endpoint.CacheOutput(policy => policy.Expire(TimeSpan.FromHours(1)));
}

if (app.Configuration.GetConnectionString("Read") is { } connection)
{
    var database = NpgsqlDataSource.Create(connection);
    app.MapGet("/products/{id:int}", (RequestDelegate)(async http =>
    {
        var id = int.Parse((string)http.Request.RouteValues["id"]!, CultureInfo.InvariantCulture);
        await using var command =
            database.CreateCommand("SELECT body FROM read.products WHERE id = $1 AND NOT is_deleted");
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = id });
        await SendAsync(http.Response, (byte[])(await command.ExecuteScalarAsync(http.RequestAborted))!);
    }));
}

await app.RunAsync();

static Task SendAsync(HttpResponse response, ReadOnlyMemory<byte> body)
{
    response.ContentType = "application/json";
    response.ContentLength = body.Length;
    return response.BodyWriter.WriteAsync(body).AsTask();
}
