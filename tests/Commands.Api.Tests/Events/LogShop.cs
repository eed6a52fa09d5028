using System.Net;
using System.Text;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>
/// The API over a log that only the test writes to. Events go through the outbox and the sequencer, in the order of
/// their numbers.
/// </summary>
public class LogShop : IAsyncLifetime
{
    public CommandsApp App { get; } = new();

    public virtual Task InitializeAsync() => App.InitializeAsync();

    public virtual Task DisposeAsync() => App.DisposeAsync();

    /// <summary>
    /// Appends events to the log: every fourth of an order, the others of products, with that many aggregates each; the
    /// types alternate.
    /// </summary>
    public async Task FillAsync(int first, int last, int aggregates = 60, int bytes = 0)
    {
        await ExecuteAsync(
            $$"""
            INSERT INTO shop.outbox (type, resource, aggregate_id, version, data)
            SELECT CASE WHEN n % 4 = 0 THEN (ARRAY['apexshop.order.placed', 'apexshop.order.status-changed',
                        'apexshop.order.deleted'])[1 + n % 3]
                    ELSE (ARRAY['apexshop.product.created', 'apexshop.product.updated',
                        'apexshop.product.stock-changed', 'apexshop.product.deleted'])[1 + n / 5 % 4] END,
                CASE WHEN n % 4 = 0 THEN 'orders' ELSE 'products' END, n * 7 % {{aggregates}}, n,
                    json_build_object('id', n * 7 % {{aggregates}}, 'version', n, 'filling', repeat('x', {{bytes}}),
                        'statusHistory', NULL)
            FROM generate_series({{first}}, {{last}}) AS n
            """);
        await SequenceAsync(App);
    }

    /// <summary>Moves everything that is in the outbox to the log.</summary>
    internal static async Task SequenceAsync(CommandsApp app)
    {
        await using var connection = new NpgsqlConnection(app.Database.Commands);
        await connection.OpenAsync();
        var head = new LogHeadSignal();
        var options = Options.Create(new OutboxOptions());
        var sequencer = new Sequencer(head, new LeaderLease(options, NullLogger<LeaderLease>.Instance), options);
        while (await sequencer.MoveAsync(new LeaderConnection(connection), term: 0, CancellationToken.None) > 0);
    }

    /// <summary>
    /// Gives the log another identity, as a leader does at a restored server, except for the position.
    /// </summary>
    public async Task<string> RestoreAsync(long common) => (await App.ScalarAsync<string>(
        $"""
        INSERT INTO shop.log_identities (generation, id, common_up_to, origin)
        SELECT max(generation) + 1, left(md5(gen_random_uuid()::text), 12), {common}, 'elsewhere'
        FROM shop.log_identities RETURNING id
        """))!;

    public async Task ExecuteAsync(string sql, int seconds = 30)
    {
        await using var command = App.Superuser.CreateCommand(sql);
        command.CommandTimeout = seconds;
        await command.ExecuteNonQueryAsync();
    }

    public async Task<EventsResponse> ReadAsync(string path)
    {
        using var response = await App.Http.GetAsync(path);
        return await EventsResponse.ReadAsync(response);
    }
}

/// <summary>A response of GET /events: its events, and the error line of an interrupted response.</summary>
public sealed record EventsResponse(IReadOnlyList<LogEntry> Events, string? Error, long Head)
{
    public IReadOnlyList<long> Positions => [.. Events.Select(entry => entry.Position)];

    public static async Task<EventsResponse> ReadAsync(HttpResponseMessage response)
    {
        var text = await response.Content.ReadAsStringAsync();
        response.StatusCode.ShouldBe(HttpStatusCode.OK, text);
        response.Content.Headers.ContentType!.MediaType.ShouldBe("application/x-ndjson");
        var lines = text.Split('\n', StringSplitOptions.RemoveEmptyEntries).ToList();
        var error = lines is [.., var last] && last.StartsWith("{\"error\"", StringComparison.Ordinal) ? last : null;
        if (error is not null) lines.RemoveAt(lines.Count - 1);
        text.ShouldEndWith(text.Length == 0 ? "" : "\n");
        return new EventsResponse(
            [.. lines.Select(line => CloudEvents.Read(Encoding.UTF8.GetBytes(line)))],
            error,
            long.Parse(response.Headers.GetValues("Log-Head").Single(), null));
    }
}
