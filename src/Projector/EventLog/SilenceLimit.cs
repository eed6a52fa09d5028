using System.Buffers;

namespace ApexShop.Projector.EventLog;

/// <summary>Reads a body however long it takes, as long as its parts follow each other within a limit.</summary>
internal static class SilenceLimit
{
    private const int Part = 64 * 1024;

    /// <exception cref="TimeoutException">No part arrived within the limit.</exception>
    public static async Task<ReadOnlyMemory<byte>> ReadAsync(HttpContent content, TimeSpan limit, CancellationToken ct)
    {
        await using var body = await content.ReadAsStreamAsync(ct);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var read = new ArrayBufferWriter<byte>();
        try
        {
            while (true)
            {
                end.CancelAfter(limit);
                var count = await body.ReadAsync(read.GetMemory(Part), end.Token);
                if (count == 0) return read.WrittenMemory;
                read.Advance(count);
            }
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw new TimeoutException($"Nothing was received for {limit.TotalSeconds} s.");
        }
    }
}
