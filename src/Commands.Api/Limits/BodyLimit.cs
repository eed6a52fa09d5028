using ApexShop.Json;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

/// <summary>Refuses a body over the limit: by its Content-Length, or else while it is read.</summary>
internal sealed class BodyLimit(IOptions<LimitOptions> limits)
{
    private readonly long single = limits.Value.SingleBodyBytes;
    private readonly long list = limits.Value.BodyBytes;

    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var endpoint = http.GetEndpoint()?.Metadata;
        var limit = endpoint?.GetMetadata<IRequestSizeLimitMetadata>();
        // With that metadata for every list, the framework would not read the rest of a body that is refused.
        var isList = endpoint?.GetMetadata<IAcceptsMetadata>()?.ContentTypes.Contains(MediaTypes.NdJson) == true;
        var max = limit?.MaxRequestBodySize ?? (isList ? list : single);
        if (http.Request.ContentLength > max) throw TooLarge();
        if (http.Request.ContentLength is null
            && http.Features.Get<IHttpRequestBodyDetectionFeature>()?.CanHaveBody == true)
            http.Request.Body = new BoundedBody(http.Request.Body, max);
        return next(http);
    }

    private static BadHttpRequestException TooLarge() =>
        new("The body is too large.", StatusCodes.Status413PayloadTooLarge);

    private sealed class BoundedBody(Stream body, long max) : Stream
    {
        private long left = max;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override async ValueTask<int> ReadAsync(
            Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var read = await body.ReadAsync(buffer, cancellationToken);
            left -= read;
            return left < 0 ? throw TooLarge() : read;
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
}
