using ApexShop.Commands.Api.Outbox;
using ApexShop.Resources;
using ApexShop.TestKit;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Outbox;

/// <summary>The lease and its term, without the processes that use them.</summary>
public sealed class LeaderLeaseTests : IAsyncLifetime
{
    // Longer than a loaded machine pauses between two statements.
    private static readonly TimeSpan length = TimeSpan.FromSeconds(6);

    private static readonly IOptions<OutboxOptions> options = Options.Create(new OutboxOptions { Lease = length });

    private readonly LogHeadSignal head = new();
    private readonly LeaderLease lease = new(options, NullLogger<LeaderLease>.Instance);
    private LogDatabase database = null!;

    public async Task InitializeAsync() => database = await LogDatabase.CreateAsync();

    public async Task DisposeAsync() => await database.DisposeAsync();

    [Fact]
    public async Task The_lease_is_taken_when_its_session_ends_or_does_not_renew_it_and_not_before()
    {
        var first = await OpenAsync();
        await using var second = await OpenAsync();
        await using var third = await OpenAsync();
        (await TakeAsync(first)).ShouldBe(1);
        (await TakeAsync(second)).ShouldBeNull();
        await first.DisposeAsync();
        await Eventually.Holds(async () => await TakeAsync(second) == 2, "the session has ended");

        (await TakeAsync(third)).ShouldBeNull();
        await Eventually.Holds(async () => await TakeAsync(third) == 3, "the lease has ended", 3 * length);
    }

    [Fact]
    public async Task A_lease_ends_with_its_session_however_long_it_is()
    {
        var lasting = new LeaderLease(
            Options.Create(new OutboxOptions { Lease = TimeSpan.FromHours(1) }), NullLogger<LeaderLease>.Instance);
        var first = await OpenAsync();
        var taken = await lasting.TakeAsync(new LeaderConnection(first), reachesBroker: false, CancellationToken.None);
        taken.Term.ShouldBe(1);
        await first.DisposeAsync();

        await using var second = await OpenAsync();
        await Eventually.Holds(async () => await TakeAsync(second) == 2, "the session has ended");
    }

    [Fact]
    public async Task A_move_renews_the_lease()
    {
        await using var leader = await OpenAsync();
        await using var standby = await OpenAsync();
        await TakeAsync(leader);
        for (var i = 0; i < 8; i++)
        {
            await Task.Delay(length / 6);
            await NewSequencer().MoveAsync(new LeaderConnection(leader), 1, CancellationToken.None);
            (await TakeAsync(standby)).ShouldBeNull();
        }
    }

    [Fact]
    public async Task A_sequencer_that_is_cancelled_leaves_the_rest_of_its_backlog()
    {
        const int Backlog = 2_000;
        await using (var writer = await database.Writer.OpenConnectionAsync())
            for (var id = 1; id <= Backlog; id++) await LogDatabase.WriteAsync(writer, Resource.Users.Name, id, 1);
        await using var leader = await OpenAsync();
        await TakeAsync(leader);
        var one = Options.Create(new OutboxOptions { Lease = length, SequencerBatch = 1 });
        using var ended = new CancellationTokenSource();

        var running = new Sequencer(head, lease, one).RunAsync(new LeaderConnection(leader), 1, ended.Token);
        await Eventually.Holds(async () => await database.HeadAsync() > 0, "it moves");
        await ended.CancelAsync();

        await Should.ThrowAsync<OperationCanceledException>(() => running);
        (await database.HeadAsync()).ShouldBeLessThan(Backlog);
    }

    [Fact]
    public async Task An_earlier_term_neither_sequences_nor_moves_the_cursor()
    {
        await using var hung = await OpenAsync();
        await using var other = await OpenAsync();
        await TakeAsync(hung);
        await database.WriteAsync(Resource.Users.Name, 1, 1);
        await Eventually.Holds(async () => await TakeAsync(other) == 2, "the lease has ended");

        await Should.ThrowAsync<LeaseLostException>(
            () => NewSequencer().MoveAsync(new LeaderConnection(hung), 1, CancellationToken.None));
        (await database.HeadAsync()).ShouldBe(0);
        await Should.ThrowAsync<LeaseLostException>(
            () => new LeaderConnection(hung).MovePublishedAsync(1, 1, CancellationToken.None));
        (await database.PublishedAsync()).ShouldBe(0);

        (await NewSequencer().MoveAsync(new LeaderConnection(other), 2, CancellationToken.None)).ShouldBe(1);
        await new LeaderConnection(other).MovePublishedAsync(1, 2, CancellationToken.None);
        (await database.HeadAsync(), await database.PublishedAsync()).ShouldBe((1, 1));
        await database.ShouldBeWholeAsync(1);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_statement_that_waits_for_a_take_over_is_refused(bool sequences)
    {
        await using var hung = await OpenAsync();
        await using var other = await OpenAsync();
        await TakeAsync(hung);
        await database.WriteAsync(Resource.Users.Name, 1, 1);
        await database.ExecuteAsync("UPDATE shop.leader SET expires_at = clock_timestamp()");
        await using var taking = await other.BeginTransactionAsync();
        (await TakeAsync(other)).ShouldBe(2);

        var late = sequences
            ? NewSequencer().MoveAsync(new LeaderConnection(hung), 1, CancellationToken.None)
            : new LeaderConnection(hung).MovePublishedAsync(1, 1, CancellationToken.None);
        await Eventually.Holds(
            async () => await database.ScalarAsync<long>($"""
                SELECT count(*) FROM pg_stat_activity WHERE pid = {hung.ProcessID} AND wait_event_type = 'Lock'
                """) == 1, "it waits");
        await taking.CommitAsync();

        await Should.ThrowAsync<LeaseLostException>(() => late);
        (await database.HeadAsync(), await database.PublishedAsync()).ShouldBe((0, 0));
    }

    [Fact]
    public async Task An_offered_lead_is_taken_only_by_a_process_that_reaches_the_broker()
    {
        await using var leader = await OpenAsync();
        await using var standby = await OpenAsync();
        await TakeAsync(leader);
        lease.IsOffered = true;
        await NewSequencer().MoveAsync(new LeaderConnection(leader), 1, CancellationToken.None);

        var other = new LeaderLease(options, NullLogger<LeaderLease>.Instance);
        var connection = new LeaderConnection(standby);
        (await other.TakeAsync(connection, reachesBroker: false, CancellationToken.None)).ShouldBe((null, true));
        (await other.TakeAsync(connection, reachesBroker: true, CancellationToken.None)).Term.ShouldBe(2);
    }

    private Sequencer NewSequencer() => new(head, lease, options);

    private async Task<long?> TakeAsync(NpgsqlConnection connection) =>
        (await lease.TakeAsync(new LeaderConnection(connection), reachesBroker: false, CancellationToken.None)).Term;

    private async Task<NpgsqlConnection> OpenAsync()
    {
        var connection = new NpgsqlConnection(database.Commands + ";Pooling=false");
        await connection.OpenAsync();
        return connection;
    }
}
