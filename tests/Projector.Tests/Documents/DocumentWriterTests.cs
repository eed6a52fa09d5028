using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Tests.Documents;

/// <summary>Writes without a checkpoint before them: the version of the row alone decides.</summary>
public sealed class DocumentWriterTests(ReadStore store) : ProjectorTest(store)
{
    private readonly Projections projections = new("USD");

    [Fact]
    public async Task A_state_of_the_stored_version_writes_no_row_and_raises_no_tag()
    {
        var entry = History.Product(10, "Pen");
        (await WriteAsync(entry)).ShouldNotBeEmpty();
        var before = await RowAsync();

        (await WriteAsync(entry)).ShouldBeEmpty();
        (await WriteAsync(entry with { Position = 7 })).ShouldBeEmpty();

        (await RowAsync()).ShouldBe(before);
    }

    [Fact]
    public async Task A_living_state_of_the_version_of_the_tombstone_does_not_bring_the_document_back()
    {
        await WriteAsync(History.Product(10, "Pen"));
        var living = History.Product(10, "Quill");
        var deletion = "{\"id\":10,\"version\":2}"u8.ToArray();
        await WriteAsync(History.Add(Resource.Products.Name, EventTypes.ProductDeleted, 10, deletion, 2));
        var before = await RowAsync();

        (await WriteAsync(living)).ShouldBeEmpty();

        (await RowAsync()).ShouldBe(before);
        (await Store.BodyAsync("products", 10)).ShouldBeNull();
    }

    private async Task<IReadOnlySet<string>> WriteAsync(LogEntry entry)
    {
        await using var connection = new NpgsqlConnection(Store.Database.Projector);
        await connection.OpenAsync();
        var (statements, invalidations) = (new StatementBatch(connection), new Invalidations());
        var change = DecodedEvent.Decode(entry, projections[entry.Resource]).Change.ShouldNotBeNull();
        await projections.ApplyAsync(statements, entry.Resource, [change], invalidations, CancellationToken.None);
        await statements.RunAsync(CancellationToken.None);
        return invalidations.Tags;
    }

    private Task<string> RowAsync() => Store.ScalarAsync<string>(
        "SELECT concat_ws('/', xmin, version, revision) FROM read.products WHERE id = 10");
}
