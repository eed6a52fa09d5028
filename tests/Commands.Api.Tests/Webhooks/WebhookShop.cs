using System.Net;
using System.Text.Json;
using ApexShop.Commands.Api.Tests.Events;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Mvc.Testing;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>A shop whose log only the test writes to, with processes that deliver to receivers of the test.</summary>
public sealed class WebhookShop : LogShop
{
    private int last;

    /// <summary>A process that delivers, with short pauses.</summary>
    public WebApplicationFactory<Program> Start(params (string Key, string Value)[] settings)
    {
        var factory = CommandsApp.Start(
            App.Database.Commands,
            [
                ("Webhooks:Delivers", "true"), ("Webhooks:PrivateNetworks:0", "127.0.0.0/8"),
                ("Webhooks:PollInterval", "00:00:00.020"),
                ("Webhooks:FirstPause", "00:00:00.050"), ("Webhooks:LongestPause", "00:00:00.200"), .. settings,
            ]);
        _ = factory.Services;
        return factory;
    }

    /// <summary>Appends so many events to the log and returns their positions.</summary>
    public async Task<IReadOnlyList<long>> AppendAsync(int count, int aggregates = 5)
    {
        var head = await HeadAsync();
        await FillAsync(last + 1, last + count, aggregates);
        last += count;
        return [.. Enumerable.Range(1, count).Select(one => head + one)];
    }

    public Task<long> HeadAsync() =>
        App.ScalarAsync<long>("SELECT position FROM shop.log_positions WHERE name = 'head'");

    /// <summary>A webhook for the events from now on; returns its id and its secret.</summary>
    public static async Task<(int Id, string Secret)> HookAsync(
        WebApplicationFactory<Program> factory, string url, params string[] types)
    {
        using var http = CommandsApp.Client(factory, CommandsApp.Key);
        using var body = Json(new { url, types });
        using var response = await http.PostAsync("/admin/webhooks", body);
        var text = await response.Content.ReadAsStringAsync();
        response.StatusCode.ShouldBe(HttpStatusCode.Created, text);
        var created = JsonDocument.Parse(text).RootElement;
        return (created.GetProperty("id").GetInt32(), created.GetProperty("secret").GetString()!);
    }

    public async Task<JsonElement> ReadWebhookAsync(int id) =>
        (await GetAsync($"/admin/webhooks/{id}")).RootElement;

    public async Task<IReadOnlyList<JsonElement>> UndeliveredAsync(int id) =>
    [
        .. (await GetAsync($"/admin/webhooks/{id}/undelivered?limit=1000")).RootElement.GetProperty("items")
            .EnumerateArray(),
    ];

    /// <summary>Waits until every event up to the head of the log is delivered, or was given up.</summary>
    public Task DeliveredAsync(int id) => Eventually.Holds(
        async () => await ReadWebhookAsync(id) is var one && one.GetProperty("behind").GetInt64() == 0
            && one.GetProperty("waiting").GetInt32() == 0,
        $"webhook {id} has delivered everything");

    /// <summary>Deletes the webhooks, so that those of one test are not delivered in the next.</summary>
    public Task ResetAsync() => App.ScalarAsync<object>("DELETE FROM shop.webhooks");

    public static string? Text(JsonElement webhook, string member) => webhook.GetProperty(member).GetString();

    public static StringContent Json(object value) =>
        new(JsonSerializer.Serialize(value), System.Text.Encoding.UTF8, "application/json");

    private async Task<JsonDocument> GetAsync(string path) => JsonDocument.Parse(await App.Http.GetStringAsync(path));
}
