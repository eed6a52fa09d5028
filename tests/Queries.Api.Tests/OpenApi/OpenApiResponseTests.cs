using System.Text;
using ApexShop.Access;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Tests.Compression;
using ApexShop.TestKit.HttpFiles;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Queries.Api.Tests.OpenApi;

/// <summary>
/// Holds what the API really check to what the document says of it. The requests are those of the .http files; from
/// each one come HEAD, 304 and the refusals that any request of its kind can meet.
/// </summary>
public sealed class OpenApiResponseTests(DescribedShop shop) : IClassFixture<DescribedShop>
{

    // A stream without an end, which needs no database.
    private const string Purges = "/cache/purges";

    // A media type of no operation.
    private const string Unsupported = "text/csv";

    [Fact]
    public async Task Every_operation_responds_as_described_to_valid_and_to_refused_requests()
    {
        using var http = shop.App.CreateClient();
        var check = new ResponseCheck(await ApiDescription.ReadAsync(http));
        var run = new HttpFileRunner(http, ReadShop.Key)
        {
            After = async (request, filled, response, text) =>
            {
                await check.CheckAsync(filled, response, text);
                if (request.Status is null && filled.Method == "GET")
                    await FollowAsync(check, http, filled, response);
            },
        };
        foreach (var file in DescribedShop.Files) await run.RunAsync(file);
        await ExpireAsync(check);

        check.Wrong.ShouldBeEmpty();
        var operations = Requested(check);
        operations.SelectMany(operation => operation.Statuses.Except(["429", "500", "503"])
            .Where(status => IsProvoked(operation, status))
            .Except(check.Seen(operation)).Select(status => $"{operation}: no {status} came")).ShouldBeEmpty();
    }

    [Fact]
    public async Task Every_query_responds_as_described_when_the_database_is_unavailable()
    {
        await using var app = new QueriesApp("Host=127.0.0.1;Port=1;Username=none;Timeout=1")
            .WithKey(0, ReadShop.Key, Scopes.OrdersRead, Scopes.UsersRead, Scopes.UsersErase);
        var check = await SendEachAsync(app);

        check.Wrong.ShouldBeEmpty();
        Requested(check).Where(
            operation => operation.Response(503) is not null && operation.Method == "GET" && operation.Path != Purges)
            .ShouldAllBe(operation => check.Seen(operation).Contains("503"));
    }

    [Fact]
    public async Task Every_operation_responds_as_described_to_too_many_requests()
    {
        await using var app = new QueriesApp(shop.Database.Queries)
            .WithKey(0, ReadShop.Key, Scopes.OrdersRead, Scopes.UsersRead, Scopes.UsersErase)
            .With("Limits:KeyRate:Requests", 1).With("Limits:KeyRate:Seconds", 3600).With("Limits:KeyRate:Burst", 1)
            .With("Limits:AnonymousRate:Requests", 1).With("Limits:AnonymousRate:Seconds", 3600)
                .With("Limits:AnonymousRate:Burst", 1);
        var check = await SendEachAsync(app);

        check.Wrong.ShouldBeEmpty();
        // The first request of each caller is within the limit.
        Requested(check).Where(
            operation =>
                operation.Response(429) is not null
                    && operation.Method == "GET" && operation.Path is not ("/openapi/v1.json" or "/metrics" or Purges))
            .ShouldAllBe(operation => check.Seen(operation).Contains("429"));
    }

    [Fact]
    public async Task Every_query_responds_as_described_to_an_internal_failure()
    {
        await using var app = new QueriesApp(shop.Database.Queries)
            .WithKey(0, ReadShop.Key, Scopes.OrdersRead, Scopes.UsersRead, Scopes.UsersErase);
        foreach (var resource in ReadModel.All)
            await shop.ExecuteAsync($"ALTER TABLE read.{resource.Name} RENAME TO {resource.Name}_away");
        try
        {
            var check = await SendEachAsync(app);
            check.Wrong.ShouldBeEmpty();
            Requested(check).Where(
                operation => operation.Path.EndsWith("/{id}", StringComparison.Ordinal) && operation.Method == "GET")
                .ShouldAllBe(operation => check.Seen(operation).Contains("500"));
        }
        finally
        {
            foreach (var resource in ReadModel.All)
                await shop.ExecuteAsync($"ALTER TABLE read.{resource.Name}_away RENAME TO {resource.Name}");
        }
    }

    private static IEnumerable<DescribedOperation> Requested(ResponseCheck check) =>
        check.Description.Operations.Where(operation => !DescribedShop.IsPlain(operation.Path));

    private static bool IsProvoked(DescribedOperation operation, string status) =>
        operation.Method == "GET" || status is not "410";

    private static async Task FollowAsync(
        ResponseCheck check, HttpClient http, FilledRequest request, HttpResponseMessage done)
    {
        if (check.Find(request) is not { } operation) return;
        if (operation.Path.StartsWith("/health/", StringComparison.Ordinal))
        {
            await SendAsync(check, http, request with { Method = "HEAD" });
            return;
        }

        foreach (var again in Followers(operation, request, done))
        {
            if (operation.Path != Purges || !IsPermitted(again)) await SendAsync(check, http, again);
            await SendAsync(check, http, again with { Method = "HEAD" });
        }
    }

    private static bool IsPermitted(FilledRequest request) =>
        !request.Path.Contains('?', StringComparison.Ordinal)
            && request.Header("Accept") != Unsupported
            && request.Headers.Any(header => header == ("Authorization", $"Bearer {ReadShop.Key}"));

    private static IEnumerable<FilledRequest> Followers(
        DescribedOperation operation, FilledRequest request, HttpResponseMessage done)
    {
        var nonsense = request with
        {
            Path = request.Path + (request.Path.Contains('?', StringComparison.Ordinal) ? '&' : '?') + "nonsense=1",
        };
        yield return request;
        if (operation.Response(304) is not null && done.Headers.ETag is { } etag)
            yield return request.With("If-None-Match", etag.ToString());
        // Of every operation, so that a refusal that the document does not describe is found.
        yield return nonsense;
        yield return request.With("Accept", Unsupported);
        if (operation.NeedsKey) yield return request.With("Authorization", "Bearer of-no-client");
        if (operation.NeedsKey) yield return request.With("Authorization", $"Bearer {DescribedShop.OtherKey}");
        if (operation.Path.Contains("{id}", StringComparison.Ordinal))
            yield return request with { Path = operation.Path.Replace("{id}", "2147483647", StringComparison.Ordinal) };
        else if (operation.Response(404) is not null)
            yield return request with { Path = request.Path[..request.Path.LastIndexOf('/')] + "/2147483647" };
        yield return request.With("Accept-Encoding", "br");
    }

    // Cursors from before a rebuild of the read schema.
    private async Task ExpireAsync(ResponseCheck check)
    {
        var places = new List<FilledRequest>();
        foreach (var resource in ReadModel.All)
        {
            var next = (await shop.Http.JsonAsync($"{resource.Name}/cursor?pageSize=1")).GetProperty("nextCursor")
                .GetString();
            places.Add(
                new FilledRequest(
                    "GET", $"/{resource.Name}/cursor?pageSize=1&after={next}",
                    [("Authorization", $"Bearer {ReadShop.Key}")], null));
            var change = (await shop.Http.JsonAsync($"{resource.Name}/changes")).GetProperty("nextCursor").GetString();
            places.Add(
                new FilledRequest(
                    "GET", $"/{resource.Name}/changes?after={change}",
                    [("Authorization", $"Bearer {ReadShop.Key}")], null));
        }

        await shop.PutAsync("reviews", [901], _ => Documents.Body("reviews", 1));
        var reviews = await shop.Http.JsonAsync("products/1/reviews?pageSize=1");
        var review = reviews.GetProperty("nextCursor").GetString();
        places.Add(new FilledRequest("GET", $"/products/1/reviews?pageSize=1&after={review}", [], null));
        await shop.ExecuteAsync("UPDATE read.projection_state SET epoch = epoch + 1");
        foreach (var place in places) await SendAsync(check, shop.Http, place);
    }

    private static async Task<ResponseCheck> SendEachAsync(QueriesApp app)
    {
        using var http = app.CreateClient();
        var check = new ResponseCheck(await ApiDescription.ReadAsync(http));
        foreach (var request in DescribedShop.Files.SelectMany(file => HttpFileRunner.Alone(file, ReadShop.Key)))
            await SendAsync(check, http, request);
        return check;
    }

    private static async Task SendAsync(ResponseCheck check, HttpClient http, FilledRequest request)
    {
        using var message = request.ToMessage();
        using var response = await http.SendAsync(message);
        await check.CheckAsync(request, response, Encoding.UTF8.GetString(await response.DecodedAsync()));
    }
}
