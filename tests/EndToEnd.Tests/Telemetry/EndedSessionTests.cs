using System.Net.Http.Json;
using System.Text.Json;
using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Telemetry;

/// <summary>PostgreSQL ends all sessions under load, as at a fast shutdown: 57P01 in every process.</summary>
public sealed class EndedSessionTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    private const int Rounds = 4;

    [Fact]
    public async Task Each_process_reports_ended_sessions_in_lines_without_stack_traces()
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Ended"));
        using var live = await SseClient.OpenAsync(Shop.Commands.Http, "/events/live");
        using var stop = new BlockCancellation();
        Task[] load =
        [
            .. Enumerable.Range(0, 3).Select(_ => SendAsync(async () =>
            {
                using var response = await Shop.Commands.Http.PutAsJsonAsync(
                    $"/categories/{category.Id}", Bodies.Category($"Ended {Guid.NewGuid():N}"));
            }, stop.Token)),
            .. ((string[])["products/v2?q=chair", "orders/cursor", "categories/stream", "reviews/export/ndjson"])
                .Select(path => SendAsync(async () => await Shop.Queries.Http.GetByteArrayAsync(path), stop.Token)),
        ];
        for (var round = 0; round < Rounds; round++)
        {
            await Task.Delay(TimeSpan.FromSeconds(1));
            await State.Database.RowsAsync(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """);
        }

        await stop.CancelAsync();
        await Task.WhenAll(load);
        // An ended session that is idle in a pool is noticed by the next command that uses it, which is a 503.
        await Eventually.Holds(
            async () =>
            {
                using var response =
                    await Shop.Commands.Http.PostAsJsonAsync("/categories", Bodies.Category("After"));
                return response.IsSuccessStatusCode;
            },
            "commands succeed again");
        var lines = Shop.Tail(int.MaxValue).Split('\n').Where(line => line.StartsWith('{')).ToList();
        lines.ShouldContain(line => line.Contains("57P01", StringComparison.Ordinal), "sessions were in use");
        lines.Where(HasStackTrace).ShouldBeEmpty();
    }

    private static bool HasStackTrace(string line) =>
        JsonDocument.Parse(line).RootElement.TryGetProperty("Exception", out _);

    private static async Task SendAsync(Func<Task> send, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            try
            {
                await send();
            }
            catch (Exception failed) when (ShopProcess.IsDisconnect(failed))
            {
                // The response was a problem, or ended early.
            }
        }
    }
}
