using System.Buffers.Text;
using System.Diagnostics;
using System.Net;
using System.Text;
using ApexShop.Consistency;
using ApexShop.Queries.Api.Tests.Caching;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Consistency;

public sealed class ConsistencyTokenTests(ConsistencyTokenTests.Shop shop) : IClassFixture<ConsistencyTokenTests.Shop>
{
    // Of a response that waits for no change, or for a fraction of a second, on a loaded machine.
    private static readonly TimeSpan longest = TimeSpan.FromSeconds(20);

    private static readonly string[] paths =
        ["products/{0}", "products/v2?pageSize=30", "products/cursor?pageSize=30", "products/stream"];

    public sealed class Shop : CachedShop
    {
        // No pause of this machine makes a wait as long.
        private protected override QueriesApp Configure(QueriesApp queries) =>
            base.Configure(queries).With("Consistency:WaitMilliseconds", 60_000);
    }

    /// <summary>
    /// A writer that commits late and raises its tags even later, and readers that have the tokens of its changes.
    /// </summary>
    [Fact]
    public async Task Two_thousand_reads_after_writes_show_the_writes_and_few_wait_long()
    {
        const int Writers = 8;
        var times = await Task.WhenAll(
            FewOfEach.Living.Take(Writers).Select(id => WriteAndReadAsync(id, 2_000 / Writers)));
        // A pause of this machine delays one read of each writer; five pauses are allowed.
        times.SelectMany(one => one).Order().ElementAt(1_959).ShouldBeLessThan(TimeSpan.FromSeconds(2));
    }

    [Theory, ClassData(typeof(Endpoints.EveryResource))]
    public async Task A_deletion_is_shown_by_its_tombstone(string resource)
    {
        (await shop.Http.GetAsync($"{resource}/29")).EnsureSuccessStatusCode();
        await shop.DeleteAsync(resource, [29]);

        using var gone = await GetAsync($"{resource}/29", Token(resource, 29, 2));
        await gone.ShouldBeProblemAsync(HttpStatusCode.NotFound, "document.not_found");
        using var page = await GetAsync($"{resource}/v2?pageSize=50", Token(resource, 29, 2));
        (await page.Content.ReadAsStringAsync()).ShouldNotContain("\"id\":29,");
    }

    [Theory]
    [InlineData("products/1")]
    [InlineData("users/1")]
    [InlineData("products")]
    [InlineData("orders/v2")]
    [InlineData("reviews/cursor")]
    [InlineData("products/stream")]
    public async Task A_change_that_is_not_shown_in_time_is_503_and_never_old_data(string path)
    {
        await using var app = new QueriesApp(shop.Database.Queries).WithCache()
            .WithKey(0, ReadShop.Key, Access.Scopes.OrdersRead, Access.Scopes.UsersRead)
            .With("Consistency:WaitMilliseconds", 200);
        using var http = app.CreateClient();
        http.DefaultRequestHeaders.Authorization = new("Bearer", ReadShop.Key);
        (await http.GetAsync(path)).EnsureSuccessStatusCode();

        foreach (var token in (string[])[Token("categories", 1, 1_000_000), Token("products", 999_999, 1)])
        {
            var time = Stopwatch.StartNew();
            using var late = await http.GetAsync(path, ConsistencyToken.Header, token);
            await late.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "consistency.not_reached");
            late.Headers.RetryAfter.ShouldNotBeNull();
            time.Elapsed.ShouldBeInRange(TimeSpan.FromMilliseconds(100), longest);
        }
    }

    [Fact]
    public async Task Every_one_of_several_tokens_is_waited_for()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Consistency:WaitMilliseconds", 200);
        using var http = app.CreateClient();
        string shown = Token("categories", 1, 1), late = Token("products", 1, 1_000_000);
        foreach (var tokens in (string[])[$"{shown},{late}", $"{late}, {shown}", $"{late}, {Token("products", 1, 1)}"])
        {
            using var answer = await http.GetAsync("products/1", ConsistencyToken.Header, tokens);
            await answer.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "consistency.not_reached");
        }

        var eight = string.Join(", ", Enumerable.Repeat(shown, 8));
        using var seen = await GetAsync("products/1", eight);
        seen.StatusCode.ShouldBe(HttpStatusCode.OK);
        foreach (var wrong in (string[])[$"{eight}, {shown}", $"{shown}, ", $"{shown}, x"])
        {
            using var answer = await http.GetAsync("products/1", ConsistencyToken.Header, wrong);
            await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "consistency.token_malformed");
        }
    }

    [Fact]
    public async Task A_database_that_hangs_does_not_make_the_wait_longer()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Consistency:WaitMilliseconds", 200);
        using var http = app.CreateClient();
        (await http.GetAsync("products/1")).EnsureSuccessStatusCode();
        await using var locked = await shop.LockAsync("read.products");

        var time = Stopwatch.StartNew();
        using var late = await http.GetAsync("products/1", ConsistencyToken.Header, Token("products", 1, 1));

        await late.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "consistency.not_reached");
        time.Elapsed.ShouldBeLessThan(TimeSpan.FromSeconds(8), "a statement may take ten");
    }

    /// <summary>After a restore, a document that was undone may have the id and the version of a new one.</summary>
    [Fact]
    public async Task A_token_is_refused_while_the_documents_may_be_of_another_log()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Consistency:WaitMilliseconds", 200);
        using var http = app.CreateClient();
        await shop.ExecuteAsync("UPDATE read.projection_state SET origin = NULL, log_id = 'aaaaaaaaaaaa'");
        try
        {
            using var undone = await http.GetAsync("products/1", ConsistencyToken.Header, Token("products", 1, 1));
            await undone.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "consistency.not_reached");
        }
        finally
        {
            await shop.ExecuteAsync("UPDATE read.projection_state SET log_id = NULL");
        }

        using var seen = await GetAsync("products/1", Token("products", 1, 1));
        seen.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    /// <summary>A command that changes two resources, such as an order and its products.</summary>
    [Fact]
    public async Task Every_change_of_a_token_is_waited_for()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Consistency:WaitMilliseconds", 200);
        using var http = app.CreateClient();
        ConsistencyToken.Change shown = new("categories", 1, 1), late = new("reviews", 1, 1_000_000);
        foreach (var changes in (ConsistencyToken.Change[][])[[shown, late], [late, shown]])
        {
            using var answer = await http.GetAsync(
                "products/1", ConsistencyToken.Header, TestKeys.Tokens.Write(new ConsistencyToken(changes)));
            await answer.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "consistency.not_reached");
        }
    }

    [Theory]
    [InlineData("nonsense")]
    [InlineData("\"3\"")]
    [InlineData("MSBwcm9kdWN0cw")]
    public async Task An_invalid_token_is_rejected(string token)
    {
        foreach (var path in (string[])["products/1", "products/v2", "products/stream"])
        {
            using var answer = await GetAsync(path, token);
            await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "consistency.token_malformed");
        }
    }

    /// <summary>A client that could make a token could let each request wait and read past the cache.</summary>
    [Fact]
    public async Task A_token_that_is_not_signed_with_the_key_of_the_shop_is_rejected_at_once()
    {
        var change = new ConsistencyToken([new("products", 1, long.MaxValue)]);
        var foreign = new ConsistencyTokens(TestKeys.Cursors).Write(change);
        var unsigned = Base64Url.EncodeToString(Encoding.UTF8.GetBytes($"1 products.1.{long.MaxValue}"));
        foreach (var token in new[] { foreign, unsigned })
        {
            var time = Stopwatch.StartNew();
            using var answer = await GetAsync("products/1", token);
            await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "consistency.token_malformed");
            time.Elapsed.ShouldBeLessThan(longest);
        }
    }

    [Fact]
    public async Task The_token_of_a_command_that_changed_nothing_is_always_fulfilled()
    {
        using var answer = await GetAsync("products/1", TestKeys.Tokens.Write(new ConsistencyToken([])));
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_token_reveals_nothing_that_needs_a_scope()
    {
        using var stranger = shop.App.CreateClient();
        using var answer = await stranger.GetAsync("users/1", ConsistencyToken.Header, Token("users", 1, 1));
        answer.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
    }

    private async Task<List<TimeSpan>> WriteAndReadAsync(int id, int pairs)
    {
        var random = new Random(id);
        var times = new List<TimeSpan>();
        var raises = new List<Task>();
        for (var version = 2; version <= pairs + 1; version++)
        {
            var path = string.Format(
                System.Globalization.CultureInfo.InvariantCulture, paths[random.Next(paths.Length)], id);
            // Another request has just filled the cache with the current state.
            if (random.Next(3) == 0) await shop.Http.GetByteArrayAsync(path);
            var (commitAfter, raiseAfter) = (random.Next(25), random.Next(60));
            raises.Add(WriteAsync(id, version, commitAfter, raiseAfter));

            var time = Stopwatch.StartNew();
            using var answer = await GetAsync(path, Token("products", id, version));
            times.Add(time.Elapsed);
            var text = await answer.Content.ReadAsStringAsync();
            answer.StatusCode.ShouldBe(HttpStatusCode.OK, text);
            text.ShouldContain($"{{\"id\":{id},\"version\":{version}}}");
        }

        await Task.WhenAll(raises);
        return times;
    }

    private async Task WriteAsync(int id, int version, int commitAfter, int raiseAfter)
    {
        await Task.Delay(commitAfter);
        await shop.ExecuteAsync(
            """
            WITH raised AS (
                UPDATE read.segments SET version = version + 1 WHERE kind = 'products' AND segment = $1 / 500)
            UPDATE read.products SET version = $2, revision = revision + 1, body = convert_to($3, 'UTF8') WHERE id = $1
            """,
            id,
            (long)version,
            $"{{\"id\":{id},\"version\":{version}}}");
        await Task.Delay(raiseAfter);
        await shop.Tags.RaiseAsync($"products:{id}", "products");
    }

    private static string Token(string resource, int id, long version) =>
        TestKeys.Tokens.Write(new ConsistencyToken([new(resource, id, version)]));

    private Task<HttpResponseMessage> GetAsync(string path, string token) =>
        shop.Http.GetAsync(path, ConsistencyToken.Header, token);
}
