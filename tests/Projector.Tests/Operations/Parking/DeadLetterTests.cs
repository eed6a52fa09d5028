using System.Net;
using System.Net.Http.Json;
using System.Text;
using ApexShop.Messaging;
using ApexShop.Operations;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Operations;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using ApexShop.TestKit;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Projector.Tests.Operations.Parking;

public sealed class DeadLetterTests(ReadStore store) : QueueTest(store)
{
    [Theory]
    [InlineData("not json")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("")]
    [InlineData("""[{"type":17}]""")]
    [InlineData("""[{"id":"none"}]""")]
    [InlineData("""[{"type":"a","subject":"carts/1","sequence":"1","previous":"0","data":{}}]""")]
    [InlineData("""[{"type":"a","subject":"products/1","sequence":"0","previous":"0","data":{}}]""")]
    public async Task A_body_that_cannot_be_read_is_kept_whole_and_delays_no_other_message(string body)
    {
        await using var projector = await StartAsync();
        await SendAsync(Encoding.UTF8.GetBytes(body));
        await SendAsync(TestProjector.Message([History.Product(10, "Pen")]));

        await CaughtUpAsync();
        await LettersAsync(1);
        var letter = await Projector.Letters.FindAsync(
            (await Projector.Letters.ListAsync(0, 10, CancellationToken.None)).Single().Id, CancellationToken.None);
        letter.ShouldNotBeNull();
        (letter.Body, letter.IsWhole, letter.Encoding, letter.ContentType)
            .ShouldBe((body, true, "utf-8", Topology.ContentType));
        letter.Reason.ShouldNotBeNullOrEmpty();
        (await Channel.MessageCountAsync(Dead)).ShouldBe(0u);
    }

    [Fact]
    public async Task A_dead_letter_has_the_media_type_without_its_parameters()
    {
        await using var projector = await StartAsync();
        await SendAsync("not json"u8.ToArray(), "Text/Plain; charset=utf-8");

        await LettersAsync(1);
        (await Store.ScalarAsync<string>("SELECT content_type FROM read.dead_letters")).ShouldBe("Text/Plain");
    }

    [Fact]
    public async Task The_other_events_of_a_message_with_an_unreadable_one_are_applied_without_a_later_message()
    {
        await using var projector = await StartAsync();
        await SendAsync(TestProjector.Message([History.Category(1, "Books")]));
        await CaughtUpAsync();
        var whole = Encoding.UTF8.GetString(
            TestProjector.Message(
                [History.Product(10, "Pen"), History.Product(11, "Ink"), History.Product(12, "Cap")]));
        var torn = whole.Replace("\"subject\":\"products/11\"", "\"subject\":\"products\"", StringComparison.Ordinal);
        torn.ShouldNotBe(whole);

        await SendAsync(Encoding.UTF8.GetBytes(torn));

        // Far below the half minute after which the log is looked into unasked.
        await Eventually.Holds(
            async () => await Store.ScalarAsync<long>("SELECT count(*) FROM read.products") == 3,
            "they are there",
            TimeSpan.FromSeconds(20));
        await LettersAsync(1);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task A_dead_letter_waits_in_its_queue_while_the_database_is_unavailable()
    {
        var database = Store.Database.Name;
        await using (var first = await StartAsync())
        {
            await Store.ExecuteAsync($"REVOKE CONNECT ON DATABASE {database} FROM projector");
            try
            {
                await Store.ExecuteAsync(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'projector' AND datname "
                    + $"= '{database}'");
                await SendAsync("one"u8.ToArray());
                await Eventually.Holds(
                    () => first.Logs.Lines.Any(line => line.Contains("waits in its queue", StringComparison.Ordinal)),
                    "it waits");
                await first.StopAsync().WaitAsync(TimeSpan.FromSeconds(25));
            }
            finally
            {
                await Store.ExecuteAsync($"GRANT CONNECT ON DATABASE {database} TO projector");
            }
        }

        // The broker gives it back to the queue a moment after its channel has closed.
        await Eventually.Holds(async () => await Channel.MessageCountAsync(Dead) == 1, "the letter is in the queue");
        await using var second = await StartAsync();

        await LettersAsync(1);
        await Eventually.Holds(async () => await Channel.MessageCountAsync(Dead) == 0, "the queue is empty");
    }

    [Fact]
    public async Task A_dead_letter_that_is_delivered_again_after_a_crash_is_the_same_one()
    {
        for (var i = 0; i < 2; i++)
            await Projector.Letters.SaveAsync("again"u8.ToArray(), null, $"reason {i}", CancellationToken.None);
        await Projector.Letters.SaveAsync("another"u8.ToArray(), null, "reason", CancellationToken.None);

        var letters = await Projector.Letters.ListAsync(0, 10, CancellationToken.None);

        letters.Select(letter => (letter.Excerpt, letter.Times)).ShouldBe([("again", 2), ("another", 1)]);
        letters[0].Reason.ShouldBe("reason 1");
    }

    [Fact]
    public async Task The_queue_is_durable_and_when_full_refuses_messages_instead_of_dropping_the_oldest()
    {
        await (await StartAsync()).DisposeAsync();

        // Declared with anything else, it would close the Channel.
        await Channel.QueueDeclareAsync(
            Dead, durable: true, exclusive: false, autoDelete: false, new Dictionary<string, object?>
        {
            ["x-queue-type"] = "quorum", ["x-max-length-bytes"] = 1L << 30, ["x-overflow"] = "reject-publish",
        });
        await using var other = await Connection.CreateChannelAsync();
        await Should.ThrowAsync<OperationInterruptedException>(
            () => other.QueueDeclareAsync(Dead, durable: true, exclusive: false, autoDelete: false));
    }

    [Fact]
    public async Task A_dead_letter_that_can_be_read_now_is_applied_and_deleted_and_another_stays_with_its_new_reason()
    {
        History.Product(9, "In the log only");
        await Projector.Letters.SaveAsync(
            TestProjector.Message([History.Product(10, "Pen"), History.Product(11, "Ink")]),
            null,
            "an older program",
            CancellationToken.None);
        await Projector.Letters.SaveAsync("[{\"type\":17}]"u8.ToArray(), null, "old reason", CancellationToken.None);
        var ids = (await Projector.Letters.ListAsync(0, 10, CancellationToken.None)).Select(
            letter => letter.Id).ToList();

        var dry = await Projector.LetterReplayer.ReplayAsync(ids[0], dryRun: true, CancellationToken.None);
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(0);
        var real = await Projector.LetterReplayer.ReplayAsync(ids[0], dryRun: false, CancellationToken.None);
        var refused = await Projector.LetterReplayer.ReplayAsync(ids[1], dryRun: false, CancellationToken.None);

        real.ShouldBe(
            new DeadLetterReplay(ids[0], false, DeadLetterReplay.Applied, Resource.Products.Name, 2, 0, null));
        dry.ShouldBe(real! with { DryRun = true });
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        refused.ShouldNotBeNull().Outcome.ShouldBe(DeadLetterReplay.Refused);
        var left = (await Projector.Letters.ListAsync(0, 10, CancellationToken.None)).Single();
        (left.Id, left.Reason).ShouldBe((ids[1], refused.Reason!));
        left.Reason.ShouldNotBe("old reason");
        (await Projector.LetterReplayer.ReplayAsync(ids[0], dryRun: false, CancellationToken.None)).ShouldBeNull();
    }

    [Fact]
    public async Task A_dead_letter_stays_while_its_events_cannot_be_applied()
    {
        History.Product(9, "In the log only");
        await Projector.Letters.SaveAsync(
            TestProjector.Message([History.Product(10, "Pen")]), null, "an older program", CancellationToken.None);
        var id = (await Projector.Letters.ListAsync(0, 10, CancellationToken.None)).Single().Id;
        History.Available = false;

        await Should.ThrowAsync<EventLogException>(
            () => Projector.LetterReplayer.ReplayAsync(id, dryRun: false, CancellationToken.None));

        (await Projector.Letters.ListAsync(0, 10, CancellationToken.None)).ShouldHaveSingleItem();
    }

    [Fact]
    public async Task A_replay_of_all_refuses_the_letter_whose_events_are_in_no_log_and_continues_after_it()
    {
        var pen = History.Product(10, "Pen");
        await Projector.Letters.SaveAsync(
            TestProjector.Message([pen with { Position = 5, Previous = 4 }]), null, "too late", CancellationToken.None);
        await Projector.Letters.SaveAsync(TestProjector.Message([pen]), null, "too early", CancellationToken.None);
        await using var projector = await StartAsync();

        using var answer = await projector.Operator.PostAsync(
            new Uri("/admin/dead-letters/replay", UriKind.Relative), null);

        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        var replays = (await answer.Content.ReadFromJsonAsync(OperationsJson.Default.DeadLetterReplays))!;
        (replays.Refused, replays.Applied).ShouldBe((1, 1));
        var left = (await Projector.Letters.ListAsync(0, 10, CancellationToken.None)).Single();
        left.Reason.ShouldStartWith("The event log ");
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task A_body_is_shown_as_text_where_possible_and_only_up_to_a_limit()
    {
        var large = new byte[(1 << 20) + 10];
        Array.Fill(large, (byte)'x');
        "\u20AC"u8.CopyTo(large.AsSpan((1 << 20) - 1));
        await Projector.Letters.SaveAsync(large, null, "too large", CancellationToken.None);
        await Projector.Letters.SaveAsync(
            (byte[])[0xFF, 0x00, 0x1B, (byte)'a'], null, "nul \0", CancellationToken.None);

        var letters = await Projector.Letters.ListAsync(0, 10, CancellationToken.None);
        var first = await Projector.Letters.FindAsync(letters[0].Id, CancellationToken.None);
        var second = await Projector.Letters.FindAsync(letters[1].Id, CancellationToken.None);

        (first.ShouldNotBeNull().Bytes, first.IsWhole, first.Encoding, first.Body.Length)
            .ShouldBe((large.Length, false, "utf-8", (1 << 20) - 1));
        letters[0].Excerpt.Length.ShouldBe(200);
        (second.ShouldNotBeNull().Encoding, second.Body, letters[1].Excerpt).ShouldBe(("base64", "/wAbYQ==", "...a"));
    }

    private Task CaughtUpAsync() => Eventually.Holds(
        async () => await Store.ScalarAsync<long>(
            "SELECT max(position) FROM read.checkpoints") == History.Entries.Count, "every event is applied");

    private Task LettersAsync(int count) => Eventually.Holds(
        async () => await Store.ScalarAsync<long>("SELECT count(*) FROM read.dead_letters") == count,
        "the letter is kept");

    private async Task SendAsync(byte[] body, string contentType = Topology.ContentType)
    {
        var properties = new BasicProperties { ContentType = contentType, Persistent = true };
        await Channel.BasicPublishAsync(Exchange, Resource.Products.Name, mandatory: true, properties, body);
    }
}
