using System.Net;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using ApexShop.Commands.Api.Tests.Events;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Persistence;

/// <summary>
/// A primary whose replica does not respond: that of a cluster which was replaced and does not know it yet. A server of
/// its own for each test, because the setting is that of a server.
/// </summary>
public sealed class PrimaryCheckTests : IAsyncLifetime
{
    private readonly ReplicatedShop shop = new();

    public Task InitializeAsync() => shop.InitializeAsync();

    public Task DisposeAsync() => shop.DisposeAsync();

    [Fact]
    public async Task A_stored_response_is_sent_when_the_replica_has_it()
    {
        var first = await CreateAsync("first");
        first.Answer.Status.ShouldBe(HttpStatusCode.Created, first.Answer.Text);
        await shop.LoseReplicaAsync();

        var repeated = CreateAsync("first");
        await Eventually.Holds(async () => await shop.WaitingAsync() == 1, "its commit waits for the replica");
        repeated.IsCompleted.ShouldBeFalse();

        await shop.RegainReplicaAsync();
        (await repeated).ShouldRepeat(first);
    }

    [Fact]
    public async Task What_was_only_read_is_promised_when_the_replica_responds()
    {
        await shop.LoseReplicaAsync();
        (HttpRequestMessage Request, HttpStatusCode Status)[] all =
        [
            (new(HttpMethod.Get, "/events?after=1&log=000000000000"), HttpStatusCode.Gone),
            (new(HttpMethod.Get, "/events?after=1"), HttpStatusCode.OK),
            (new(HttpMethod.Delete, "/orders/bulk-delete-old?olderThanDays=30000"), HttpStatusCode.OK),
            (new(HttpMethod.Delete, "/products/bulk") { Content = JsonContent.Create(new[] { 7 }) },
                HttpStatusCode.OK),
            (new(HttpMethod.Patch, "/users/bulk-deactivate-inactive?inactiveDays=30000"), HttpStatusCode.OK),
        ];

        // Both reads of the log wait for one check of its end.
        await ShouldWaitAsync(all, commits: all.Length - 1);
    }

    [Fact]
    public async Task A_command_is_refused_when_the_replica_has_what_it_has_read()
    {
        var person = new { email = "a@b.invalid", firstName = "A", lastName = "B", password = "eight or more" };
        (await shop.Http.PostAsJsonAsync("/categories", new { name = "Lights" })).EnsureSuccessStatusCode();
        (await shop.Http.PostAsJsonAsync("/users", person)).EnsureSuccessStatusCode();
        await shop.LoseReplicaAsync();
        (HttpRequestMessage Request, HttpStatusCode Status)[] all =
        [
            (new(HttpMethod.Post, "/users/bulk") { Content = JsonContent.Create(new[] { person }) },
                HttpStatusCode.Conflict),
            (new(HttpMethod.Patch, "/users/1000") { Content = JsonContent.Create(new { password = "another one" }) },
                HttpStatusCode.NotFound),
            (new(HttpMethod.Delete, "/categories/1000"), HttpStatusCode.NotFound),
            (new(HttpMethod.Delete, "/categories/1") { Headers = { IfMatch = { new("\"7\"") } } },
                HttpStatusCode.PreconditionFailed),
            // A constraint of the database refuses it.
            (new(HttpMethod.Post, "/users") { Content = JsonContent.Create(person) }, HttpStatusCode.Conflict),
        ];

        await ShouldWaitAsync(all, commits: all.Length);
    }

    [Fact]
    public async Task Events_are_sent_when_the_replica_has_them()
    {
        using var line = await SseClient.OpenAsync(shop.Http, "/events/live?after=0");
        await shop.AddVisibleEventAsync();
        (await line.TakeAsync(1)).ShouldBe([1]);
        (await shop.Http.GetAsync("/events")).EnsureSuccessStatusCode();
        await shop.LoseReplicaAsync();
        await shop.AddVisibleEventAsync();

        var page = shop.Http.GetStringAsync("/events");
        var followed = line.TakeAsync(1);
        await Eventually.Holds(async () => await shop.WaitingAsync() == 2, "both wait for the replica");
        (page.IsCompleted, followed.IsCompleted).ShouldBe((false, false));

        await shop.RegainReplicaAsync();
        (await page).Split('\n', StringSplitOptions.RemoveEmptyEntries).Length.ShouldBe(2);
        (await followed).ShouldBe([2]);
    }

    [Fact]
    public async Task A_reader_that_disconnects_does_not_confirm_the_end_of_the_log_for_others()
    {
        await shop.LoseReplicaAsync();
        await shop.AddVisibleEventAsync();
        using var gone = new CancellationTokenSource();
        var left = shop.Http.GetAsync("/events", gone.Token);
        await Eventually.Holds(async () => await shop.WaitingAsync() == 1, "it waits for the replica");
        await gone.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(left);
        await Eventually.Holds(async () => await shop.WaitingAsync() == 0, "its wait has ended");

        var page = shop.Http.GetStringAsync("/events");
        await Eventually.Holds(async () => await shop.WaitingAsync() == 1, "the next one waits, too");
        page.IsCompleted.ShouldBeFalse();

        await shop.RegainReplicaAsync();
        (await page).Split('\n', StringSplitOptions.RemoveEmptyEntries).Length.ShouldBe(1);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_caller_that_disconnects_does_not_end_the_wait_of_the_commit(bool hasKey)
    {
        await shop.LoseReplicaAsync();

        using var gone = new CancellationTokenSource();
        using var request = new HttpRequestMessage(HttpMethod.Post, "/categories")
        {
            Content = JsonContent.Create(new { name = "Lights" }),
        };
        if (hasKey) request.Headers.Add("Idempotency-Key", "gone");
        var response = shop.Http.SendAsync(request, gone.Token);
        await Eventually.Holds(async () => await shop.WaitingAsync() == 1, "the commit waits for the replica");
        await gone.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(response);

        // A cancelled commit ends within milliseconds.
        await Task.Delay(TimeSpan.FromSeconds(1));
        (await shop.WaitingAsync()).ShouldBe(1);
        (await CategoriesAsync()).ShouldBe(0);
        await shop.RegainReplicaAsync();
        await Eventually.Holds(async () => await CategoriesAsync() == 1, "it is committed");
    }

    private async Task ShouldWaitAsync((HttpRequestMessage Request, HttpStatusCode Status)[] all, int commits)
    {
        var responses = all.Select(one => shop.Http.SendAsync(one.Request)).ToList();
        await Eventually.Holds(async () => await shop.WaitingAsync() == commits, "all wait for the replica");
        responses.ShouldAllBe(response => !response.IsCompleted);

        await shop.RegainReplicaAsync();
        (await Task.WhenAll(responses)).Select(response => response.StatusCode)
            .ShouldBe(all.Select(one => one.Status));
    }

    private Task<KeyedResponse> CreateAsync(string key) =>
        shop.Http.SendKeyedAsync(key, HttpMethod.Post, "/categories", new { name = "Lights" });

    private Task<long> CategoriesAsync() => shop.ScalarAsync<long>("SELECT count(*) FROM shop.categories");
}
