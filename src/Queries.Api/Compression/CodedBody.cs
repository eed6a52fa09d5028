using System.IO.Pipelines;
using Microsoft.AspNetCore.Http.Features;

namespace ApexShop.Queries.Api.Compression;

/// <summary>
/// A body that is coded on its way. One window lies over the whole of it, so that its parts share what they have in
/// common; each flush still lets out what was written. The first write decides: what ends with it and is short stays
/// plain, as a stream must never grow.
/// </summary>
internal sealed class CodedBody(HttpResponse response, IHttpResponseBodyFeature plain, ContentCoding coding)
    : Stream, IHttpResponseBodyFeature
{
    private const int SegmentBytes = 32 * 1024;

    private Stream? output;
    private Stream? coder;
    private BreakableStream? end;

    public Stream Stream => this;

    public PipeWriter Writer => field ??= PipeWriter.Create(this, new StreamPipeWriterOptions(minimumBufferSize: SegmentBytes, leaveOpen: true));

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        (output ??= Begin(buffer.Length)).WriteAsync(buffer, cancellationToken);

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task FlushAsync(CancellationToken cancellationToken) => (output ?? plain.Stream).FlushAsync(cancellationToken);

    public void DisableBuffering() => plain.DisableBuffering();

    public Task StartAsync(CancellationToken cancellationToken = default) => plain.StartAsync(cancellationToken);

    public Task SendFileAsync(string path, long offset, long? count, CancellationToken cancellationToken = default) =>
        SendFileFallback.SendFileAsync(this, path, offset, count, cancellationToken);

    public async Task CompleteAsync()
    {
        await Writer.FlushAsync(response.HttpContext.RequestAborted);
        await Writer.CompleteAsync();
        if (coder is not null) await coder.DisposeAsync();
        coder = null;
    }

    /// <summary>Breaks off what was not completed: its reader finds no mark of an end.</summary>
    public override async ValueTask DisposeAsync()
    {
        end?.Break();
        if (coder is not null) await coder.DisposeAsync();
        await base.DisposeAsync();
    }

    public override void Flush() => throw new NotSupportedException();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    private Stream Begin(int firstBytes)
    {
        if (firstBytes < ContentCoding.LeastBytes) return plain.Stream;
        response.Headers.ContentEncoding = coding.Name;
        response.ContentLength = null;
        end = new BreakableStream(plain.Stream);
        return coder = coding.Compressor!.Open(end);
    }
}
