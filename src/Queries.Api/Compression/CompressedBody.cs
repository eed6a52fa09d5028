using System.IO.Pipelines;
using Microsoft.AspNetCore.Http.Features;

namespace ApexShop.Queries.Api.Compression;

/// <summary>
/// A response body that is compressed while it is written. The compressor's window covers all of it, so parts share
/// what they have in common; each flush sends what was written so far. The first write decides: a short body that ends
/// with it is not compressed, as it would grow.
/// </summary>
internal sealed class CompressedBody : WriteOnlyStream, IHttpResponseBodyFeature
{
    private const int BufferBytes = 32 * 1024;

    private readonly HttpResponse response;
    private readonly IHttpResponseBodyFeature plain;
    private readonly ContentCoding coding;
    private Stream? output;
    private Stream? compressor;
    private AbortableStream? end;

    /// <summary>Replaces the response's body until it is disposed of.</summary>
    public CompressedBody(HttpResponse response, ContentCoding coding)
    {
        (this.response, this.coding) = (response, coding);
        plain = response.HttpContext.Features.GetRequiredFeature<IHttpResponseBodyFeature>();
        response.HttpContext.Features.Set<IHttpResponseBodyFeature>(this);
    }

    public Stream Stream => this;

    public PipeWriter Writer => field ??=
        PipeWriter.Create(this, new StreamPipeWriterOptions(minimumBufferSize: BufferBytes, leaveOpen: true));

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        (output ??= Begin(buffer.Length)).WriteAsync(buffer, cancellationToken);

    public override Task FlushAsync(CancellationToken cancellationToken) =>
        (output ?? plain.Stream).FlushAsync(cancellationToken);

    public void DisableBuffering() => plain.DisableBuffering();

    public Task StartAsync(CancellationToken cancellationToken = default) => plain.StartAsync(cancellationToken);

    public Task SendFileAsync(string path, long offset, long? count, CancellationToken cancellationToken = default) =>
        SendFileFallback.SendFileAsync(this, path, offset, count, cancellationToken);

    /// <summary>Writes the end mark; without it a reader detects that the body is incomplete.</summary>
    public async Task CompleteAsync()
    {
        await Writer.FlushAsync(response.HttpContext.RequestAborted);
        await Writer.CompleteAsync();
        if (compressor is not null) await compressor.DisposeAsync();
        compressor = null;
    }

    /// <summary>A body that was not completed gets no end mark.</summary>
    public override async ValueTask DisposeAsync()
    {
        response.HttpContext.Features.Set(plain);
        end?.Abort();
        // With an exception it writes nothing and returns its buffers; a completed one does nothing.
        await Writer.CompleteAsync(new OperationCanceledException());
        if (compressor is not null) await compressor.DisposeAsync();
        await base.DisposeAsync();
    }

    private Stream Begin(int firstBytes)
    {
        if (firstBytes < ContentCoding.LeastBytes) return plain.Stream;
        response.Headers.ContentEncoding = coding.Name;
        response.ContentLength = null;
        end = new AbortableStream(plain.Stream);
        return compressor = coding.Compressor!.Open(end);
    }
}
