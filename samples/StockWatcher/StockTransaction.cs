using ApexShop.Events.Client;

namespace ApexShop.StockWatcher;

/// <summary>Changes a state that was read from the file, and writes it back with the position.</summary>
internal sealed class StockTransaction(StockState state, Action<StockState> save) : IConsumerTransaction
{
    private const string Resource = "products";
    private const int Low = 5;

    private StockState state = state;

    public Dictionary<string, LogPosition> Positions { get; } =
        state.Log is null ? [] : new() { [Resource] = new(state.Log, state.Position, state.IsFirstRead) };

    public IReadOnlySet<string> ParkedSubjects => Parked().Select(parked => parked.Event.Subject).ToHashSet();

    /// <summary>The state that an event carries replaces the old one, so nothing has to be added.</summary>
    public Task ApplyAsync(ShopEvent change, CancellationToken ct)
    {
        var changes = state.Changes[change.Id] = state.Changes.GetValueOrDefault(change.Id) + 1;
        if (change.IsDeletion)
        {
            state.Products.Remove(change.Id);
            return Task.CompletedTask;
        }

        var product = new StockState.Product(
            change.Data.GetProperty("name").GetString()!, change.Data.GetProperty("stock").GetInt32());
        state.Products[change.Id] = product;
        if (product.Stock < Low)
            Console.WriteLine($"{product.Name} ({change.Id}) runs low: {product.Stock} left after {changes} changes.");
        return Task.CompletedTask;
    }

    public Task ClearAsync(CancellationToken ct)
    {
        Console.WriteLine("The state is made again.");
        Positions.Clear();
        state = new StockState();
        return Task.CompletedTask;
    }

    public Task ParkAsync(ParkedEvent parked, CancellationToken ct)
    {
        state.ParkedEvents.Add(new StockState.Parked(parked.Event.Json, parked.Reason));
        return Task.CompletedTask;
    }

    public Task UnparkAsync(ShopEvent parked, CancellationToken ct)
    {
        state.ParkedEvents.RemoveAt(Parked().FindIndex(one => one.Event.Position == parked.Position));
        return Task.CompletedTask;
    }

    public Task<int> UnparkAllAsync(string subject, CancellationToken ct) =>
        Task.FromResult(state.ParkedEvents.RemoveAll(one => Parked(one).Event.Subject == subject));

    public Task<IReadOnlyList<ParkedEvent>> ReadParkedAsync(string? subject, CancellationToken ct) =>
        Task.FromResult<IReadOnlyList<ParkedEvent>>(
            [.. Parked().Where(parked => subject is null || parked.Event.Subject == subject)]);

    public Task CommitAsync(CancellationToken ct)
    {
        if (Positions.TryGetValue(Resource, out var place)) (state.Log, state.Position, state.IsFirstRead) = place;
        save(state);
        return Task.CompletedTask;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private List<ParkedEvent> Parked() => [.. state.ParkedEvents.Select(Parked)];

    private static ParkedEvent Parked(StockState.Parked stored) =>
        new(ShopEvent.Parse(stored.Event.GetRawText()), stored.Reason);
}
