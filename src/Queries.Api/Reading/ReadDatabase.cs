using ApexShop.Queries.Api.Streaming;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// The two ways to the read schema: streams have a pool of their own, so that however many downloads run, a page or
/// a document still finds a connection.
/// </summary>
internal sealed class ReadDatabase(IOptions<ReadingOptions> reading, IOptions<StreamingOptions> streaming)
    : IAsyncDisposable
{
    public NpgsqlDataSource Pages { get; } = Open(reading.Value, "pages", reading.Value.Connections);

    public NpgsqlDataSource Streams { get; } = Open(reading.Value, "streams", streaming.Value.Connections);

    public async ValueTask DisposeAsync()
    {
        await Pages.DisposeAsync();
        await Streams.DisposeAsync();
    }

    private static NpgsqlDataSource Open(ReadingOptions options, string pool, int connections)
    {
        var builder = new NpgsqlSlimDataSourceBuilder(options.ConnectionString);
        builder.EnableArrays();
        builder.ConnectionStringBuilder.ApplicationName = $"apexshop-queries-{pool}";
        builder.ConnectionStringBuilder.MaxPoolSize = connections;
        // Every statement of this process is one of a handful of texts: prepared at its first use, kept per connection.
        builder.ConnectionStringBuilder.MaxAutoPrepare = 100;
        builder.ConnectionStringBuilder.AutoPrepareMinUsages = 1;
        builder.ConnectionStringBuilder.Timeout = options.WaitSeconds;
        return builder.Build();
    }
}
