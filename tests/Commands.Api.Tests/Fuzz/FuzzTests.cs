using System.Collections.Concurrent;
using System.Text.Json;
using ApexShop.Commands.Api.Tests.Hosting;
using ApexShop.Errors;
using ApexShop.Resources;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Identity;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Fuzz;

public sealed class FuzzTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const int WithBody = 10_500;
    private const int WithoutBody = 60;
    private const int Parallel = 8;

    private static readonly Dictionary<string, int> known =
        ErrorCatalogue.Both.Concat(ErrorCatalogue.Commands)
            .Concat(ErrorCatalogue.Projector)
            .ToDictionary(code => code.Code, code => code.Status);

    [Fact]
    public async Task Whatever_is_sent_is_carried_out_or_refused_and_never_fails()
    {
        for (var i = 0; i < 5; i++) await app.ReviewAsync(await app.ProductAsync(), await app.UserAsync());
        await using var api = Start();
        using var client = CommandsApp.Client(api, CommandsApp.Key);
        var targets = app.Targets();
        targets.Count(target => target.Body is not null).ShouldBeGreaterThanOrEqualTo(24);
        var seed = (ulong)Random.Shared.NextInt64();
        var requests = targets.SelectMany(target => Requests(target, targets, seed)).ToList();
        requests.Count(request => request.Body is not null).ShouldBeGreaterThanOrEqualTo(10_000);

        var wrong = new ConcurrentQueue<string>();
        var statuses = new ConcurrentDictionary<int, int>();
        await System.Threading.Tasks.Parallel.ForEachAsync(
            requests, new ParallelOptions { MaxDegreeOfParallelism = Parallel }, async (request, ct) =>
        {
            var (status, what) = await SendAsync(client, request, ct);
            statuses.AddOrUpdate(status, 1, (_, count) => count + 1);
            if (what is not null) wrong.Enqueue($"seed {seed}: {what}\n{request}");
        });

        wrong.Take(3).ShouldBeEmpty($"{wrong.Count} of {requests.Count}");
        // Neither all refused nor all let through: both ways were walked.
        statuses.Where(status => status.Key < 300).Sum(status => status.Value).ShouldBeGreaterThan(500);
        statuses.GetValueOrDefault(400).ShouldBeGreaterThan(500);
        foreach (var resource in Resource.Names) (await HalfDoneAsync(resource)).ShouldBe(0, resource);
    }

    private WebApplicationFactory<Program> Start()
    {
        var api = CommandsApp.Start(
            app.Database.Commands, ("Projector:Urls:0", app.ProjectorUrl), ("Limits:KeyRate:Burst", "1000000"),
            ("Logging:LogLevel:Default", "Warning"))
            // A thousand real hashes would be most of the time.
            .WithWebHostBuilder(
                host => host.ConfigureServices(
                    services => services.Configure<PasswordHasherOptions>(hasher => hasher.IterationCount = 1)));
        api.UseKestrel();
        return api;
    }

    private static IEnumerable<FuzzRequest> Requests(EndpointTarget target, List<EndpointTarget> targets, ulong seed)
    {
        var count = target.Body is null ? WithoutBody : (WithBody / targets.Count(other => other.Body is not null)) + 1;
        // What would be carried out with a body of its own kind takes minutes: only what is refused is sent.
        return FuzzRequests.For(target)
            .Sample(count, new Rnd(seed), 30)
            .Where(request => target.Name != "SeedShop" || !MayBeSeed(request));
    }

    private static bool MayBeSeed(FuzzRequest request)
    {
        try
        {
            return request.Body is not { Length: > 0 }
                || JsonDocument.Parse(request.Body).RootElement is
                {
                    ValueKind: JsonValueKind.Object or JsonValueKind.Null,
                };
        }
        catch (JsonException)
        {
            return false;
        }
    }

    private static async Task<(int Status, string? Wrong)> SendAsync(
        HttpClient client, FuzzRequest request, CancellationToken ct)
    {
        try
        {
            using var message = request.ToMessage();
            using var response = await client.SendAsync(message, ct);
            return ((int)response.StatusCode, WrongWith(await Answer.ReadAsync(response)));
        }
        catch (Exception broken) when (broken is HttpRequestException or TaskCanceledException)
        {
            return (0, broken.Message);
        }
    }

    private static string? WrongWith(Answer answer)
    {
        if ((int)answer.Status < 300) return null;
        if (answer.MediaType != "application/problem+json") return $"{answer.Status} without a problem: {answer.Text}";
        return known.GetValueOrDefault(answer.Code) == (int)answer.Status && (int)answer.Status < 500
            ? null
            : $"{answer.Status}: {answer.Text}";
    }

    // A change is whole when the row says as many versions as the outbox has events of it.
    private Task<long> HalfDoneAsync(string resource) => app.ScalarAsync<long>(
        $"""
        SELECT count(*) FROM shop.{resource} AS r
        FULL JOIN (SELECT aggregate_id, count(*) AS said, max(version) AS last, bool_or(type LIKE '%deleted') AS is_gone
                   FROM shop.outbox WHERE resource = '{resource}' GROUP BY aggregate_id) AS o ON o.aggregate_id = r.id
        WHERE o.said IS DISTINCT FROM o.last OR (r.id IS NULL) IS DISTINCT FROM o.is_gone OR (r.id IS NOT NULL
            AND r.version <> o.last)
        """);
}
