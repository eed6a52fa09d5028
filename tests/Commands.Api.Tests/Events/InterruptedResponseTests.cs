using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.Commands.Api.Events;
using ApexShop.Events;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>Interrupted responses, on a log that is larger than any socket buffer.</summary>
public sealed class InterruptedResponseTests(InterruptedResponseTests.Log log)
    : IClassFixture<InterruptedResponseTests.Log>
{
    private const int Count = 3_000;

    public sealed class Log : LogShop
    {
        public override async Task InitializeAsync()
        {
            await base.InitializeAsync();
            for (var first = 1; first <= Count; first += 500) await FillAsync(first, first + 499, bytes: 20_000);
        }
    }

    [Fact]
    public async Task A_database_failure_midway_is_the_last_line_and_another_request_resumes_after_it()
    {
        await using var app = CommandsApp.Start(log.App.Database.Commands, ("Events:StallSeconds", "3600"));
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        using var answer = await http.GetAsync("/events", HttpCompletionOption.ResponseHeadersRead);
        await log.App.ScalarAsync<object>("ALTER TABLE shop.events RENAME TO unavailable");
        EventsResponse broken;
        try
        {
            broken = await EventsResponse.ReadAsync(answer);
        }
        finally
        {
            await log.App.ScalarAsync<object>("ALTER TABLE shop.unavailable RENAME TO events");
        }

        var error = JsonElement.Parse(broken.Error!).GetProperty("error");
        error.GetProperty("code").GetString().ShouldBe("database.unavailable");
        error.GetProperty("after").GetInt64().ShouldBe(broken.Positions[^1]);
        error.GetProperty("traceId").GetString().ShouldNotBeNullOrEmpty();
        var rest = await log.ReadAsync($"/events?after={broken.Positions[^1]}");
        broken.Positions.Concat(rest.Positions).ShouldBe(Enumerable.Range(1, Count).Select(n => (long)n));
        rest.Error.ShouldBeNull();
    }

    [Fact]
    public async Task An_address_that_is_not_resolved_midway_is_the_last_line_too()
    {
        await using var database = new UnresolvedDatabase(log.App.Database.Commands);
        await using var app = database.Start();
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        using var answer = await http.GetAsync("/events", HttpCompletionOption.ResponseHeadersRead);
        database.IsResolved = false;
        var broken = await EventsResponse.ReadAsync(answer);

        var error = JsonElement.Parse(broken.Error!).GetProperty("error");
        error.GetProperty("code").GetString().ShouldBe("database.unavailable");
        error.GetProperty("after").GetInt64().ShouldBe(broken.Positions[^1]);
    }

    [Fact]
    public async Task An_address_that_is_not_resolved_ends_a_live_response_after_its_last_event()
    {
        await using var database = new UnresolvedDatabase(log.App.Database.Commands);
        await using var app = database.Start();
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        using var live = await SseClient.OpenAsync(http, "/events/live?after=0");
        (await live.NextEventAsync()).ShouldNotBeNull();
        database.IsResolved = false;

        var count = 1;
        while (await live.NextEventAsync() is not null) count++;
        count.ShouldBeInRange(1, Count - 1);
    }

    [Fact]
    public async Task A_process_that_stops_ends_its_responses_with_a_line_that_has_the_position_to_resume_after()
    {
        var app = CommandsApp.Start(log.App.Database.Commands, ("Events:StallSeconds", "3600"));
        await using var running = app;
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        using var answer = await http.GetAsync("/events", HttpCompletionOption.ResponseHeadersRead);

        var stopping = app.Services.GetRequiredService<IHost>().StopAsync();
        var stopped = await EventsResponse.ReadAsync(answer);
        await stopping;

        var error = JsonElement.Parse(stopped.Error!).GetProperty("error");
        error.GetProperty("code").GetString().ShouldBe("process.stopping");
        error.GetProperty("after").GetInt64().ShouldBe(stopped.Positions[^1]);
        stopped.Positions.ShouldBe(Enumerable.Range(1, stopped.Positions.Count).Select(n => (long)n));
    }

    [Theory]
    [InlineData("another key", "access.key_required")]
    [InlineData("a key", "access.scope_missing")]
    public async Task A_key_that_may_not_read_the_events_any_more_ends_its_response(string left, string code)
    {
        using var file = new KeyFile();
        file.Write("a key", Scopes.EventsRead, Scopes.OrdersRead);
        await using var app = CommandsApp.Start(log.App.Database.Commands, ("Events:StallSeconds", "3600"))
            .WithWebHostBuilder(host => host.ConfigureAppConfiguration((_, configuration) =>
                configuration.AddJsonFile(file.Path, optional: false, reloadOnChange: true)));
        app.UseKestrel();
        using var http = CommandsApp.Client(app, "a key");
        using var answer = await http.GetAsync("/events?resource=orders", HttpCompletionOption.ResponseHeadersRead);
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);

        file.Write(left, Scopes.EventsRead);
        await Eventually.Holds(
            async () => !(await http.GetAsync("/events?resource=orders&limit=1")).IsSuccessStatusCode,
            "the key is refused");
        var ended = await EventsResponse.ReadAsync(answer);

        var error = JsonElement.Parse(ended.Error!).GetProperty("error");
        error.GetProperty("code").GetString().ShouldBe(code);
        error.GetProperty("after").GetInt64().ShouldBe(ended.Positions[^1]);
    }

    [Fact]
    public async Task A_response_ends_at_the_head_of_the_log_at_the_time_of_the_request_however_slowly_it_is_read()
    {
        await using var app = CommandsApp.Start(log.App.Database.Commands, ("Events:StallSeconds", "3600"));
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        using var answer = await http.GetAsync("/events?after=500", HttpCompletionOption.ResponseHeadersRead);
        var head = long.Parse(answer.Headers.GetValues("Log-Head").Single(), null);
        await log.App.ScalarAsync<object>(
            """
            WITH head AS (UPDATE shop.log_positions SET position = position + 1 WHERE name = 'head' RETURNING position)
            INSERT INTO shop.events (position, previous, event_id, type, resource, aggregate_id, version, time, data)
            SELECT position, 0, gen_random_uuid(), 'apexshop.user.created', 'users', 1, 1, now(), '{"id":1,"version":1}'
                FROM head
            """);

        (await EventsResponse.ReadAsync(answer)).Positions[^1].ShouldBe(head);

        await log.App.ScalarAsync<object>(
            "DELETE FROM shop.events WHERE resource = 'users'; UPDATE shop.log_positions SET position = position "
            + "- 1 WHERE name = 'head'");
    }

    /// <summary>The process polls rarely and is not notified, so it does not know the new identity.</summary>
    [Fact]
    public async Task A_live_response_that_is_far_behind_has_no_event_of_another_log()
    {
        await using var app = CommandsApp.Start(
            log.App.Database.Commands, ("Events:StallSeconds", "3600"), ("Events:PollInterval", "00:01:00"));
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        using var live = await SseClient.OpenAsync(http, "/events/live?after=0");
        var logId = live.Headers.GetValues("Log-Id").Single();
        var tail = app.Services.GetRequiredService<LogTail>();
        await Eventually.Holds(() => tail.Buffer.LogId == logId, "the process has read the head of the log");

        (await live.NextEventAsync()).ShouldNotBeNull();
        await log.RestoreAsync(common: 0);

        var count = 1;
        while (await live.NextEventAsync() is { } record)
        {
            CloudEvents.Read(Encoding.UTF8.GetBytes(record.Data!)).LogId.ShouldBe(logId, $"event {record.Id}");
            count++;
        }

        count.ShouldBeInRange(1, Count - 1);
        tail.Buffer.LogId.ShouldBe(logId);
    }

    [Fact]
    public async Task Clients_that_do_not_read_hold_no_connection_to_the_database()
    {
        await using var app = CommandsApp.Start(
            log.App.Database.Commands, ("Events:StallSeconds", "3600"), ("Events:Connections", "1"));
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        var stalled = new List<Socket>();
        for (var i = 0; i < 5; i++) stalled.Add(await StalledAsync(http));

        using var answer = await http.GetAsync("/events?limit=300");
        (await EventsResponse.ReadAsync(answer)).Events.Count.ShouldBe(300);
        stalled.ForEach(socket => socket.Dispose());
    }

    [Fact]
    public async Task A_client_that_reads_too_slowly_is_disconnected()
    {
        await using var app = CommandsApp.Start(
            log.App.Database.Commands, ("Events:StallSeconds", "10"), ("Events:SlowestBytesPerSecond", "1000000000"));
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        using var requests = new InstrumentSum(app.Services, "http.server.active_requests");
        using var socket = await StalledAsync(http);
        requests.Value.ShouldBe(1);

        await Eventually.Holds(() => requests.Value == 0, "the request was aborted");

        // The connection is reset after the buffered bytes; the response does not end.
        var (buffer, received, last) = (new byte[64 * 1024], 0L, "");
        try
        {
            while (await socket.ReceiveAsync(buffer) is > 0 and var count)
                (received, last) = (received + count, Encoding.ASCII.GetString(buffer, 0, count));
        }
        catch (SocketException)
        {
            last = "";
        }

        received.ShouldBeLessThan(Count * 20_000L);
        last.ShouldNotEndWith("0\r\n\r\n");
    }

    /// <summary>A database whose address cannot be resolved any more; the driver throws what it gets then.</summary>
    private sealed class UnresolvedDatabase : IAsyncDisposable
    {
        private readonly string connection;
        private readonly NpgsqlDataSource database;

        public UnresolvedDatabase(string connection)
        {
            this.connection = connection;
            var builder = new NpgsqlDataSourceBuilder($"{connection};Pooling=false");
            builder.UsePhysicalConnectionInitializer(_ => Resolve(), _ => Task.Run(Resolve));
            database = builder.Build();
        }

        public bool IsResolved { get; set; } = true;

        public ValueTask DisposeAsync() => database.DisposeAsync();

        public WebApplicationFactory<Program> Start()
        {
            // The followers get everything from the log.
            var app = CommandsApp.Start(connection, ("Events:StallSeconds", "3600"), ("Events:TailEvents", "1"))
                .WithWebHostBuilder(host => host.ConfigureServices(
                    services => services.AddSingleton(new EventLogConnections(database))));
            app.UseKestrel();
            return app;
        }

        private void Resolve()
        {
            if (!IsResolved) throw new SocketException((int)SocketError.HostNotFound);
        }
    }

    private static async Task<Socket> StalledAsync(HttpClient http)
    {
        var socket = new Socket(
            AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4096 };
        await socket.ConnectAsync(IPAddress.Loopback, http.BaseAddress!.Port);
        await socket.SendAsync(Encoding.ASCII.GetBytes(RawConnection.Head("GET /events")));
        await socket.ReceiveAsync(new byte[1]);
        return socket;
    }
}
