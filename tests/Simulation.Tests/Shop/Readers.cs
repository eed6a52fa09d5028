using System.Globalization;
using System.Text;
using ApexShop.Consistency;
using ApexShop.Queries.Api.Caching;
using ApexShop.Simulation.Tests.Reading;
using ApexShop.Simulation.Tests.Writing;
using Microsoft.AspNetCore.Http;

namespace ApexShop.Simulation.Tests.Shop;

/// <summary>Clients that read documents and pages, some with the token of a change, and check the responses.</summary>
internal sealed class Readers(SimulatedShop shop)
{
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(2);

    public int Responses { get; private set; }

    public async Task RunAsync(TimeSpan until)
    {
        var random = shop.Scheduler.Random;
        var longest = random.Of(20, 100, 400);
        while (shop.Scheduler.Elapsed < until)
        {
            await Task.Delay(random.Between(1, longest), shop.Scheduler.World.Clock);
            var node = shop.Queries[random.Next(shop.Queries.Count)];
            if (node.Fence is null) continue;
            var document = shop.Writers.ProductIds[random.Next(Writers.Products)];
            var page = random.Next(2) == 0 ? random.Next(Pages.Lists) : Pages.Document(document);
            var committed = shop.Writers.Committed;
            var change = random.Next(6) == 0 && committed.Count > 0 ? committed[^1] : null;
            node.Process.Run(() => ReadAsync(node, page, change));
        }
    }

    /// <summary>Reads every page of every process; each must be as the documents are.</summary>
    public void ReadAll()
    {
        foreach (var node in shop.Queries)
        {
            for (var page = 0; page < Pages.Lists; page++) Read(node, page);
            foreach (var id in shop.Writers.ProductIds) Read(node, Pages.Document(id));
        }

        void Read(QueriesNode node, int page) => node.Process.Run(async () =>
        {
            var response = await node.ReadAsync(page, isFresh: false);
            Check(node, page, response, shop.Pages.ChangeUpTo(page, shop.Pages.Commits), "at rest");
        });
    }

    private async Task ReadAsync(QueriesNode node, int page, CommittedChange? change)
    {
        var least = IsUnprovable(node) ? 0 : shop.Pages.ChangeBefore(page, shop.Scheduler.Now - bound.Ticks);
        var known = node.Fence!.IsLive ? KnownChange(node, page) : 0;
        try
        {
            var after = 0L;
            if (change is not null)
            {
                if (!await WaitAsync(node, change)) return;
                after = shop.Pages.ChangeUpTo(page, shop.Pages.Commits);
            }

            var response = await node.ReadAsync(page, isFresh: change is not null);
            Check(node, page, response, least, "two seconds after the change");
            Check(node, page, response, known, "after its announcement");
            Check(node, page, response, after, "with a token");
            Responses++;
        }
        catch (Npgsql.NpgsqlException)
        {
            // The client gets an error, and nothing is to be checked.
        }
    }

    // Decision 0025 does not cover both at once: tags that cannot be raised, and a process that continues after a pause
    // and may see the time limit of its read of the pending tags before the reply.
    private bool IsUnprovable(QueriesNode node) =>
        shop.Scheduler.Now < node.Process.HungUntil + bound.Ticks + TimeSpan.TicksPerSecond
        && shop.Read.WereTagsLateSince(node.Process.HungFrom);

    private long KnownChange(QueriesNode node, int page)
    {
        var tag = Guarantees.TagOf(page);
        var commit = Math.Max(node.Known.GetValueOrDefault(tag), node.Known.GetValueOrDefault("*"));
        return shop.Pages.ChangeUpTo(page, commit);
    }

    private async Task<bool> WaitAsync(QueriesNode node, CommittedChange change)
    {
        var http = new DefaultHttpContext();
        http.Request.Headers[ConsistencyToken.Header] = QueriesNode.Tokens.Write(
            new([new(change.Resource, change.Id, change.Version)]));
        if (await node.Gate.WaitAsync(http) is not null) return false;
        if (shop.Read.Documents[(change.Resource, change.Id)].Version < change.Version)
            Broken(node, $"The documents have no {change.Resource}/{change.Id} of version {change.Version}.");
        return true;
    }

    private void Check(QueriesNode node, int page, CachedResponse? response, long least, string when)
    {
        // A product that does not exist has no response.
        if (response is null && shop.Pages.IsAbsentSince(page, least)) return;
        var shown = response is null
            ? 0
            : long.Parse(Encoding.ASCII.GetString(response.Body.Span), CultureInfo.InvariantCulture);
        if (shown < least)
            Broken(node, $"{Guarantees.TagOf(page)} shows commit {shown} and not {least} {when}.");
    }

    private void Broken(QueriesNode node, string message) =>
        shop.Scheduler.Fail(new BrokenGuarantee($"{node.Process.Name}: {message}"));
}
