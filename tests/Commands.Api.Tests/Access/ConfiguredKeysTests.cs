using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using ApexShop.Access;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace ApexShop.Commands.Api.Tests.Access;

public sealed class ConfiguredKeysTests : IDisposable
{
    private const string Unavailable = "Host=127.0.0.1;Port=1;Username=commands;Database=none";

    private readonly KeyFile file = new();
    private readonly CollectedLogs logs = new();
    private readonly WebApplicationFactory<Program> api;

    public ConfiguredKeysTests()
    {
        file.Write("first", Scopes.Admin);
        api = CommandsApp.Start(Unavailable).WithWebHostBuilder(host =>
        {
            host.ConfigureAppConfiguration(
                (_, configuration) => configuration.AddJsonFile(file.Path, optional: false, reloadOnChange: true));
            host.ConfigureServices(services => services.AddSingleton<ILoggerProvider>(logs));
        });
        api.UseKestrel();
    }

    public void Dispose()
    {
        api.Dispose();
        file.Dispose();
        logs.Dispose();
    }

    [Fact]
    public async Task A_new_key_works_and_an_old_one_is_refused_without_a_restart()
    {
        (await StatusAsync("first")).ShouldBe(HttpStatusCode.BadRequest);
        (await StatusAsync("second")).ShouldBe(HttpStatusCode.Unauthorized);

        file.Write("second", Scopes.Admin);

        await Eventually.Holds(
            async () => await StatusAsync("second") == HttpStatusCode.BadRequest, "the new key works");
        (await StatusAsync("first")).ShouldBe(HttpStatusCode.Unauthorized);
        (await StatusAsync(CommandsApp.Key)).ShouldBe(HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task A_scope_taken_away_is_gone_without_a_restart()
    {
        (await StatusAsync("first")).ShouldBe(HttpStatusCode.BadRequest);

        file.Write("first", Scopes.EventsRead);

        await Eventually.Holds(async () => await StatusAsync("first") == HttpStatusCode.Forbidden, "the scope is gone");
    }

    [Fact]
    public async Task A_changed_configuration_that_is_not_valid_leaves_what_was_known_and_says_so()
    {
        (await StatusAsync("first")).ShouldBe(HttpStatusCode.BadRequest);

        file.Write("second", "no:such-scope");

        await Eventually.Holds(
            () => Task.FromResult(logs.Lines.Any(line => line.Contains("no:such-scope", StringComparison.Ordinal))),
            "it is logged");
        (await StatusAsync("first")).ShouldBe(HttpStatusCode.BadRequest);
        (await StatusAsync("second")).ShouldBe(HttpStatusCode.Unauthorized);
    }

    [Theory]
    [InlineData("Name")]
    [InlineData("Sha256")]
    public async Task A_key_with_a_null_leaves_what_was_known_and_is_logged(string member)
    {
        (await StatusAsync("first")).ShouldBe(HttpStatusCode.BadRequest);

        var json = JsonNode.Parse(await File.ReadAllTextAsync(file.Path))!;
        var keys = json["Access"]!["Keys"]!;
        (keys is JsonArray list ? list[^1]! : keys.AsObject().Last().Value!)[member] = null;
        await File.WriteAllTextAsync(file.Path, json.ToJsonString());

        await Eventually.Holds(
            () => logs.Lines.Any(line => line.Contains("Access:Keys", StringComparison.Ordinal)), "it is logged");
        (await StatusAsync("first")).ShouldBe(HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task A_key_of_customers_that_is_null_is_none()
    {
        await File.WriteAllTextAsync(file.Path, """{ "Sessions": { "Key": null } }""");
        await using var other = api.WithWebHostBuilder(_ => { });
        other.UseKestrel();

        (await StatusAsync(CommandsApp.Key, other)).ShouldBe(HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task A_file_that_is_not_JSON_leaves_what_was_known_and_is_named_also_when_another_file_changes()
    {
        using var other = new KeyFile(at: "51");
        other.Write("of the other file", Scopes.Admin);
        await using var both = api.WithWebHostBuilder(host => host.ConfigureAppConfiguration(
            (_, configuration) => configuration.AddJsonFile(other.Path, optional: false, reloadOnChange: true)));
        both.UseKestrel();
        (await StatusAsync("of the other file", both)).ShouldBe(HttpStatusCode.BadRequest);

        // Moved, so that it is named once: a file that is written is empty at first.
        await File.WriteAllTextAsync($"{file.Path}.new", "{ \"Access\": ");
        File.Move($"{file.Path}.new", file.Path, overwrite: true);
        await NamedAsync(1);
        (await StatusAsync("first", both)).ShouldBe(HttpStatusCode.BadRequest);
        other.Write("of the other file", Scopes.EventsRead);
        await NamedAsync(2);
        (await StatusAsync("first", both)).ShouldBe(HttpStatusCode.BadRequest);

        file.Write("second", Scopes.Admin);
        await Eventually.Holds(
            async () => await StatusAsync("second", both) == HttpStatusCode.BadRequest, "the file can be read");
        (await StatusAsync("first", both)).ShouldBe(HttpStatusCode.Unauthorized);
        await Eventually.Holds(
            async () => await StatusAsync("of the other file", both) == HttpStatusCode.Forbidden,
            "the scopes of the other file are changed");
    }

    [Fact]
    public async Task A_file_that_was_not_JSON_and_is_empty_now_has_no_keys()
    {
        (await StatusAsync("first")).ShouldBe(HttpStatusCode.BadRequest);
        await File.WriteAllTextAsync(file.Path, "{ \"Access\": ");
        await NamedAsync(1);
        (await StatusAsync("first")).ShouldBe(HttpStatusCode.BadRequest);

        await File.WriteAllTextAsync(file.Path, "{}");

        await Eventually.Holds(
            async () => await StatusAsync("first") == HttpStatusCode.Unauthorized, "the key is gone");
        (await StatusAsync(CommandsApp.Key)).ShouldBe(HttpStatusCode.BadRequest);
    }

    [Theory]
    [InlineData("Sha256", "abc", "64 hexadecimal digits")]
    [InlineData("Sha256", "zz715d80d0dc3ae1a8dd5ee5d5a0b7f0a9e6b1a1f2a3b4c5d6e7f8091a2b3c4d", "64 hexadecimal digits")]
    [InlineData("Scopes:0", "no:such-scope", "'no:such-scope'")]
    [InlineData("Name", " ", "no Name")]
    [InlineData("Name", "users/1", "for customers")]
    [InlineData("Name", "customer", "for customers")]
    [InlineData("Name", "apexshop", "'apexshop' is that of the processes")]
    public void A_key_that_could_not_work_stops_the_start(string member, string value, string said) =>
        StartupFailure.MessageOf(() => Start(($"Access:Keys:1:{member}", value))).ShouldContain(said);

    [Fact]
    public void Two_keys_with_one_hash_stop_the_start()
    {
        var hash = TestKeys.HashOf(CommandsApp.Key).ToUpperInvariant();

        StartupFailure.MessageOf(() => Start(("Access:Keys:1:Sha256", hash))).ShouldContain("the same Sha256");
    }

    private static void Start((string Key, string Value) setting)
    {
        using var app = CommandsApp.Start(Unavailable, setting);
        app.StartServer();
    }

    // Past the guard, the body is refused.
    private Task NamedAsync(int times)
    {
        var name = Path.GetFileName(file.Path);
        return Eventually.Holds(
            () => logs.Lines.Count(line => line.Contains(name, StringComparison.Ordinal)) >= times,
            "the file is named");
    }

    private async Task<HttpStatusCode> StatusAsync(string key, WebApplicationFactory<Program>? process = null)
    {
        using var client = CommandsApp.Client(process ?? api, key);
        using var content = new StringContent("?", Encoding.UTF8, "application/json");
        using var response = await client.PostAsync("/admin/seed", content);
        return response.StatusCode;
    }
}
