using ApexShop.TestKit;
using ApexShop.TestKit.Packages;
using ApexShop.TestKit.Pages;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.EndToEnd.Tests;

/// <summary>
/// The sample consumers and the program of docs/consume-events.md with the rights of a user of the broker that the page
/// gives.
/// </summary>
public sealed class ConsumerRightsTests : IAsyncLifetime
{
    private const string Exchange = "apexshop.events";
    private const string Queue = "stock-watcher";

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("stock-watcher");
    private PrivateBroker broker = null!;
    private WebApplication shop = null!;

    private Uri OwnUrl => new UriBuilder(broker.Url) { UserName = "stock", Password = "test" }.Uri;

    private Dictionary<string, string> Variables => new()
    {
        ["COMMANDS_URL"] = shop.Urls.Single(),
        ["EVENTS_KEY"] = TestKeys.Events,
        ["RABBITMQ_URL"] = OwnUrl.ToString(),
    };

    public async Task InitializeAsync()
    {
        broker = await PrivateBroker.StartAsync();
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        shop = builder.Build();
        shop.MapGet("/events", http =>
        {
            http.Response.Headers["Log-Id"] = "5f2a90c1d37e";
            return Task.CompletedTask;
        });
        await shop.StartAsync();
    }

    public async Task DisposeAsync()
    {
        await shop.DisposeAsync();
        await broker.DisposeAsync();
        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task They_follow_an_exchange_once_it_is_there_and_cannot_change_it()
    {
        await SetRightsAsync();
        await using var connection = await new ConnectionFactory { Uri = broker.Url }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        foreach (var language in StockWatchers.Languages)
        {
            await channel.ExchangeDeleteAsync(Exchange);
            using var watcher = await CreateAsync(language);
            watcher.Start();
            await WritesAsync(watcher, "Trying again");
            await channel.ExchangeDeclareAsync(Exchange, ExchangeType.Topic, durable: true);
            await WritesAsync(watcher, "taking messages");
            await watcher.KillAsync();
        }

        await using var own = await new ConnectionFactory { Uri = OwnUrl }.CreateConnectionAsync();
        await RefusesAsync(own, user => user.ExchangeDeleteAsync(Exchange));
        await RefusesAsync(own, user => user.ExchangeDeclareAsync(Exchange, ExchangeType.Topic, durable: true));
        await RefusesAsync(own, user => user.QueueBindAsync(Queue, Exchange, "orders"));
    }

    [Fact]
    public async Task The_program_of_the_page_takes_messages()
    {
        await SetRightsAsync();
        await using var connection = await new ConnectionFactory { Uri = broker.Url }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        await channel.ExchangeDeclareAsync(Exchange, ExchangeType.Topic, durable: true);
        await using var database = await TestDatabase.CreateAsync("consumer", _ => Task.CompletedTask);
        using var programs = new Programs();
        programs.Write("Program.cs", (await PartsAsync()).First(part => part.Language == "csharp").Text);
        var consumer = await programs.BuildAsync("Events.Client", "ApexShop.Events.Client");
        using var program = new ServerProcess(
            "consumer", "dotnet", [consumer],
            new Dictionary<string, string>(Variables) { ["DATABASE"] = database.Superuser });

        program.Start();

        await WritesAsync(program, "taking messages");
    }

    private async Task SetRightsAsync()
    {
        var commands = (await PartsAsync())
            .Single(part => part.Text.StartsWith("rabbitmqctl add_user", StringComparison.Ordinal)).Text;
        using var runner = new PageRunner();
        await runner.RunAsync([new PagePart("bash", "", $"{{\n{commands}}} <<<test\n")], broker.Environment);
    }

    private static async Task<IEnumerable<PagePart>> PartsAsync() => PagePart.Of(
        await File.ReadAllTextAsync(Path.Combine(Repository.Root, "docs", "consume-events.md")));

    private Task<ServerProcess> CreateAsync(string language) =>
        StockWatchers.CreateAsync(language, Variables, Path.Combine(folder.FullName, $"{language}.json"));

    private static Task WritesAsync(ServerProcess watcher, string text) => Eventually.Holds(
        () => watcher.Tail(400).Contains(text, StringComparison.Ordinal), $"it writes: {text}",
        TimeSpan.FromMinutes(1));

    private static async Task RefusesAsync(IConnection own, Func<IChannel, Task> change)
    {
        await using var channel = await own.CreateChannelAsync();
        await Should.ThrowAsync<OperationInterruptedException>(() => change(channel));
        ((int)channel.CloseReason!.ReplyCode).ShouldBe(Constants.AccessRefused);
    }
}
