using System.Text.Json;

namespace ApexShop.StockWatcher;

/// <summary>
/// The state of this program and its position in the log, in one file. The file is replaced as a whole, so a crash
/// leaves the old one or the new one, and never a state without its position or a position without its state. In a
/// database the position would be a row that the same transaction updates.
/// </summary>
internal sealed class Stock
{
    private const int Low = 5;

    private readonly string file;
    private State state;

    private Stock(string file, State state) => (this.file, this.state) = (file, state);

    public long Position => state.Position;

    /// <summary>The identity of the log that the position is of: a restored log has another one.</summary>
    public string? Log => state.Log;

    /// <summary>The log has another identity, and has all events up to the position.</summary>
    public void Continue(string log) => state.Log = log;

    /// <summary>Starts again: the log does not have the events that the state was made from.</summary>
    public void Clear() => state = new State();

    public static Stock Load(string file) =>
        new(file, File.Exists(file)
            ? JsonSerializer.Deserialize<State>(File.ReadAllBytes(file), JsonSerializerOptions.Web)!
            : new State());

    /// <summary>
    /// Applies the next event; the state that it carries replaces the old one, so nothing has to be added.
    /// </summary>
    public void Apply(ShopEvent change)
    {
        if (change.Position <= Position)
            throw new InvalidOperationException($"Position {change.Position} was applied already.");
        if (change.Previous > Position)
            throw new InvalidOperationException($"There is an event between {Position} and {change.Position}.");
        state.Position = change.Position;
        // The number of changes of a product is kept only to show that each event was applied once.
        var changes = state.Changes[change.Id] = state.Changes.GetValueOrDefault(change.Id) + 1;
        if (change.IsDeletion)
        {
            state.Products.Remove(change.Id);
            return;
        }

        state.Products[change.Id] = new Product(change.Name!, change.Stock!.Value);
        if (change.Stock >= Low) return;
        Console.WriteLine(
            $"{change.Name} ({change.Id}) runs low: {change.Stock} left after {changes} changes.");
    }

    public void Save()
    {
        var next = file + ".next";
        using (var writing = File.Create(next))
        {
            JsonSerializer.Serialize(writing, state, JsonSerializerOptions.Web);
            writing.Flush(flushToDisk: true);
        }

        File.Move(next, file, overwrite: true);
    }

    internal sealed record Product(string Name, int Stock);

    internal sealed class State
    {
        public string? Log { get; set; }

        public long Position { get; set; }

        public Dictionary<int, Product> Products { get; init; } = [];

        public Dictionary<int, long> Changes { get; init; } = [];
    }
}
