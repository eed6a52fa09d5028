using System.Net;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Operations.Auditing;

namespace ApexShop.Projector.Tests.Operations.Auditing;

public sealed class WriteSideClientTests
{
    [Fact]
    public async Task A_response_that_stops_after_its_headers_ends_the_audit()
    {
        using var server = new SilentServer();
        using var http = new HttpClient(server)
        {
            BaseAddress = new("http://localhost"), Timeout = TimeSpan.FromMilliseconds(500),
        };
        var audit = new WriteSideClient(http).AggregatesAsync("products", 1, CancellationToken.None);

        await Should.ThrowAsync<EventLogException>(audit.WaitAsync(TimeSpan.FromSeconds(30)));
    }

    private sealed class SilentServer : HttpMessageHandler
    {
        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken) =>
            Task.FromResult(new HttpResponseMessage(HttpStatusCode.OK) { Content = new SilentContent() });
    }

    private sealed class SilentContent : HttpContent
    {
        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
            SerializeToStreamAsync(stream, context, CancellationToken.None);

        protected override Task SerializeToStreamAsync(
            Stream stream, TransportContext? context, CancellationToken cancellationToken) =>
            Task.Delay(Timeout.Infinite, cancellationToken);

        protected override Task<Stream> CreateContentReadStreamAsync(CancellationToken cancellationToken) =>
            Task.FromResult<Stream>(new SilentStream());

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }

    private sealed class SilentStream : MemoryStream
    {
        public override async ValueTask<int> ReadAsync(
            Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return 0;
        }
    }
}
