using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;

namespace ApexShop.Simulation.Tests.Reading;

/// <summary>What a process of Queries.Api reads from the model of schema read.</summary>
internal sealed class QueriesStore(SimulatedProcess process, ReadServer read, Network network, Pages pages)
    : IPendingState, IDocumentReader, IVersionReader, IPageReader
{
    // Decision 0025 does not cover tags that cannot be raised together with a slow or lost read of this.
    public Task<PendingChanges> ReadAsync() =>
        network.CallPromptlyAsync(process, read.Server, "read pending", read.PendingChanges);

    public Task<List<StoredDocument>> FindAsync(int[] ids, CancellationToken ct) => network.CallAsync(
        process,
        read.Server,
        "read documents",
        () => ids.Where(id => pages.Product(id) is { IsDeleted: false })
            .Select(id => new StoredDocument(
                id, new(pages.Product(id)!.Version, 1, pages.Product(id)!.Revision), pages.Read(Pages.Document(id))))
            .ToList(),
        ct);

    public Task<Dictionary<int, long>> ReadAsync(ReadModel resource, int[] ids, CancellationToken ct) =>
        network.CallAsync(
            process,
            read.Server,
            "read versions",
            () => ids.Where(id => read.Documents.ContainsKey((resource.Name, id)))
                .ToDictionary(id => id, id => read.Documents[(resource.Name, id)].Version),
            ct);

    public Task<PageResult> ReadAsync(PageRequest request, long total, CancellationToken ct) => network.CallAsync(
        process,
        read.Server,
        "read page",
        () => new PageResult(1, pages.Read(((CursorPage)request).Size)),
        ct);
}
