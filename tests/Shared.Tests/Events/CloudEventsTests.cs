using System.Buffers;
using System.Text;
using System.Text.Json;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Shared.Tests.Events;

public sealed class CloudEventsTests
{
    private static readonly LogEntry created = new(
        1_000_042, 1_000_040, new Guid("01932f1c-8a00-7000-8000-00000000002a"),
        EventTypes.ProductCreated, Resource.Products.Name, 17,
        new DateTimeOffset(2026, 11, 20, 8, 30, 0, 120, 500, TimeSpan.Zero),
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", Golden.Bytes("events/product"))
    {
        Actor = "catalog-import",
    };

    private static readonly LogEntry deleted = new(
        1_000_043, 1_000_042, new Guid("01932f1c-8a00-7000-8000-00000000002b"),
        EventTypes.ProductDeleted, Resource.Products.Name, 17,
        new DateTimeOffset(2026, 11, 21, 9, 0, 0, TimeSpan.Zero), null, Golden.Bytes("events/deleted"));

    [Fact]
    public void A_batch_is_written_as_in_its_file()
    {
        var body = new ArrayBufferWriter<byte>();
        CloudEvents.WriteBatch(body, [created, deleted]);

        Golden.ShouldMatch(body.WrittenSpan, "batch");
    }

    [Fact]
    public void A_single_event_is_written_as_in_its_file()
    {
        var body = new ArrayBufferWriter<byte>();
        CloudEvents.Write(body, created);

        Golden.ShouldMatch(body.WrittenSpan, "event");
    }

    [Theory]
    [InlineData("products", "users/17", "customer")]
    [InlineData("reviews", "users/17", "customer")]
    [InlineData("orders", "users/17", "users/17")]
    [InlineData("users", "users/17", "users/17")]
    [InlineData("products", "catalog-import", "catalog-import")]
    public void A_message_for_everyone_names_no_customer(string resource, string actor, string written)
    {
        var body = new ArrayBufferWriter<byte>();
        CloudEvents.WriteBatch(body, [created with { Resource = resource, Actor = actor }]);

        CloudEvents.ReadBatch(body.WrittenMemory).ShouldHaveSingleItem().Actor.ShouldBe(written);
    }

    [Fact]
    public void A_batch_is_read_as_it_was_written()
    {
        var read = CloudEvents.ReadBatch(Golden.Bytes("batch"));

        read.Count.ShouldBe(2);
        ShouldEqual(read[0], created);
        ShouldEqual(read[1], deleted);
    }

    [Theory]
    [InlineData("batch")]
    [InlineData("batch.before-traces")]
    [InlineData("batch.before-actors")]
    [InlineData("batch.before-pages")]
    public void Every_published_batch_is_readable(string name)
    {
        var read = CloudEvents.ReadBatch(Golden.Bytes(name));

        read.Select(entry => entry.Type).ShouldBe([EventTypes.ProductCreated, EventTypes.ProductDeleted]);
        read[1].Previous.ShouldBe(read[0].Position);
        JsonSerializer.Deserialize(read[0].Data.Span, EventJson.Reading<ProductState>())!.Id
            .ShouldBe(read[0].AggregateId);
    }

    [Fact]
    public void A_reader_ignores_unknown_attributes()
    {
        const string version = """
            "specversion":"1.0"
            """;
        const string unknown = """
            ,"dataschema":"x","extra":{"id":[1,{"type":2}]}
            """;
        var text = Encoding.UTF8.GetString(Golden.Bytes("event"));
        var extended = text.Replace(version, version + unknown, StringComparison.Ordinal);

        extended.ShouldNotBe(text);
        ShouldEqual(CloudEvents.Read(Encoding.UTF8.GetBytes(extended)), created);
    }

    [Fact]
    public void A_sequence_sorts_as_text_like_the_position_as_a_number()
    {
        long[] positions = [1, 9, 10, 999_999, 1_000_000, long.MaxValue];
        var sequences = positions.Select(position =>
        {
            var body = new ArrayBufferWriter<byte>();
            CloudEvents.Write(body, created with { Position = position });
            return JsonDocument.Parse(body.WrittenMemory).RootElement.GetProperty("sequence").GetString()!;
        }).ToList();

        sequences.Order(StringComparer.Ordinal).ShouldBe(sequences);
        sequences.ShouldAllBe(sequence => sequence.Length == 19);
    }

    [Theory]
    [InlineData("")]
    [InlineData("{}")]
    [InlineData("[1]")]
    [InlineData("[{}]")]
    [InlineData("""[{"type":"t","subject":"products","sequence":"1","previous":"0","data":{}}]""")]
    [InlineData("""[{"type":"t","subject":"products/x","sequence":"1","previous":"0","data":{}}]""")]
    [InlineData("""[{"type":"t","subject":"products/1","sequence":"one","previous":"0","data":{}}]""")]
    [InlineData("""[{"type":"t","subject":"products/1","sequence":"1","data":{}}]""")]
    [InlineData("""[{"type":"t","subject":"products/1","sequence":"1","previous":"0"}]""")]
    [InlineData("""[{"type":"t","subject":"products/1","sequence":"1","previous":"0","data":{}""")]
    public void What_is_no_batch_is_refused(string body) =>
        Should.Throw<JsonException>(() => CloudEvents.ReadBatch(Encoding.UTF8.GetBytes(body)));

    private static void ShouldEqual(LogEntry actual, LogEntry expected)
    {
        Encoding.UTF8.GetString(actual.Data.Span).ShouldBe(Encoding.UTF8.GetString(expected.Data.Span));
        (actual with { Data = default }).ShouldBe(expected with { Data = default });
    }
}
