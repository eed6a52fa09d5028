using System.Collections.Concurrent;
using System.Text.Json.Nodes;
using ApexShop.Prove.Clients;
using Xunit.Abstractions;

namespace ApexShop.Prove.Tests.Live;

/// <summary>A proxy in front of a process breaks one guarantee of a real shop, and the clients find it.</summary>
[Collection(LiveRuns.Name)]
public sealed class LiveBugTests(ITestOutputHelper output, LiveShop shop)
{
    private const double Seconds = 3;

    // A slow machine may not reach the requests that show a bug in one run; a check that does not find it fails in all.
    private const int MostRuns = 3;

    [Fact]
    public Task A_cache_that_never_forgets_a_document_is_found()
    {
        var cached = new ConcurrentDictionary<string, string>();
        return FindsAsync("reads.own-writes", "queries", passed =>
            passed.Status == 200 && char.IsAsciiDigit(passed.Path[^1]) && !passed.Path.Contains('?')
                ? cached.GetOrAdd(passed.Path, passed.Body)
                : null);
    }

    [Fact]
    public Task A_process_that_ignores_the_token_is_found() =>
        FindsAsync("reads.own-writes", "queries", _ => null, "Consistency-Token");

    [Fact]
    public Task A_process_that_ignores_the_version_is_found() =>
        FindsAsync("commands.if-match", "commands", _ => null, "If-Match");

    [Fact]
    public Task A_process_that_ignores_the_key_is_found() =>
        FindsAsync("commands.idempotency", "commands", _ => null, "Idempotency-Key");

    [Fact]
    public Task A_process_that_answers_with_another_version_is_found() =>
        FindsAsync("commands.acknowledged", "commands", passed =>
            passed is { Status: 200, Path: var path } && passed.Method == HttpMethod.Put && !path.Contains("bulk")
                ? Edited(passed.Body, body => body["version"] = (long)body["version"]! + 1)
                : null);

    [Fact]
    public Task A_page_without_its_last_document_is_found() =>
        FindsAsync("rest.documents", "queries", passed =>
            passed.Status == 200 && passed.Path.Contains("/cursor", StringComparison.Ordinal)
                ? Edited(passed.Body, body => RemoveLast(body["data"]!.AsArray()))
                : null);

    [Fact]
    public Task A_numbered_page_in_the_wrong_order_is_found() =>
        FindsAsync("reads.lists", "queries", passed =>
            passed.Status == 200 && passed.Path.Contains("page=", StringComparison.Ordinal)
                ? Edited(passed.Body, body => body["data"] = Reversed(body["data"]!.AsArray()))
                : null);

    [Fact]
    public Task Changes_that_lack_a_document_are_found() =>
        FindsAsync("rest.documents", "queries", passed =>
            passed.Status == 200 && passed.Path.StartsWith("/reviews/changes", StringComparison.Ordinal)
                ? Edited(passed.Body, body => RemoveLast(body["data"]!.AsArray()))
                : null);

    private static string Edited(string text, Action<JsonObject> edit)
    {
        var body = JsonNode.Parse(text)!.AsObject();
        edit(body);
        return body.ToJsonString();
    }

    private static JsonArray Reversed(JsonArray data) => [.. data.Reverse().Select(one => one!.DeepClone())];

    private static void RemoveLast(JsonArray data)
    {
        if (data.Count > 0) data.RemoveAt(data.Count - 1);
    }

    private async Task FindsAsync(
        string check, string kind, Func<Passed, string?> bug, params string[] withoutHeaders)
    {
        var real = shop.Control.Addresses;
        var address = (kind == "queries" ? real.Queries : real.Commands)[0];
        await using var proxy = new BreakingProxy(address.Url, bug, withoutHeaders);
        ShopAddress[] broken = [new("proxy", proxy.Url)];
        var addresses = kind == "queries" ? real with { Queries = broken } : real with { Commands = broken };
        List<string> found = [];
        for (var run = 0; run < MostRuns && !found.Contains(check); run++)
        {
            var (_, violations) = await shop.RunAsync(output, Seconds, "none", addresses);
            found = [.. violations.Select(violation => violation.Check).Distinct()];
        }

        found.ShouldContain(check);
    }
}
