using ApexShop.Commands.Api.Events;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Tests.Events;

public sealed class TailBufferTests
{
    private const int Capacity = 8;

    [Theory]
    [InlineData(100, Capacity)]
    [InlineData(10_000, 4)]
    public void It_keeps_the_last_events_up_to_its_number_and_its_bytes(int bytes, int kept)
    {
        var size = Event(1, bytes).Size;
        var buffer = new TailBuffer(Capacity, mostBytes: (4 * size) + (Capacity * 800));
        buffer.Reset(new LogHead(0, "log"));

        for (var position = 1; position <= 20; position++) buffer.Append([Event(position, bytes)]);

        var events = new List<LiveEvent>();
        buffer.TryRead(20 - kept - 1, Capacity, long.MaxValue, events).ShouldBeFalse();
        buffer.TryRead(20 - kept, Capacity, long.MaxValue, events).ShouldBeTrue();
        events.Select(live => live.Entry.Position).ShouldBe(Enumerable.Range(21 - kept, kept).Select(one => (long)one));
    }

    [Fact]
    public void An_event_larger_than_all_its_bytes_is_read_from_the_log()
    {
        var buffer = new TailBuffer(Capacity, mostBytes: 10);
        buffer.Reset(new LogHead(0, "log"));
        buffer.Append([Event(1, 100), Event(2, 100)]);

        buffer.TryRead(1, Capacity, long.MaxValue, []).ShouldBeFalse();
        var events = new List<LiveEvent>();
        buffer.TryRead(2, Capacity, long.MaxValue, events).ShouldBeTrue();
        events.ShouldBeEmpty();
        buffer.Last.ShouldBe(2);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(1000, 2)]
    [InlineData(1_000_000, 3)]
    public void A_read_ends_with_the_event_that_reaches_its_bytes(int maxBytes, int read)
    {
        var buffer = new TailBuffer(Capacity, TailBuffer.MostBytes);
        buffer.Reset(new LogHead(0, "log"));
        buffer.Append([Event(1, 100), Event(2, 1000), Event(3, 100)]);

        var events = new List<LiveEvent>();
        buffer.TryRead(0, Capacity, maxBytes, events).ShouldBeTrue();

        events.Select(live => live.Entry.Position).ShouldBe(Enumerable.Range(1, read).Select(one => (long)one));
    }

    private static LiveEvent Event(long position, int bytes) => new(new LogEntry(
        position, position - 1, Guid.CreateVersion7(), "apexshop.product.updated", "products", 7,
        DateTimeOffset.UnixEpoch, null, new byte[bytes]));
}
