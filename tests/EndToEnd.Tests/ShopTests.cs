using ApexShop.EndToEnd.Tests.Comparison;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

/// <summary>A shop that the tests of one class share.</summary>
public class RunningShop : IAsyncLifetime
{
    public Shop Shop { get; private set; } = null!;

    protected virtual Dictionary<string, string> Settings => [];

    public async Task InitializeAsync() => Shop = await Shop.StartAsync(settings: Settings);

    public async Task DisposeAsync()
    {
        if (Shop is not null) await Shop.DisposeAsync();
    }
}

/// <summary>A shop whose commands wait for as long as a test holds the lock that they need.</summary>
public sealed class LockedShop : RunningShop
{
    protected override Dictionary<string, string> Settings => new()
    {
        ["Persistence__LockSeconds"] = "60",
        ["Limits__RequestSeconds"] = "90",
    };
}

/// <summary>Tests on a running shop; when a test fails, its output contains the last lines of every process.</summary>
public abstract class ShopTests(Shop shop, ITestOutputHelper output) : IDisposable
{
    internal ShopClient Client { get; } = new(shop);

    internal ShopState State { get; } = new(shop);

    protected Shop Shop { get; } = shop;

    protected ITestOutputHelper Output { get; } = output;

    // The runner shows a test's output only when it failed.
    public void Dispose()
    {
        Output.WriteLine(Shop.Tail());
        GC.SuppressFinalize(this);
    }
}
