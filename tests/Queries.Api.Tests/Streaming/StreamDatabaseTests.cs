using System.Net;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Streaming;

public sealed class StreamDatabaseTests
{
    /// <summary>Npgsql has one time limit for a new connection, a cancellation and the wait for a free one.</summary>
    [Theory]
    [InlineData("Host=localhost", 5)]
    [InlineData("Host=localhost;Timeout=60", 5)]
    [InlineData("Host=localhost;Timeout=1", 1)]
    public async Task A_new_connection_of_a_stream_takes_no_longer_than_any_other(string hosts, int seconds)
    {
        await using var database = Open(hosts);

        SecondsOf(database.Starts).ShouldBe(seconds);
        foreach (var query in (string[])["", "q=desk", "isActive=true"])
            SecondsOf(database.Chunks(List(query))).ShouldBe(seconds, query);
    }

    [Theory]
    [InlineData("", typeof(NpgsqlException))]
    [InlineData("q=desk", typeof(SearchBusyException))]
    [InlineData("isActive=true", typeof(SearchBusyException))]
    public async Task The_first_chunk_waits_for_a_limited_time_and_a_later_one_as_long_as_necessary(
        string query, Type refusal)
    {
        await using var database = Open("Host=localhost");
        byte callers = 0;
        Task<IDisposable> TakeAsync(TimeSpan longestWait)
        {
            // Searches of one address wait for each other already.
            var address = new IPAddress([10, 0, 0, ++callers]);
            var http = new DefaultHttpContext { Connection = { RemoteIpAddress = address } };
            return database.TakePlaceAsync(http, List(query), longestWait, CancellationToken.None);
        }

        var reading = await TakeAsync(Timeout.InfiniteTimeSpan);

        (await Should.ThrowAsync<Exception>(() => TakeAsync(TimeSpan.FromMilliseconds(50)))).ShouldBeOfType(refusal);
        var later = TakeAsync(Timeout.InfiniteTimeSpan);
        later.IsCompleted.ShouldBeFalse();
        reading.Dispose();

        (await later).Dispose();
        (await TakeAsync(TimeSpan.FromMinutes(1))).Dispose();
    }

    private static StreamDatabase Open(string hosts) => new(
        Options.Create(new ReadingOptions { ConnectionString = hosts, WaitSeconds = 5 }),
        Options.Create(new StreamingOptions { Connections = 1, SearchConnections = 1 }));

    private static ListQuery List(string query)
    {
        var parameters = new QueryParameters(new QueryCollection(QueryHelpers.ParseQuery(query)));
        var list = ListQuery.From(ReadModel.All.Single(one => one.Name == "products"), parameters);
        parameters.Problem().ShouldBeNull();
        return list;
    }

    private static int SecondsOf(NpgsqlDataSource pool) =>
        new NpgsqlConnectionStringBuilder(pool.ConnectionString).Timeout;
}
