using System.Text.Json;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;

namespace ApexShop.EndToEnd.Tests;

/// <summary>The sample consumers skip the empty lines of a log that has nothing to send for long.</summary>
public sealed class EmptyLineTests : IAsyncLifetime
{
    private const string Event = """
        {"logid":"5f2a90c1d37e","sequence":"0000000000000000001","previous":"0000000000000000000",
        "subject":"products/1","type":"apexshop.product.created","data":{"id":1,"name":"Pen","stock":3}}
        """;

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("stock-watcher");
    private readonly string queue = $"empty-lines.{Guid.NewGuid():N}";
    private WebApplication shop = null!;

    private static Uri Broker => ShopServers.Shared.Broker;

    public static TheoryData<string> Languages => [.. StockWatchers.Languages];

    public async Task InitializeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        shop = builder.Build();
        shop.MapGet("/events", http =>
        {
            http.Response.Headers["Log-Id"] = "5f2a90c1d37e";
            return http.Response.WriteAsync($"\n{Event.ReplaceLineEndings("")}\n\n");
        });
        await shop.StartAsync();
        await using var connection = await new ConnectionFactory { Uri = Broker }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        await channel.ExchangeDeclareAsync(queue, ExchangeType.Topic, durable: true);
    }

    public async Task DisposeAsync()
    {
        await shop.DisposeAsync();
        await using var connection = await new ConnectionFactory { Uri = Broker }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        await channel.QueueDeleteAsync(queue);
        await channel.ExchangeDeleteAsync(queue);
        folder.Delete(recursive: true);
    }

    [Theory]
    [MemberData(nameof(Languages))]
    public async Task They_are_no_events(string language)
    {
        var file = Path.Combine(folder.FullName, "stock.json");
        using var watcher = await StockWatchers.CreateAsync(language, new Dictionary<string, string>
        {
            ["COMMANDS_URL"] = shop.Urls.Single(),
            ["EVENTS_KEY"] = TestKeys.Events,
            ["RABBITMQ_URL"] = Broker.ToString(),
            ["BROKER_EXCHANGE"] = queue,
            ["BROKER_QUEUE"] = queue,
        }, file);
        watcher.Start();
        await Eventually.Holds(
            () => watcher.Tail(20).Contains("taking messages", StringComparison.Ordinal)
                || watcher.Tail(20).Contains("Trying again", StringComparison.Ordinal),
            "it has read the log", TimeSpan.FromMinutes(1));

        watcher.Tail(20).ShouldNotContain("Trying again");
        var products = JsonElement.Parse(await File.ReadAllTextAsync(file)).GetProperty("products");
        products.GetProperty("1").GetProperty("stock").GetInt32().ShouldBe(3);
    }
}
