using System.Text.Json;
using ApexShop.ReadModels;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>A test with an empty read schema, an empty event log and a Projector between them.</summary>
public abstract class ProjectorTest(ReadStore store) : IClassFixture<ReadStore>, IAsyncLifetime, IAsyncDisposable
{
    internal ReadStore Store { get; } = store;

    internal EventHistory History { get; } = new();

    internal TestProjector Projector { get; private set; } = null!;

    public virtual async Task InitializeAsync()
    {
        await Store.ClearAsync();
        Projector = new TestProjector(Store.Database.Projector, History);
    }

    public virtual async Task DisposeAsync()
    {
        await Projector.DisposeAsync();
        History.Dispose();
    }

    async ValueTask IAsyncDisposable.DisposeAsync()
    {
        await DisposeAsync();
        GC.SuppressFinalize(this);
    }

    internal async Task<TView> ViewAsync<TView>(string kind, int id) =>
        (TView)JsonSerializer.Deserialize((await Store.BodyAsync(kind, id))!, typeof(TView), ReadModelJson.Wire)!;
}
