using System.Net.Http.Headers;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Operations.Console;
using ApexShop.Commands.Api.Hosting;
using ApexShop.Commands.Api.Tests.Events;
using ApexShop.Commands.Api.Tests.HttpFiles;
using ApexShop.TestKit.HttpFiles;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Commands.Api.Tests.OpenApi;

/// <summary>
/// Holds what the API really check to what the document says of it. The requests are those of the .http files; from
/// each one come the refusals that any request of its kind can meet.
/// </summary>
public sealed class OpenApiResponseTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Unavailable = "Host=127.0.0.1;Port=1;Username=none;Timeout=1";
    private const string UsedKey = "used-for-another-request";

    [Fact]
    public async Task Every_operation_responds_as_described_to_valid_and_to_refused_requests()
    {
        var description = await ApiDescription.ReadAsync(app.Http);
        var check = new ResponseCheck(description);
        await UseUpAsync();

        var events = 0;
        var run = new HttpFileRunner(app.Http, CommandsApp.Key)
        {
            Before = async (request, filled) =>
            {
                if (request.Status is null) await RefuseAsync(check, filled);
                if (check.Find(filled)?.Id == nameof(ReadEvents)) await LogShop.SequenceAsync(app);
            },
            After = (_, filled, response, text) =>
            {
                if (check.Find(filled)?.Id == nameof(ReadEvents) && response.IsSuccessStatusCode)
                    events += text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length;
                return check.CheckAsync(filled, response, text);
            },
        };
        foreach (var file in CommandsFiles.All) await run.RunAsync(file);

        check.Wrong.ShouldBeEmpty();
        events.ShouldBeGreaterThan(0);
        foreach (var operation in description.Operations)
            check.Seen(operation).ShouldBeSubsetOf([.. operation.Statuses], operation.ToString());
        description.Operations.SelectMany(operation =>
            Provoked(operation).Except(check.Seen(operation))
                .Select(status => $"{operation}: no {status} came")).ShouldBeEmpty();
    }

    [Fact]
    public async Task Every_operation_that_needs_the_database_responds_as_described_when_it_is_unavailable()
    {
        var check = await SendEachAsync(CommandsApp.Start(Unavailable), _ => true);

        check.Wrong.ShouldBeEmpty();
        // The pipeline is asked when something is unavailable: it says so and tells the rest. Neither do metrics need
        // it.
        check.Description.Operations.Where(
            operation => operation.NeedsKey && operation.Id is not (nameof(GetPipeline) or nameof(GetMetrics)))
            .ShouldAllBe(operation => check.Seen(operation).Contains("503"));
        check.Seen(check.Description.Operations.Single(operation => operation.Path == "/health/ready"))
            .ShouldContain("503");
    }

    [Fact]
    public async Task Every_operation_responds_as_described_to_too_many_requests()
    {
        var limited = CommandsApp.Start(
            Unavailable, ("Limits:KeyRate:Requests", "1"), ("Limits:KeyRate:Seconds", "3600"),
            ("Limits:KeyRate:Burst", "1"));
        var check = await SendEachAsync(limited, path => !path.StartsWith("/health/", StringComparison.Ordinal));

        check.Wrong.ShouldBeEmpty();
        check.Description.Operations.Where(operation => operation.NeedsKey).Skip(1)
            .ShouldAllBe(operation => check.Seen(operation).Contains("429"));
    }

    // The error responses that every operation of its shape must have.
    private static List<string> Provoked(DescribedOperation operation)
    {
        var done = operation.Statuses.First(status => status[0] == '2');
        (bool Occurs, string Status)[] all =
        [
            (true, done), (!IsProbe(operation), "400"), (operation.NeedsKey, "401"), (operation.NeedsKey, "403"), (
                operation.Path.Contains('{', StringComparison.Ordinal)
                    && !operation.Path.Contains("/bulk", StringComparison.Ordinal),
                "404"),
            (
                operation.Takes("If-Match"),
                "412"), (operation.Body is not null, "413"), (operation.Body is not null, "415"), (
                operation.Takes("Idempotency-Key"), "422"),
        ];
        return [.. all.Where(one => one.Occurs).Select(one => one.Status)];
    }

    // A probe is executed before the check of parameters.
    private static bool IsProbe(DescribedOperation operation) =>
        operation.Path == "/version" || operation.Path.StartsWith("/health/", StringComparison.Ordinal);

    private async Task UseUpAsync()
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/categories");
        request.Headers.Add("Idempotency-Key", UsedKey);
        request.Content = new StringContent("""{"name":"Taken"}""", new MediaTypeHeaderValue("application/json"));
        using var response = await app.Http.SendAsync(request);
        response.EnsureSuccessStatusCode();
    }

    private async Task RefuseAsync(ResponseCheck check, FilledRequest request)
    {
        if (check.Find(request) is not { } operation) return;
        await SendAsync(check, WithUnknownParameter(request));
        if (operation.NeedsKey)
        {
            await SendAsync(check, request.With("Authorization", null));
            await SendAsync(check, request.With("Authorization", "Bearer events:read"), "Bearer users:read");
        }

        if (operation.Path.EndsWith("/{id}", StringComparison.Ordinal))
            await SendAsync(
                check, request with { Path = request.Path[..request.Path.LastIndexOf('/')] + "/2147483647" });
        // With the request's own key it would be its first request.
        if (operation.Takes("If-Match"))
            await SendAsync(check, request.With("If-Match", "\"999\"").With("Idempotency-Key", null));
        if (operation.Takes("Idempotency-Key")) await SendAsync(check, request.With("Idempotency-Key", UsedKey));
        if (operation.Body is null) return;
        await SendAsync(check, request with { Body = "{" });
        await SendAsync(check, request.With("Content-Type", "text/plain"));
        await SendTooMuchAsync(check, request);
    }

    private static FilledRequest WithUnknownParameter(FilledRequest request) => request with
    {
        Path = request.Path + (request.Path.Contains('?', StringComparison.Ordinal) ? '&' : '?') + "nonsense=1",
    };

    // No operation accepts the scopes of both keys.
    private async Task SendAsync(ResponseCheck check, FilledRequest request, string? otherwise = null)
    {
        using var message = request.ToMessage();
        using var response = await app.ClientWith(null).SendAsync(message, HttpCompletionOption.ResponseHeadersRead);
        await check.CheckAsync(request, response, await HttpFileRunner.TextAsync(response));
        if (otherwise is not null) await SendAsync(check, request.With("Authorization", otherwise));
    }

    // Only the length is sent: the request is refused before a byte of the body.
    private async Task SendTooMuchAsync(ResponseCheck check, FilledRequest request)
    {
        using var message = request.ToMessage();
        message.Content!.Headers.ContentLength = 1L << 40;
        message.Headers.ExpectContinue = true;
        using var response = await app.Http.SendAsync(message);
        await check.CheckAsync(request, response, await response.Content.ReadAsStringAsync());
    }

    private static async Task<ResponseCheck> SendEachAsync(
        Microsoft.AspNetCore.Mvc.Testing.WebApplicationFactory<Program> factory, Func<string, bool> isWanted)
    {
        await using var running = factory;
        using var http = CommandsApp.Client(running, CommandsApp.Key);
        var check = new ResponseCheck(await ApiDescription.ReadAsync(http));
        foreach (var request in CommandsFiles.All.SelectMany(file => HttpFileRunner.Alone(file, CommandsApp.Key))
            .Where(request => isWanted(request.Path)))
        {
            using var message = request.ToMessage();
            using var response = await http.SendAsync(message);
            await check.CheckAsync(request, response, await response.Content.ReadAsStringAsync());
        }

        return check;
    }
}
