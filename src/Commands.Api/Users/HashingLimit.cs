namespace ApexShop.Commands.Api.Users;

/// <summary>
/// All requests together hash and verify passwords on at most half of the cores: anyone may send passwords.
/// </summary>
internal sealed class HashingLimit : IDisposable
{
    private readonly SemaphoreSlim cores = new(Cores);

    public static int Cores => Math.Max(1, Environment.ProcessorCount / 2);

    public async Task<T> RunAsync<T>(Func<T> hash, CancellationToken ct)
    {
        await cores.WaitAsync(ct);
        try
        {
            return hash();
        }
        finally
        {
            cores.Release();
        }
    }

    public void Dispose() => cores.Dispose();
}
