using ApexShop.Prove.Clients;
using ApexShop.Prove.Faults;
using ApexShop.TestKit;

namespace ApexShop.Prove.Tests.Live;

/// <summary>Faults in a shop of the tests: its own processes, database and queue on shared servers.</summary>
internal sealed class TestShopControl(TestKit.Shop shop, params ShopProcess[] more) : IShopControl
{
    private readonly Dictionary<string, ShopProcess> processes = new ShopProcess[]
        { shop.Commands, shop.Projector, shop.Queries }.Concat(more).ToDictionary(NameOf);

    public IReadOnlyList<string> Names => [.. processes.Keys];

    public string? Database => shop.Database.Superuser;

    public Uri? Broker => shop.Broker;

    public string Exchange => shop.Exchange;

    public string ProjectorQueue => shop.ProjectorQueue;

    public (string Host, int Port, string Password)? Redis => null;

    public string Receiver => "127.0.0.1";

    public IReadOnlyList<string> Machines => [];

    public bool HasNetworks => false;

    /// <summary>The addresses of the processes, with a key for everything.</summary>
    public ShopAddresses Addresses => new(Of("commands"), Of("queries"), TestKeys.Everything);

    public Task SignalAsync(string name, string signal) =>
        signal == "KILL" ? processes[name].KillAsync() : processes[name].SignalAsync(signal);

    public Task<string> PrimaryMachineAsync() => throw new NotSupportedException();

    public Task OnMachineAsync(string command, string machine) => throw new NotSupportedException();

    public Task KillPatroniAsync(string name) => throw new NotSupportedException();

    public Task EndAsync(string name) => processes[name].IsRunning ? processes[name].ExitAsync() : Task.CompletedTask;

    public Task StartAsync(string name) => processes[name].StartAsync();

    private static string NameOf(ShopProcess process) => process.Name.Replace(' ', '-');

    private List<ShopAddress> Of(string kind) =>
    [
        .. processes.Where(one => one.Key.StartsWith(kind, StringComparison.Ordinal))
            .Select(one => new ShopAddress(one.Key, one.Value.Url)),
    ];
}
