using System.Globalization;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.Containers.Tests;

/// <summary>
/// Services of the cluster that are killed, paused or cut off for a time while clients work. Nothing that was
/// acknowledged is lost or doubled, and every response is one that a client may get.
/// </summary>
internal sealed class ServicesLoss(
    ClusteredShop shop, ITestOutputHelper output, IReadOnlyList<(string Fault, string Service)> losses)
{
    /// <summary>The services that are lost.</summary>
    public IEnumerable<string> Services => losses.Select(loss => loss.Service);

    /// <summary>The longest time without an acknowledged command.</summary>
    public TimeSpan Writes { get; private set; }

    /// <summary>The longest time without an answered read.</summary>
    public TimeSpan Reads { get; private set; }

    /// <summary>The longest time without a read that had to show a new change, and did.</summary>
    public TimeSpan Changes { get; private set; }

    /// <summary>Of a line such as <c>kill postgres/primary, pause queries-2</c>.</summary>
    public static async Task<ServicesLoss> OfAsync(ClusteredShop shop, ITestOutputHelper output, string line)
    {
        var losses = new List<(string, string)>();
        foreach (var words in line.Split(", ").Select(loss => loss.Split(' ')))
            losses.Add((words[0], await shop.ServiceAsync(words[1])));
        return new ServicesLoss(shop, output, losses);
    }

    public async Task RunAsync(TimeSpan lasts)
    {
        using var load = new SteadyLoad(shop, await shop.KeyAsync());
        try
        {
            await RunAsync(load, lasts);
        }
        finally
        {
            Write($"{load.Acknowledged.Count} commands; {string.Join(", ", load.Refusals)}");
        }

        load.Wrong.ShouldBeEmpty(load.Wrong.Count == 0 ? null : await DocumentsAsync());
        await NothingIsLostOrDoubledAsync(load);
    }

    private async Task RunAsync(SteadyLoad load, TimeSpan lasts)
    {
        await Eventually.Holds(() => load.Acknowledged.Count > 20, "the clients work", TimeSpan.FromMinutes(2));
        load.Measure();
        await LoseAsync(lasts);
        await Task.Delay(TimeSpan.FromSeconds(3));
        (Writes, Reads, Changes) = (load.Writes.Value, load.Reads.Value, load.Changes.Value);
        Write(string.Create(
            CultureInfo.InvariantCulture,
            $"{string.Join(", ", losses.Select(loss => $"{loss.Fault} of {loss.Service}"))}: "
            + $"{Writes.TotalSeconds:0.0} s without an acknowledged command, "
            + $"{Reads.TotalSeconds:0.0} s without an answered read, "
            + $"{Changes.TotalSeconds:0.0} s without a new change, "
            + $"{load.LongestRead.TotalSeconds:0.0} s until a read was answered or refused"));
        await load.EndAsync();
    }

    // The other faults end also when one of them could not begin: the next test needs the services.
    private async Task LoseAsync(TimeSpan lasts)
    {
        var begins = losses.Select(loss => BeginAsync(loss.Fault, loss.Service)).ToList();
        try
        {
            await Task.WhenAll(begins);
            await Task.Delay(lasts);
        }
        finally
        {
            await Task.WhenAll(losses.Zip(begins)
                .Where(loss => loss.Second.IsCompletedSuccessfully)
                .Select(loss => EndAsync(loss.First.Fault, loss.First.Service)));
        }
    }

    private Task BeginAsync(string fault, string service) => fault switch
    {
        "kill" => shop.DockerAsync("kill", "-s", "KILL", shop.Container(service)),
        "pause" => shop.PauseAsync(service),
        _ => shop.CutAsync(service),
    };

    private Task EndAsync(string fault, string service) => fault switch
    {
        "kill" => shop.DockerAsync("start", shop.Container(service)),
        "pause" => shop.DockerAsync("unpause", shop.Container(service)),
        _ => shop.JoinAsync(service),
    };

    // The newest ones as they are stored, for a read that must not have been a 404.
    private Task<string> DocumentsAsync() => shop.SqlAsync(
        "SELECT id, version, is_deleted, xmin, name FROM read.categories ORDER BY id DESC LIMIT 1000");

    private async Task NothingIsLostOrDoubledAsync(SteadyLoad load)
    {
        load.Acknowledged.Values.Distinct().Count().ShouldBe(load.Acknowledged.Count);
        var last = load.Acknowledged.Values.Max();
        await Eventually.Holds(
            async () => await shop.SqlAsync($"SELECT count(*) FROM read.categories WHERE id = {last}") == "1",
            "the last change is in the documents",
            TimeSpan.FromMinutes(1));
        string[] both = ["SELECT name FROM shop.categories", "SELECT data->>'name' FROM read.categories"];
        foreach (var names in both)
        {
            var rows = (await shop.SqlAsync(names)).Split('\n');
            rows.Where(load.Acknowledged.ContainsKey).Order().ShouldBe(load.Acknowledged.Keys.Order(), names);
        }
    }

    // In the test's output, and in the file that ./apexshop test shows at its end.
    private void Write(string figures)
    {
        output.WriteLine(figures);
        ClusteredShop.Report(figures);
    }
}
