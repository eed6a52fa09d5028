using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Streaming;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Streaming;

public sealed class StreamDatabaseTests
{
    /// <summary>Npgsql has one time for a new connection and for the wait until one of the pool is free.</summary>
    [Theory]
    [InlineData("Host=localhost", 5)]
    [InlineData("Host=localhost;Timeout=60", 5)]
    [InlineData("Host=localhost;Timeout=1", 1)]
    public async Task A_stream_waits_longer_for_a_connection_after_its_first_byte_than_before(string hosts, int before)
    {
        var reading = Options.Create(new ReadingOptions { ConnectionString = hosts, WaitSeconds = 5 });

        await using var database = new StreamDatabase(reading, Options.Create(new StreamingOptions()));

        SecondsOf(database.Starts).ShouldBe(before);
        SecondsOf(database.Scans).ShouldBe(600);
    }

    private static int SecondsOf(NpgsqlDataSource pool) =>
        new NpgsqlConnectionStringBuilder(pool.ConnectionString).Timeout;
}
