using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>Reads a list of any length chunk by chunk.</summary>
internal sealed class ChunkReader<T>
{
    private readonly ItemReader<T> items;
    private readonly HttpContext http;
    private readonly LimitOptions limits;
    private int chunks;

    public ChunkReader(ItemReader<T> items, HttpContext http)
    {
        (this.items, this.http) = (items, http);
        limits = http.RequestServices.GetRequiredService<IOptions<LimitOptions>>().Value;
    }

    /// <summary>The next chunk, or null at the end of the list.</summary>
    public async Task<ItemChunk<T>?> NextAsync()
    {
        var chunk = new ItemChunk<T>(chunks++, items.Index + 1);
        var validator = new ItemValidator<T>(http.RequestServices);
        while (chunk.Count < limits.StreamChunkItems && await MoveNextAsync(chunk))
        {
            await chunk.AddAsync(items, validator, http.RequestAborted);
        }

        if (items.Problem is { } problem) chunk.End(problem);
        return chunk.Count > 0 || chunk.IsLast ? chunk : null;
    }

    private async ValueTask<bool> MoveNextAsync(ItemChunk<T> chunk)
    {
        try
        {
            return await items.NextAsync(http.RequestAborted);
        }
        catch (BadHttpRequestException refused)
        {
            // The body is too long, or not in the form of its transfer coding.
            chunk.End(Problem.Of(refused.StatusCode));
            return false;
        }
    }
}
