// The controls of the query API: an empty app, and the same bytes directly from Kestrel. Each
// argument is a path and the file with its response.
var builder = WebApplication.CreateSlimBuilder();
builder.WebHost.ConfigureKestrel(kestrel => kestrel.AddServerHeader = false);
var app = builder.Build();
app.MapGet("/health/live", (RequestDelegate)(_ => Task.CompletedTask));
foreach (var pair in args)
{
    var (path, file) = (pair[..pair.IndexOf('=')], pair[(pair.IndexOf('=') + 1)..]);
    ReadOnlyMemory<byte> body = await File.ReadAllBytesAsync(file);
    app.MapGet(path, (RequestDelegate)(http => SendAsync(http.Response, body)));
}

await app.RunAsync();

static Task SendAsync(HttpResponse response, ReadOnlyMemory<byte> body)
{
    response.ContentType = "application/json";
    response.ContentLength = body.Length;
    return response.BodyWriter.WriteAsync(body).AsTask();
}
