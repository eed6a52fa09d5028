using System.Text.Json;
using ApexShop.Events.Client;

namespace ApexShop.StockWatcher;

/// <summary>
/// The state of this program and its position in the log, in one file. The file is replaced as a whole, so a crash
/// leaves the old one or the new one, and never a state without its position or a position without its state. Only one
/// process may use the file. The library has a store for PostgreSQL, which needs none of this.
/// </summary>
internal sealed class StockFile(string file) : IConsumerStore
{
    public Task<IConsumerTransaction> BeginAsync(CancellationToken ct)
    {
        var state = File.Exists(file)
            ? JsonSerializer.Deserialize<StockState>(File.ReadAllBytes(file), JsonSerializerOptions.Web)!
            : new StockState();
        return Task.FromResult<IConsumerTransaction>(new StockTransaction(state, Save));
    }

    private void Save(StockState state)
    {
        var next = file + ".next";
        using (var writing = File.Create(next))
        {
            JsonSerializer.Serialize(writing, state, JsonSerializerOptions.Web);
            writing.Flush(flushToDisk: true);
        }

        File.Move(next, file, overwrite: true);
    }
}
