using System.Buffers;
using System.IO.Compression;
using System.Text;
using ApexShop.Queries.Api.Compression;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace ApexShop.Queries.Api.Tests.Compression;

public sealed class CompressedBodyTests
{
    [Theory]
    [InlineData(true, OperationStatus.Done)]
    [InlineData(false, OperationStatus.NeedMoreData)]
    public async Task The_end_mark_is_sent_only_for_a_completed_body(bool isCompleted, OperationStatus expected)
    {
        using var sent = new MemoryStream();
        var http = new DefaultHttpContext { Response = { Body = sent } };
        var plain = http.Features.GetRequiredFeature<IHttpResponseBodyFeature>();
        await using (var body = new CompressedBody(http.Response, ContentCoding.Choose("br")))
        {
            await body.WriteAsync(Encoding.UTF8.GetBytes(string.Join('\n', Enumerable.Range(0, 2_000))));
            if (isCompleted) await body.CompleteAsync();
        }

        using var decoder = new BrotliDecoder();
        decoder.Decompress(sent.ToArray(), new byte[64 * 1024], out _, out _).ShouldBe(expected);
    }
}
