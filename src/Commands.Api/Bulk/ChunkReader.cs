using ApexShop.Commands.Api.Limits;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>Reads a list of any length, a chunk at a time, as long as its sender is not silent for too long.</summary>
internal sealed class ChunkReader<T> : IDisposable
{
    private readonly ItemReader<T> items;
    private readonly HttpContext http;
    private readonly LimitOptions limits;
    private readonly CancellationTokenSource silence;
    private int chunks;

    public ChunkReader(ItemReader<T> items, HttpContext http)
    {
        (this.items, this.http) = (items, http);
        limits = http.RequestServices.GetRequiredService<IOptions<LimitOptions>>().Value;
        silence = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted);
    }

    /// <summary>The next chunk, or nothing at the list's end.</summary>
    public async Task<Chunk<T>?> NextAsync()
    {
        var (chunk, rules) = (new Chunk<T>(chunks++, items.Index + 1), new ItemValidator<T>(http.RequestServices));
        while (chunk.Count < limits.StreamChunkItems && await MoveAsync(chunk)) await chunk.AddAsync(items, rules, http.RequestAborted);
        if (items.Refusal is { } refusal) chunk.End(refusal);
        return chunk.Count > 0 || chunk.IsLast ? chunk : null;
    }

    public void Dispose() => silence.Dispose();

    private async ValueTask<bool> MoveAsync(Chunk<T> chunk)
    {
        silence.CancelAfter(TimeSpan.FromSeconds(limits.SilenceSeconds));
        try
        {
            return await items.NextAsync(silence.Token);
        }
        catch (OperationCanceledException) when (!http.RequestAborted.IsCancellationRequested)
        {
            chunk.End(BulkProblems.Silent(limits.SilenceSeconds));
            return false;
        }
        finally
        {
            silence.CancelAfter(Timeout.Infinite);
        }
    }
}
