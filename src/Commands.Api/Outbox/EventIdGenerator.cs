using System.Buffers.Binary;
using System.Security.Cryptography;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Version 7 UUIDs (RFC 9562, with a counter after the milliseconds), each greater than the one before it in this
/// process: EF Core inserts the rows of one SaveChanges in the order of their keys, which must be the order of their
/// creation.
/// </summary>
internal sealed class EventIdGenerator(TimeProvider clock)
{
    private const int CounterBits = 12;

    private long last;

    public Guid Next()
    {
        var ticks = Advance(clock.GetUtcNow().ToUnixTimeMilliseconds() << CounterBits);
        Span<byte> id = stackalloc byte[16];
        RandomNumberGenerator.Fill(id[8..]);
        var counter = ticks & ((1 << CounterBits) - 1);
        BinaryPrimitives.WriteInt64BigEndian(id, ((ticks >> CounterBits) << 16) | 0x7000 | counter);
        id[8] = (byte)((id[8] & 0x3f) | 0x80);
        return new Guid(id, bigEndian: true);
    }

    private long Advance(long now)
    {
        while (true)
        {
            var before = Volatile.Read(ref last);
            var next = Math.Max(before + 1, now);
            if (Interlocked.CompareExchange(ref last, next, before) == before) return next;
        }
    }
}
