using ApexShop.Queries.Api.Requests;
using Microsoft.AspNetCore.Http.Features;

namespace ApexShop.Queries.Api.Compression;

/// <summary>Lets an endpoint that streams send its bytes coded, without knowing of it.</summary>
internal sealed class CompressedStream(Func<HttpContext, Task<Problem?>> handle)
{
    public Task<Problem?> AnswerAsync(HttpContext http)
    {
        var coding = ContentCoding.Choose(http.Request.Headers.AcceptEncoding);
        return coding == ContentCoding.Plain ? PlainAsync(http) : CodedAsync(http, coding);
    }

    private async Task<Problem?> PlainAsync(HttpContext http)
    {
        http.Response.OnStarting(VaryAsync, http.Response);
        return await handle(http);
    }

    private async Task<Problem?> CodedAsync(HttpContext http, ContentCoding coding)
    {
        var plain = http.Features.GetRequiredFeature<IHttpResponseBodyFeature>();
        await using var coded = new CodedBody(http.Response, plain, coding);
        http.Response.OnStarting(VaryAsync, http.Response);
        http.Features.Set<IHttpResponseBodyFeature>(coded);
        try
        {
            var problem = await handle(http);
            // Only a body that was written to its end gets the mark of its end: a reader of any other knows that it broke off.
            if (problem is null) await coded.CompleteAsync();
            return problem;
        }
        finally
        {
            http.Features.Set(plain);
        }
    }

    // Last, since an endpoint names what it chose by in the same header; an error is the same for everybody.
    private static Task VaryAsync(object state)
    {
        var response = (HttpResponse)state;
        if (response.StatusCode == StatusCodes.Status200OK) response.Headers.Append("Vary", "Accept-Encoding");
        return Task.CompletedTask;
    }
}
