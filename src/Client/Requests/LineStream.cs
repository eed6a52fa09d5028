namespace ApexShop.Client.Requests;

/// <summary>
/// The body of a response of lines. A read to which no byte arrives in time ends with an exception; the time between
/// two reads is that of the caller, and does not count. A body that ends within a line was interrupted.
/// </summary>
internal sealed class LineStream(Stream body, TimeSpan limit, TimeProvider clock) : Stream
{
    private byte last = (byte)'\n';

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        using var idle = new CancellationTokenSource(limit, clock);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, idle.Token);
        try
        {
            var length = await body.ReadAsync(buffer, end.Token);
            if (length > 0) last = buffer.Span[length - 1];
            // The shop ends every line.
            else if (last != (byte)'\n') throw new IOException("The response ends within a line.");
            return length;
        }
        catch (OperationCanceledException late) when (!cancellationToken.IsCancellationRequested)
        {
            throw new TimeoutException(
                $"No byte of the stream within {limit} ({nameof(ShopClientOptions.StreamIdleTimeout)}).", late);
        }
    }

    public override Task<int> ReadAsync(
        byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush() => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
