using System.Net;
using System.Net.Http.Headers;
using ApexShop.Commands.Api.Hosting;
using ApexShop.Commands.Api.Operations.Console;
using ApexShop.Commands.Api.Tests.HttpFiles;
using ApexShop.TestKit.HttpFiles;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Commands.Api.Tests.OpenApi;

/// <summary>
/// Holds what the API really answers to what the document says of it. The requests are those of the .http files; from
/// each one come the refusals that any request of its kind can meet.
/// </summary>
public sealed class OpenApiAnswerTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Unavailable = "Host=127.0.0.1;Port=1;Username=nobody;Timeout=1";
    private const string UsedKey = "used-for-another-request";

    [Fact]
    public async Task Every_operation_answers_as_described_when_it_is_done_and_when_it_is_refused()
    {
        var description = await ApiDescription.ReadAsync(app.Http);
        var answers = new ResponseCheck(description);
        await UseUpAsync();

        var run = new HttpFileRunner(app.Http, CommandsApp.Key)
        {
            Before = async (request, filled) =>
            {
                if (request.Status is null) await RefuseAsync(answers, filled);
            },
            After = (_, filled, response, text) => answers.CheckAsync(filled, response, text),
        };
        foreach (var file in CommandsFiles.All) await run.RunAsync(file);

        answers.Wrong.ShouldBeEmpty();
        foreach (var operation in description.Operations)
            answers.Seen(operation).ShouldBeSubsetOf([.. operation.Statuses], operation.ToString());
        description.Operations.SelectMany(operation => Provoked(operation).Except(answers.Seen(operation)).Select(status => $"{operation}: no {status} came")).ShouldBeEmpty();
    }

    [Fact]
    public async Task Every_example_of_a_body_is_taken_by_a_seeded_shop()
    {
        var operations = (await ApiDescription.ReadAsync(app.Http)).Operations.Where(operation => operation.Body is not null)
            .OrderBy(operation => operation.Id != "SeedShop").ThenBy(operation => operation.Method == "DELETE").ToList();

        operations.Count.ShouldBeGreaterThan(20);
        foreach (var operation in operations)
        {
            var path = operation.Path.Replace("{id}", "1", StringComparison.Ordinal);
            var answer = await app.SendAsync(HttpMethod.Parse(operation.Method), path, operation.Body!["content"]!["application/json"]!["example"]!.ToJsonString());

            // An example cannot be new twice, nor is what it deletes free of others in every shop.
            if (answer.Status == HttpStatusCode.Conflict) answer.Code.ShouldBeOneOf(
                "user.email_taken", "review.exists", "order.status_refused", "product.sold", "user.has_orders", "category.has_products");
            else ((int)answer.Status).ShouldBeInRange(200, 299, $"{operation}: {answer.Text}");
        }
    }

    [Fact]
    public async Task Every_operation_that_needs_the_database_says_that_it_is_away()
    {
        var answers = await SendEachAsync(CommandsApp.Start(Unavailable), _ => true);

        answers.Wrong.ShouldBeEmpty();
        // The pipeline is asked when something is unavailable: it says so and tells the rest. Neither do metrics need it.
        answers.Description.Operations.Where(operation => operation.NeedsKey && operation.Id is not (nameof(GetPipeline) or nameof(GetMetrics)))
            .ShouldAllBe(operation => answers.Seen(operation).Contains("503"));
        answers.Seen(answers.Description.Operations.Single(operation => operation.Path == "/health/ready")).ShouldContain("503");
    }

    [Fact]
    public async Task Every_operation_says_when_there_were_too_many_requests()
    {
        var limited = CommandsApp.Start(Unavailable, ("Limits:KeyRate:Requests", "1"), ("Limits:KeyRate:Seconds", "3600"), ("Limits:KeyRate:Burst", "1"));
        var answers = await SendEachAsync(limited, path => !path.StartsWith("/health/", StringComparison.Ordinal));

        answers.Wrong.ShouldBeEmpty();
        answers.Description.Operations.Where(operation => operation.NeedsKey).Skip(1).ShouldAllBe(operation => answers.Seen(operation).Contains("429"));
    }

    // Of every operation the refusals that need no knowledge of what it does.
    private static List<string> Provoked(DescribedOperation operation)
    {
        var done = operation.Statuses.First(status => status[0] == '2');
        (bool Occurs, string Status)[] all =
        [
            (true, done), (operation.NeedsKey, "401"), (operation.NeedsKey, "403"), (operation.Body is not null, "400"), (operation.Path.Contains('{', StringComparison.Ordinal) && !operation.Path.Contains("/bulk", StringComparison.Ordinal), "404"),
            (operation.Takes("If-Match"), "412"), (operation.Body is not null, "413"), (operation.Body is not null, "415"), (operation.Takes("Idempotency-Key"), "422"),
        ];
        return [.. all.Where(one => one.Occurs).Select(one => one.Status)];
    }

    private async Task UseUpAsync()
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/categories");
        request.Headers.Add("Idempotency-Key", UsedKey);
        request.Content = new StringContent("""{"name":"Taken"}""", new MediaTypeHeaderValue("application/json"));
        using var response = await app.Http.SendAsync(request);
        response.EnsureSuccessStatusCode();
    }

    private async Task RefuseAsync(ResponseCheck answers, FilledRequest request)
    {
        if (answers.Find(request) is not { NeedsKey: true } operation) return;
        await SendAsync(answers, request.With("Authorization", null));
        await SendAsync(answers, request.With("Authorization", "Bearer events:read"), "Bearer users:read");
        if (operation.Path.EndsWith("/{id}", StringComparison.Ordinal)) await SendAsync(answers, request with { Path = request.Path[..request.Path.LastIndexOf('/')] + "/2147483647" });
        if (operation.Takes("If-Match")) await SendAsync(answers, request.With("If-Match", "\"999\""));
        if (operation.Takes("Idempotency-Key")) await SendAsync(answers, request.With("Idempotency-Key", UsedKey));
        if (operation.Body is null) return;
        await SendAsync(answers, request with { Body = "{" });
        await SendAsync(answers, request.With("Content-Type", "text/plain"));
        await SendTooMuchAsync(answers, request);
    }

    // The scope that one operation needs is not the scope of both keys.
    private async Task SendAsync(ResponseCheck answers, FilledRequest request, string? otherwise = null)
    {
        using var message = request.ToMessage();
        using var response = await app.ClientWith(null).SendAsync(message, HttpCompletionOption.ResponseHeadersRead);
        await answers.CheckAsync(request, response, await HttpFileRunner.TextAsync(response));
        if (otherwise is not null) await SendAsync(answers, request.With("Authorization", otherwise));
    }

    // The length alone is told: the refusal comes before a byte of the body.
    private async Task SendTooMuchAsync(ResponseCheck answers, FilledRequest request)
    {
        using var message = request.ToMessage();
        message.Content!.Headers.ContentLength = 1L << 40;
        message.Headers.ExpectContinue = true;
        using var response = await app.Http.SendAsync(message);
        await answers.CheckAsync(request, response, await response.Content.ReadAsStringAsync());
    }

    private static async Task<ResponseCheck> SendEachAsync(Microsoft.AspNetCore.Mvc.Testing.WebApplicationFactory<Program> factory, Func<string, bool> isWanted)
    {
        await using var running = factory;
        using var http = CommandsApp.Client(running, CommandsApp.Key);
        var answers = new ResponseCheck(await ApiDescription.ReadAsync(http));
        foreach (var request in CommandsFiles.All.SelectMany(file => HttpFileRunner.Alone(file, CommandsApp.Key)).Where(request => isWanted(request.Path)))
        {
            using var message = request.ToMessage();
            using var response = await http.SendAsync(message);
            await answers.CheckAsync(request, response, await response.Content.ReadAsStringAsync());
        }

        return answers;
    }
}
