using System.Net;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using ApexShop.Browser;
using ApexShop.TestKit;
using Npgsql;
using RabbitMQ.Client;

namespace ApexShop.Console.Tests;

/// <summary>A whole shop of real processes, and a browser.</summary>
public sealed class LiveShop : IAsyncLifetime
{
    private Shop? shop;
    private Chromium? chromium;

    public Shop Shop => shop!;

    public Chromium Chromium => chromium!;

    public async Task InitializeAsync()
    {
        chromium = await Chromium.StartAsync();
        shop = await Shop.StartAsync();
    }

    public async Task DisposeAsync()
    {
        if (chromium is not null) await chromium.DisposeAsync();
        if (shop is not null) await shop.DisposeAsync();
    }

    /// <summary>Opens the page without a key.</summary>
    public Task<Visit> OpenAsync(int width = 1280, int height = 900) =>
        Visit.OpenAsync(Chromium, Shop.Commands.Url, width, height);

    /// <summary>Opens the page with a key that has all scopes.</summary>
    public async Task<Visit> EnterAsync(int width = 1280, int height = 900)
    {
        var visit = await OpenAsync(width, height);
        await visit.EnterAsync();
        return visit;
    }

    /// <summary>Adds a category and returns its id.</summary>
    public async Task<int> AddCategoryAsync(string name)
    {
        using var answer = await Shop.Commands.Http.PostAsJsonAsync("/categories", new { name });
        answer.StatusCode.ShouldBe(HttpStatusCode.Created);
        return (await answer.Content.ReadFromJsonAsync<JsonElement>()).GetProperty("id").GetInt32();
    }

    /// <summary>The status of a category in the queries.</summary>
    public async Task<HttpStatusCode> CategoryAsync(int id)
    {
        using var answer = await Shop.Queries.Http.GetAsync($"/categories/{id}");
        return answer.StatusCode;
    }

    /// <summary>Sends a message with any body to the exchange of Commands.Api.</summary>
    public async Task PublishAsync(string resource, string body)
    {
        await using var connection = await new ConnectionFactory { Uri = Shop.Broker }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        await channel.BasicPublishAsync(Shop.Exchange, resource, Encoding.UTF8.GetBytes(body));
    }

    /// <summary>Runs a statement as the superuser of the shop's database.</summary>
    public async Task SqlAsync(string sql)
    {
        await using var connection = new NpgsqlConnection(Shop.Database.Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
